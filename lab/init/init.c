// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lab guest's first process: it sets the stage, runs the payload, watches the kernel
 * meanwhile and tells the host how it went. lab/README.md has the protocol.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "archive.h"
#include "mounts.h"
#include "run.h"
#include "settings.h"
#include "verdict.h"
#include "watch.h"

static void power_off(void)
{
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

/* The stage is not set: the host hears why, and without an end line it will not call it a pass. */
static void give_up(const char *what, int error)
{
	verdict_line("failed %s: %s", what, strerror(-error));
	power_off();
}

static void must(const char *what, int ret)
{
	if (ret < 0)
		give_up(what, ret);
}

static void say_hello(void)
{
	struct utsname u;

	sethostname("lab", 3);
	uname(&u);
	verdict_line("boot %s", u.release);
}

static void load_modules(const struct settings *s)
{
	int i, ret;

	for (i = 0; i < s->nr_modules; i++) {
		ret = run_modprobe(s->modules[i]);
		if (ret)
			give_up(s->modules[i], ret);
	}
}

static void export_out(const struct settings *s)
{
	if (s->exact)
		must("export of /out", archive_send("/out"));
	sync();
}

int main(void)
{
	struct settings s;
	int ret, code;

	ret = mounts_kernel();
	must("verdict channel", verdict_open());
	must("mounts", ret);
	must("settings", settings_read(&s));
	say_hello();
	must("watcher", watch_start(!s.exact));
	must("/out", mounts_out(!s.exact));
	load_modules(&s);
	if (s.full)
		must("full root", mounts_full());
	verdict_line("start");
	code = run_payload(&s);
	must("payload", code);
	watch_finish();
	export_out(&s);
	watch_finish();
	verdict_line("exit %d", code);
	verdict_line("end %s", s.nonce);
	power_off();
	return 0;
}
