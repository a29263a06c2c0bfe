// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host leaves two files in /lab: "settings" with one KEY=VALUE a line, and "command" with
 * the payload's words, each ended by a NUL. The first is removed once read, so that the payload
 * does not meet the nonce by accident.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "settings.h"

#define SETTINGS_FILE "/lab/settings"
#define COMMAND_FILE "/lab/command"

static int setting(struct settings *s, const char *key, const char *value)
{
	if (!strcmp(key, "nonce")) {
		s->nonce = strdup(value);
		return s->nonce ? 0 : -ENOMEM;
	}
	if (!strcmp(key, "module")) {
		if (s->nr_modules == SETTINGS_MODULES_MAX)
			return -E2BIG;
		s->modules[s->nr_modules] = strdup(value);
		return s->modules[s->nr_modules++] ? 0 : -ENOMEM;
	}
	if (!strcmp(key, "mode"))
		s->exact = !strcmp(value, "exact");
	else if (!strcmp(key, "full"))
		s->full = !strcmp(value, "1");
	else if (!strcmp(key, "shell"))
		s->shell = !strcmp(value, "1");
	else
		return -EINVAL;
	return 0;
}

static int read_settings(struct settings *s)
{
	char *line = NULL;
	size_t size = 0;
	int ret = 0;
	FILE *f;

	f = fopen(SETTINGS_FILE, "re");
	if (!f)
		return -errno;
	while (!ret && getline(&line, &size, f) > 0) {
		char *value;

		line[strcspn(line, "\n")] = '\0';
		value = strchr(line, '=');
		if (!value) {
			ret = -EINVAL;
			break;
		}
		*value++ = '\0';
		ret = setting(s, line, value);
	}
	free(line);
	fclose(f);
	return ret;
}

static int read_command(struct settings *s)
{
	size_t size = 0, n = 0;
	char *word = NULL;
	int ret = 0;
	FILE *f;

	f = fopen(COMMAND_FILE, "re");
	if (!f)
		return -errno;
	while (getdelim(&word, &size, '\0', f) > 0) {
		char **command = realloc(s->command, (n + 2) * sizeof(*command));

		if (!command) {
			ret = -ENOMEM;
			break;
		}
		s->command = command;
		command[n++] = word;
		command[n] = NULL;
		word = NULL;
		size = 0;
	}
	free(word);
	fclose(f);
	if (!ret && !n)
		ret = -EINVAL;
	return ret;
}

/**
 * settings_read() - read what the host left in the initramfs
 * @s: filled in; lives as long as the guest
 *
 * Return: 0; -EINVAL for a key nobody knows or a line that is none; else the -errno of a file.
 */
int settings_read(struct settings *s)
{
	int ret;

	memset(s, 0, sizeof(*s));
	ret = read_settings(s);
	if (ret)
		return ret;
	unlink(SETTINGS_FILE);
	return read_command(s);
}
