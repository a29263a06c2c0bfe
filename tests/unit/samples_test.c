// SPDX-License-Identifier: GPL-2.0-only
/* The recorder's file of samples. */
#include <stdlib.h>
#include <string.h>

#include "recorder_model.h"
#include "samples.h"

static void samples_go_to_a_file_with_their_stamps(void **state)
{
	struct samples_header h;
	struct samples_record record;
	char *text;
	size_t size;

	(void)state;
	r.file = open_memstream(&text, &size);
	assert_non_null(r.file);
	assert_int_equal(samples_begin(r.file, 2.1e9), 0);
	wake(1, interrupt(0), 1, 1);
	recorder_drain(&r);
	fclose(r.file);
	assert_int_equal(size, sizeof(h) + sizeof(record));
	memcpy(&h, text, sizeof(h));
	assert_memory_equal(h.magic, SAMPLES_MAGIC, 8);
	assert_true(h.version == SAMPLES_VERSION && h.header_size == 32 && h.record_size == 64);
	assert_true(h.stamps == 6 && h.hz == 2.1e9);
	memcpy(&record, text + sizeof(h), sizeof(record));
	assert_true(record.seq == 1 && record.values == 1 && record.progress == 1);
	assert_int_equal(record.stamps[STAMP_ISR], record.stamps[STAMP_SENT] + 10);
	assert_int_equal(record.stamps[STAMP_DONE], record.stamps[STAMP_SENT] + 105);
	free(text);
}

static void a_full_disk_is_remembered_and_the_rest_goes_on(void **state)
{
	uint64_t i;

	(void)state;
	r.file = fopen("/dev/full", "w");
	assert_non_null(r.file);
	setvbuf(r.file, NULL, _IONBF, 0);
	for (i = 1; i <= 3; i++) {
		wake(i, interrupt(0), 1, 1);
		recorder_drain(&r);
	}
	assert_int_equal(r.file_error, -ENOSPC);
	assert_int_equal(r.now.samples, 3);
	fclose(r.file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(samples_go_to_a_file_with_their_stamps),
		TEST(a_full_disk_is_remembered_and_the_rest_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
