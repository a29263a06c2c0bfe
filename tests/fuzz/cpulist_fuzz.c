// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpulist.h"
#include "fuzz.h"

static const char *const samples[] = {
	"", "none", "0", "0-3,8", "0-31:2/8", "0-8191", "1,3,5,7,9-11", "1024-2047:7/9,8191", NULL,
};
static const char *const words[] = {
	",", "-", ":", "/", "0", "8191", "8192", "4294967295", "18446744073709551615", "\n", NULL,
};

/* What is read can be written and read again; cut short it is still a list and a mark. */
static void target(const char *input, size_t size)
{
	struct cpulist list, back;
	static char text[65536];
	size_t room = 1 + fuzz_random() % 64;
	char *small;
	int ret;

	(void)size;
	ret = cpulist_parse(&list, input);
	fuzz_check(!ret || ret == -EINVAL || ret == -ERANGE, "another error");
	if (ret)
		return;
	cpulist_format(&list, text, sizeof(text));
	fuzz_check(!cpulist_parse(&back, text), "its own list is refused");
	fuzz_check(!memcmp(&list, &back, sizeof(list)), "its own list is another");
	fuzz_check((cpulist_count(&list) == 0) == (cpulist_last(&list) == -1), "count and last");
	small = malloc(room);
	cpulist_format(&list, small, room);
	fuzz_check(strlen(small) < room, "too long for its room");
	free(small);
}

int main(void)
{
	return fuzz_main(&(struct fuzz){ samples, words, target });
}
