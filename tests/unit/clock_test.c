// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <time.h>

#include "clock.h"
#include "tree.h"
#include "unit.h"

static void a_rate_from_two_points(void **state)
{
	const struct clock_point from = { .cycles = 1000, .ns = 5000, .width = 100 };
	const struct clock_point to = { .cycles = 2101000, .ns = 1005000, .width = 60 };
	struct clock_rate rate = { .drift_ppm = 7 };

	(void)state;
	assert_int_equal(clock_calibrate(&rate, &from, &to), 0);
	assert_true(fabs(rate.hz - 2.1e9) < 1);
	/* Half of both brackets and one nanosecond, in 2 100 000 cycles. */
	assert_true(fabs(rate.error_ppm - (80 + 2.1) / 2.1) < 0.01);
	assert_true(rate.drift_ppm == 0);
	assert_true(fabs(clock_ns(&rate, 2100) - 1000) < 1e-6);
	assert_true(clock_ns(&rate, 0) == 0);
}

static void a_counter_that_stands_still_or_runs_backwards(void **state)
{
	const struct clock_point from = { .cycles = 1000, .ns = 1000, .width = 10 };
	const struct clock_point still = { .cycles = 1000, .ns = 2000, .width = 10 };
	const struct clock_point backwards = { .cycles = 999, .ns = 2000, .width = 10 };
	const struct clock_point no_time = { .cycles = 2000, .ns = 1000, .width = 10 };
	struct clock_rate rate = { .hz = 5 };

	(void)state;
	assert_int_equal(clock_calibrate(&rate, &from, &still), -ERANGE);
	assert_int_equal(clock_calibrate(&rate, &from, &backwards), -ERANGE);
	assert_int_equal(clock_calibrate(&rate, &from, &no_time), -ERANGE);
	assert_true(rate.hz == 5);
}

static void the_counter_never_runs_backwards_here(void **state)
{
	uint64_t last = clock_read(), now;
	int i;

	(void)state;
	for (i = 0; i < 100000; i++, last = now) {
		now = clock_read();
		assert_true(now >= last);
	}
}

/* Two calibrations of the same counter agree within the errors they claim. */
static void calibrations_agree_within_their_error(void **state)
{
	const struct timespec pause = { .tv_nsec = 30000000 };
	struct clock_point p[3];
	struct clock_rate first, second;
	double difference;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		clock_sample(&p[i]);
		assert_true(p[i].width > 0 && p[i].width < UINT64_MAX / 2);
		nanosleep(&pause, NULL);
	}
	assert_int_equal(clock_calibrate(&first, &p[0], &p[1]), 0);
	assert_int_equal(clock_calibrate(&second, &p[1], &p[2]), 0);
	assert_true(first.error_ppm > 0 && first.error_ppm < 10000);
	difference = fabs(first.hz - second.hz) / first.hz * 1e6;
	printf("# %.6f MHz ± %.2f ppm, apart by %.2f ppm\n", first.hz / 1e6, first.error_ppm,
	       difference);
	assert_true(difference <= first.error_ppm + second.error_ppm);
	/* And with the clock people use: 30 ms are 30 ms. */
	assert_true(fabs(clock_ns(&first, p[1].cycles - p[0].cycles) -
			 (double)(p[1].ns - p[0].ns)) < 100000);
}

#define SOURCES "/sys/devices/system/clocksource/clocksource0/"

static void the_kernel_trusts_the_counter(void **state)
{
	struct clock_health h;

	(void)state;
	tree_put(SOURCES "current_clocksource", "tsc\n");
	tree_put(SOURCES "available_clocksource", "tsc hpet acpi_pm \n");
	clock_check(&h);
	assert_true(clock_stable(&h));
	assert_string_equal(h.source, "tsc");
	assert_string_equal(h.text, "");
}

#if defined(__x86_64__)
static void the_kernel_gave_the_counter_up(void **state)
{
	struct clock_health h;

	(void)state;
	tree_put(SOURCES "current_clocksource", "hpet\n");
	tree_put(SOURCES "available_clocksource", "hpet acpi_pm \n");
	tree_put("/proc/cpuinfo", "flags\t\t: fpu tsc constant_tsc nonstop_tsc\n");
	clock_check(&h);
	assert_false(clock_stable(&h));
	assert_string_equal(h.name, "tsc");
	assert_string_equal(h.source, "hpet");
	assert_text(h.text, "hpet acpi_pm");
}

static void without_a_list_the_cpu_flags_decide(void **state)
{
	struct clock_health h;

	(void)state;
	clock_check(&h);
	assert_false(clock_stable(&h));
	assert_text(h.text, "not listed");
	tree_put("/proc/cpuinfo", "model name\t: CPU\nflags\t\t: fpu constant_tsc\n");
	clock_check(&h);
	assert_false(clock_stable(&h));
	tree_put("/proc/cpuinfo", "flags\t\t: fpu xconstant_tsc nonstop_tscx\n");
	clock_check(&h);
	assert_false(clock_stable(&h));
	tree_put("/proc/cpuinfo", "model name\t: CPU\nflags\t\t: fpu constant_tsc rdtscp nonstop_tsc\n");
	clock_check(&h);
	assert_true(clock_stable(&h));
	assert_text(h.text, "CPU flags");
}
#endif

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_open, tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_from_two_points),
		cmocka_unit_test(a_counter_that_stands_still_or_runs_backwards),
		cmocka_unit_test(the_counter_never_runs_backwards_here),
		cmocka_unit_test(calibrations_agree_within_their_error),
		IN_TREE(the_kernel_trusts_the_counter),
#if defined(__x86_64__)
		IN_TREE(the_kernel_gave_the_counter_up),
		IN_TREE(without_a_list_the_cpu_flags_decide),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
