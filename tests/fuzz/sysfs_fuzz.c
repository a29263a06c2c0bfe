// SPDX-License-Identifier: GPL-2.0-only
/* What is read from /sys and /proc: numbers, lists of counts, flags, the command line. */
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "fuzz.h"
#include "host.h"
#include "irq.h"
#include "lab.h"
#include "sysfs.h"

static const char *const samples[] = {
	"0\n", "12345\n", "0x8086\n", "18446744073709551615\n", "0xffffffffffffffff", "", "\n",
	"0,0,17,4\n", "3\n", "0-3\n", "(null)\n", "flags\t: fpu constant_tsc nonstop_tsc\n",
	"model name\t: CPU\n", "quiet msilat_lab=exact\n", "tsc hpet \n", NULL,
};
static const char *const words[] = {
	",", "0x", "0", "-", " ", "\n", "\t", "18446744073709551616", "ff", "\xff\xfe", ": ", NULL,
};

/* A second opinion: decimal, or hexadecimal with 0x; nothing around it but white space behind. */
static bool is_number(const char *text, size_t length, uint64_t *value)
{
	unsigned __int128 v = 0;
	unsigned int base = 10, digit;
	size_t i = 0;

	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		i = 2;
	}
	if (i == length)
		return false;
	for (; i < length; i++) {
		if (!isxdigit((unsigned char)text[i]))
			return false;
		digit = isdigit((unsigned char)text[i]) ? (unsigned int)(text[i] - '0') :
			(unsigned int)(tolower((unsigned char)text[i]) - 'a' + 10);
		if (digit >= base)
			return false;
		v = v * base + digit;
		if (v > UINT64_MAX)
			return false;
	}
	*value = (uint64_t)v;
	return true;
}

static void number(const char *input, size_t size)
{
	uint64_t value = 0, want = 0;
	int ret;

	/* Longer ones are cut; a NUL ends a text. */
	if (size > 60 || memchr(input, '\0', size))
		return;
	fuzz_file("/sys/number", input, size);
	ret = sysfs_read_u64(&value, "/sys/number");
	fuzz_check(!ret || ret == -EINVAL, "another error");
	fuzz_check(!ret == is_number(input, size, &want), "a number or none?");
	fuzz_check(ret || value == want, "another number");
}

static void target(const char *input, size_t size)
{
	struct clock_health health;
	json_t *host;
	char *text;

	number(input, size);
	fuzz_file("/sys/kernel/irq/5/per_cpu_count", input, size);
	irq_count(5);
	fuzz_file("/proc/irq/5/effective_affinity_list", input, size);
	fuzz_check(irq_cpu(5) >= -1, "a CPU below -1");
	fuzz_file("/proc/cmdline", input, size);
	fuzz_check(lab_mode() <= LAB_EXACT, "a mode there is not");
	fuzz_file("/proc/cpuinfo", input, size);
	clock_check(&health);
	fuzz_check(memchr(health.text, '\0', sizeof(health.text)), "text without end");
	fuzz_file("/etc/machine-id", input, size);
	fuzz_file("/proc/sys/kernel/tainted", input, size);
	if (fuzz_random() % 8)
		return;
	host = host_json(0);
	text = json_dumps(host, 0);
	fuzz_check(text, "a host that cannot be written down");
	free(text);
	json_decref(host);
}

int main(void)
{
	return fuzz_main(&(struct fuzz){ samples, words, target });
}
