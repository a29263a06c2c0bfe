// SPDX-License-Identifier: GPL-2.0-only
/* Manifests of any kind, read and summed up as msilat show does it. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "manifest.h"
#include "summary.h"

static const char *const samples[] = {
	"{\"schema\": 1}",
	"{\"schema\": 1, \"state\": \"complete\", \"mode\": \"live\", \"strategy\": \"split\","
	"\"wait\": \"read\", \"scenario\": \"sync\", \"valid\": true, \"load\": null,"
	"\"device\": {\"bdf\": \"0000:00:03.0\", \"vector\": 0}, \"poller\": {\"policy\": \"FIFO\","
	"\"priority\": 40, \"cpu\": 1}, \"irq_thread\": {\"policy\": \"FIFO\", \"priority\": 50},"
	"\"interrupt\": {\"irq\": 25, \"cpu\": 1}, \"priority_relation\": \"below\","
	"\"invariant\": {\"holds\": true, \"text\": \"10 fired = 10 wakes\"},"
	"\"verdicts\": [{\"name\": \"memory\", \"ok\": false, \"text\": \"not locked\"}],"
	"\"probe\": {\"free\": 10, \"own_thread\": 0, \"handoff\": 1, \"recursion\": 1},"
	"\"stages\": [{\"name\": \"sent-user\", \"count\": 100000, \"min\": 7611.5, \"max\": 9000,"
	"\"percentiles\": [{\"p\": 50, \"value\": 7640, \"low\": 7638, \"high\": 7642},"
	"{\"p\": 99.99, \"value\": 8000}]}, {\"name\": \"user-done\", \"count\": 0}]}",
	"{\"schema\": 1, \"mode\": \"exact\", \"stages\": [{\"name\": \"sent-isr\", \"count\": 10,"
	"\"min\": 7611, \"commonest\": 7650, \"commonest_count\": 9, \"paths\": 2}]}",
	NULL,
};
static const char *const words[] = {
	"null", "true", "[]", "{}", "-1", "1e300", "-1e300", "1e999", "0.5", "18446744073709551616",
	"\"\"", ",", ":", "\"count\":", "\"stages\":", "-", "\"\\u0000\"", "\"\xc3\xa4\"", NULL,
};

static void target(const char *input, size_t size)
{
	struct reason why = { .text = "" };
	char *text;
	size_t length;
	json_t *m;
	FILE *f;

	fuzz_file("/result/manifest.json", input, size);
	m = manifest_load(fuzz_path("/result"), &why);
	fuzz_check(m || why.text[0], "an error without reason");
	if (!m)
		return;
	f = open_memstream(&text, &length);
	fuzz_check(f, "no memory");
	summary_print(m, f);
	fclose(f);
	fuzz_check(length > 0, "nothing is shown");
	free(text);
	json_decref(m);
}

int main(void)
{
	return fuzz_main(&(struct fuzz){ samples, words, target });
}
