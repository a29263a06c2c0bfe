// SPDX-License-Identifier: GPL-2.0-only
/* --sim lists. */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "fuzz.h"

static const char *const samples[] = {
	"", "merge=device", "merge=thread,delay=0", "merge=wake,withhold=5,lose=6,stop=7,delay=1",
	"merge=none", "delay=20,delay=30", NULL,
};
static const char *const words[] = {
	",", "=", "merge", "withhold", "lose=", "stop=1", "delay=", "18446744073709551615", "-", "none",
	NULL,
};

static void target(const char *input, size_t size)
{
	const struct device_config cfg = { .sim = input };
	struct reason why = { .text = "" };
	struct device dev;
	int ret;

	(void)size;
	/* A delay is waited for when the device is closed; long ones are good but tell nothing. */
	if (strstr(input, "delay"))
		return;
	ret = device_open(&dev, &device_sim, &cfg, &why);
	fuzz_check(!ret || ret == -EINVAL, "another error");
	fuzz_check(!ret || strstr(why.text, "--sim"), "an error without its reason");
	if (!ret)
		device_close(&dev);
}

int main(void)
{
	return fuzz_main(&(struct fuzz){ samples, words, target });
}
