// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define HANG_SECONDS 20
#define PATH_SIZE 512

/* Of the sanitizers' runtime; its header does not come with every compiler. */
void __sanitizer_set_death_callback(void (*callback)(void));

static char input[FUZZ_INPUT_MAX + 1];
static size_t size;
static uint64_t seed, state, count;
static char root[64];

uint64_t fuzz_random(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static size_t below(size_t n)
{
	return n ? fuzz_random() % n : 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_root(void)
{
	if (root[0])
		nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	root[0] = '\0';
}

/* How to see it again. Only write(): the heap may be in any state. */
static void report(void)
{
	char line[64];
	size_t i;
	int n;

	n = snprintf(line, sizeof(line), "FUZZ_SEED=%llu, input %llu: ", (unsigned long long)seed,
		     (unsigned long long)count);
	if (write(STDERR_FILENO, line, n) != n)
		return;
	for (i = 0; i < size; i++) {
		n = snprintf(line, sizeof(line), (unsigned char)input[i] < 0x7f &&
			     (unsigned char)input[i] >= 0x20 && input[i] != '\\' ? "%c" : "\\x%02x",
			     (unsigned char)input[i]);
		if (write(STDERR_FILENO, line, n) != n)
			return;
	}
	if (write(STDERR_FILENO, "\n", 1) != 1)
		return;
	remove_root();
}

static void hung(int signal)
{
	(void)signal;
	fputs("no answer\n", stderr);
	report();
	_exit(1);
}

void fuzz_check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	report();
	_exit(1);
}

const char *fuzz_path(const char *path)
{
	static char full[PATH_SIZE];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return full;
}

void fuzz_file(const char *path, const void *data, size_t bytes)
{
	char full[PATH_SIZE], *slash;
	int fd;

	strcpy(full, fuzz_path(path));
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0) {
		for (slash = strchr(full + strlen(root) + 1, '/'); slash;
		     slash = strchr(slash + 1, '/')) {
			*slash = '\0';
			mkdir(full, 0755);
			*slash = '/';
		}
		fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	}
	fuzz_check(fd >= 0 && write(fd, data, bytes) == (ssize_t)bytes, full);
	close(fd);
}

static void insert(size_t at, const char *text, size_t n)
{
	if (n > FUZZ_INPUT_MAX - size)
		n = FUZZ_INPUT_MAX - size;
	memmove(input + at + n, input + at, size - at);
	memcpy(input + at, text, n);
	size += n;
}

static void cut(size_t at, size_t n)
{
	if (n > size - at)
		n = size - at;
	memmove(input + at, input + at + n, size - at - n);
	size -= n;
}

static size_t length_of(const char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

static void mutate(const struct fuzz *fuzz)
{
	size_t at = below(size + 1), n;
	const char *other;
	char copy[256];

	switch (below(8)) {
	case 0:
		if (at < size)
			input[at] ^= (char)(1 << below(8));
		break;
	case 1:
		if (at < size)
			input[at] = (char)fuzz_random();
		break;
	case 2:
		cut(at, 1 + below(1 + size / 4));
		break;
	case 3:
		copy[0] = (char)fuzz_random();
		insert(at, copy, 1);
		break;
	case 4:
		/* A piece of it once more. */
		n = 1 + below(below(16) ? 16 : sizeof(copy));
		if (n > size - at)
			n = size - at;
		memcpy(copy, input + at, n);
		insert(below(size + 1), copy, n);
		break;
	case 5:
		other = fuzz->words[below(length_of(fuzz->words))];
		insert(at, other, strlen(other));
		break;
	case 6:
		/* The end of another. */
		other = fuzz->samples[below(length_of(fuzz->samples))];
		n = below(strlen(other) + 1);
		size = at;
		insert(at, other + n, strlen(other) - n);
		break;
	default:
		if (at < size && input[at] >= '0' && input[at] <= '9')
			input[at] = (char)('0' + below(10));
		break;
	}
}

static void one(const struct fuzz *fuzz)
{
	const char *sample = fuzz->samples[below(length_of(fuzz->samples))];
	size_t n = below(6);
	char *copy;

	size = 0;
	insert(0, sample, strlen(sample));
	while (n--)
		mutate(fuzz);
	/* On the heap and of the exact size, so that a byte read beyond it is noticed. */
	copy = malloc(size + 1);
	fuzz_check(copy, "no memory");
	memcpy(copy, input, size);
	copy[size] = '\0';
	fuzz->target(copy, size);
	free(copy);
}

static uint64_t number_from(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

int fuzz_main(const struct fuzz *fuzz)
{
	double end = now() + (double)number_from("FUZZ_SECONDS", 10);

	strcpy(root, "/tmp/msilat-fuzz.XXXXXX");
	if (!mkdtemp(root) || setenv("MSILAT_SYSROOT", root, 1)) {
		perror(root);
		return 1;
	}
	seed = number_from("FUZZ_SEED", (uint64_t)time(NULL) * 1000003 + (uint64_t)getpid());
	state = seed;
	__sanitizer_set_death_callback(report);
	signal(SIGALRM, hung);
	for (count = 0; count % 64 || now() < end; count++) {
		if (!(count % 64))
			alarm(HANG_SECONDS);
		one(fuzz);
	}
	alarm(0);
	printf("%llu inputs, FUZZ_SEED=%llu\n", (unsigned long long)count, (unsigned long long)seed);
	remove_root();
	return 0;
}
