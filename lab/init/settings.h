/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>

#define SETTINGS_MODULES_MAX 16

/**
 * struct settings - what the host asks of this boot
 * @nonce: what the last line of the verdict must carry
 * @exact: nothing may run beside the payload
 * @full: the payload runs in the lab's root, reached by 9p
 * @shell: the payload is an interactive shell
 * @modules: modules to load before the payload, each with its parameters, in order
 * @nr_modules: how many
 * @command: the payload and its arguments, NULL-terminated, as for execve()
 */
struct settings {
	char *nonce;
	bool exact;
	bool full;
	bool shell;
	char *modules[SETTINGS_MODULES_MAX];
	int nr_modules;
	char **command;
};

int settings_read(struct settings *s);

#endif
