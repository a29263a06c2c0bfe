// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that init starts. The payload has a terminal to itself, the guest's second serial
 * port, so that what it says is never mixed with the kernel's console.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "run.h"

#define PAYLOAD_TTY "/dev/ttyS1"
#define WORDS_MAX 32

static char *const run_environment[] = {
	"PATH=/lab/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	"HOME=/tmp", "TERM=linux", "LC_ALL=C.UTF-8", "MSILAT_LAB=1", NULL,
};

/**
 * run_reap() - wait for one child, whatever orphans end meanwhile
 * @pid: the child
 *
 * Return: its exit code, 128 + N when signal N ended it, or -errno.
 */
int run_reap(pid_t pid)
{
	int status;
	pid_t ended;

	do {
		ended = wait(&status);
		if (ended < 0 && errno != EINTR)
			return -errno;
	} while (ended != pid);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/**
 * run_wait() - run a program on init's own terminal and wait for it
 * @argv: looked up in the path of the initramfs
 *
 * Return: its exit code, 127 when there is no such program, or -errno.
 */
int run_wait(char *const argv[])
{
	pid_t pid;

	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid) {
		environ = (char **)run_environment;
		execvp(argv[0], argv);
		_exit(127);
	}
	return run_reap(pid);
}

/**
 * run_modprobe() - load a module and those it needs
 * @words: its name, then its parameters, separated by blanks; the string is taken apart
 *
 * Return: 0, or -ENOENT when modprobe fails; it has said why on the console.
 */
int run_modprobe(char *words)
{
	char *copy = strdup(words), *word, *rest = copy;
	char *argv[WORDS_MAX + 2] = { "modprobe" };
	int n = 1, ret;

	if (!copy)
		return -ENOMEM;
	while (n <= WORDS_MAX && (word = strsep(&rest, " ")))
		if (*word)
			argv[n++] = word;
	ret = run_wait(argv);
	free(copy);
	return ret ? -ENOENT : 0;
}

/* Raw but for ^C and its like in a shell: what the payload writes is what the host reads. */
static int payload_terminal(bool shell)
{
	struct termios t;
	int fd;

	fd = open(PAYLOAD_TTY, O_RDWR);
	if (fd < 0)
		return -errno;
	if (tcgetattr(fd, &t)) {
		close(fd);
		return -errno;
	}
	if (shell) {
		t.c_cflag |= CLOCAL;
	} else {
		cfmakeraw(&t);
		t.c_cflag |= CLOCAL | CREAD;
	}
	cfsetspeed(&t, B115200);
	tcsetattr(fd, TCSANOW, &t);
	return fd;
}

static void payload_exec(const struct settings *s, int tty)
{
	int null;

	setsid();
	/*
	 * A shell wants ^C. Any other payload must not own the terminal: the end of its session
	 * would hang the terminal up and throw away what has not been sent yet.
	 */
	if (s->shell)
		ioctl(tty, TIOCSCTTY, 0);
	null = s->shell ? tty : open("/dev/null", O_RDONLY);
	dup2(null, STDIN_FILENO);
	dup2(tty, STDOUT_FILENO);
	dup2(tty, STDERR_FILENO);
	if (tty > STDERR_FILENO)
		close(tty);
	if (null > STDERR_FILENO && null != tty)
		close(null);
	if (chdir("/payload") && chdir("/"))
		_exit(126);
	environ = (char **)run_environment;
	execvp(s->command[0], s->command);
	dprintf(STDERR_FILENO, "init: cannot run %s: %s\n", s->command[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/**
 * run_payload() - run the payload on a terminal for it alone, in a session of its own, and wait
 * @s: whose command it is
 *
 * Return: its exit code, 128 + N when signal N ended it, 126 or 127 when it could not be run, as
 * a shell has it; or -errno. All it wrote has left the guest when this returns.
 */
int run_payload(const struct settings *s)
{
	int tty, ret;
	pid_t pid;

	tty = payload_terminal(s->shell);
	if (tty < 0)
		return tty;
	pid = fork();
	if (pid < 0) {
		ret = -errno;
		goto close_tty;
	}
	if (!pid)
		payload_exec(s, tty);
	ret = run_reap(pid);
	tcdrain(tty);
close_tty:
	close(tty);
	return ret;
}
