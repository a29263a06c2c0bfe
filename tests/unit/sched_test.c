// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sched.h"
#include "lab.h"
#include "scenario.h"
#include "strategy.h"
#include "tree.h"
#include "unit.h"

#include <sys/wait.h>

/* What a thread found out about itself. */
struct found {
	char name[16];
	int policy, priority, cpus, cpu;
};

static void *look(void *arg)
{
	struct sched_param param;
	struct cpulist allowed;
	struct found *f = arg;

	pthread_getname_np(pthread_self(), f->name, sizeof(f->name));
	pthread_getschedparam(pthread_self(), &f->policy, &param);
	f->priority = param.sched_priority;
	cpulist_allowed(&allowed);
	f->cpus = cpulist_count(&allowed);
	f->cpu = cpulist_last(&allowed);
	return NULL;
}

static int start(const struct sched_want *want, struct found *f, struct reason *why)
{
	pthread_t thread;
	int ret;

	ret = sched_start(&thread, want, look, f, why);
	if (!ret)
		pthread_join(thread, NULL);
	return ret;
}

static int a_cpu(void)
{
	struct cpulist allowed;

	assert_int_equal(cpulist_allowed(&allowed), 0);
	return cpulist_last(&allowed);
}

static void an_ordinary_thread(void **state)
{
	struct sched_want want = { .name = "msilat-a-long-name", .cpu = a_cpu() };
	struct found f = { 0 };
	struct reason why = { 0 };

	(void)state;
	assert_int_equal(start(&want, &f, &why), 0);
	assert_string_equal(f.name, "msilat-a-long-n");
	assert_int_equal(f.policy, SCHED_OTHER);
	assert_int_equal(f.cpus, 1);
	assert_int_equal(f.cpu, want.cpu);
}

/* A thread that inherited its creator's policy would measure an artefact. */
static void a_thread_inherits_no_policy(void **state)
{
	const struct sched_param batch = { 0 };
	struct sched_want want = { .name = "t", .cpu = -1 };
	struct found f = { 0 };
	struct reason why = { 0 };

	(void)state;
	assert_int_equal(sched_setscheduler(0, SCHED_BATCH, &batch), 0);
	assert_int_equal(start(&want, &f, &why), 0);
	assert_int_equal(sched_setscheduler(0, SCHED_OTHER, &batch), 0);
	assert_int_equal(f.policy, SCHED_OTHER);
}

static void a_real_time_thread(void **state)
{
	struct sched_want want = { .name = "t", .cpu = -1, .priority = 17 };
	struct found f = { 0 };
	struct reason why = { 0 };
	int ret = start(&want, &f, &why);

	(void)state;
	if (ret == -EPERM)
		skip();
	assert_int_equal(ret, 0);
	assert_int_equal(f.policy, SCHED_FIFO);
	assert_int_equal(f.priority, 17);
}

static void a_set_of_cpus(void **state)
{
	struct cpulist allowed;
	struct sched_want want = { .name = "t", .cpu = -1, .cpus = &allowed };
	struct found f = { 0 };
	struct reason why = { 0 };
	int n;

	(void)state;
	cpulist_allowed(&allowed);
	n = cpulist_count(&allowed);
	if (n > 1)
		cpulist_del(&allowed, cpulist_last(&allowed));
	assert_int_equal(start(&want, &f, &why), 0);
	assert_int_equal(f.cpus, n > 1 ? n - 1 : 1);
	assert_int_equal(f.cpu, cpulist_last(&allowed));
}

static void a_cpu_that_is_not_there(void **state)
{
	struct sched_want want = { .name = "msilat-poller", .cpu = CPULIST_MAX - 1 };
	struct found f;
	struct reason why = { 0 };

	(void)state;
	assert_reason(start(&want, &f, &why), -EINVAL, &why, "msilat-poller thread cannot run on CPU 8191");
}

/* In a process of its own: what it gives up it cannot take back. */
static int without_permission(void)
{
	const struct rlimit none = { 0, 0 };
	struct sched_want want = { .name = "msilat-poller", .cpu = -1, .priority = 40 };
	struct reason why = { 0 };
	struct found f;

	if (setrlimit(RLIMIT_RTPRIO, &none) || (!geteuid() && setresuid(65534, 65534, 65534)))
		return 2;
	if (start(&want, &f, &why) != -EPERM)
		return 3;
	return strstr(why.text, "priority 40 for the msilat-poller thread is not permitted") &&
	       strstr(why.text, "RLIMIT_RTPRIO is 0") && strstr(why.text, "-p 0") ? 0 : 4;
}

static void a_priority_that_is_not_permitted(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	fflush(stdout);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(without_permission());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void the_thread_of_an_interrupt(void **state)
{
	struct sched_thread t = { 9, 9 };
	char path[64];

	(void)state;
	tree_put("/proc/irq/notathread", "");
	assert_int_equal(sched_find_irq_thread(&t, 25), -ENOENT);
	assert_true(t.tid == 0 && t.priority == 0);
	tree_put("/proc/101/comm", "irq/250-edu\n");
	tree_put("/proc/102/comm", "irq/25-s-edu\n");
	tree_put("/proc/103/comm", "irq/2-edu\n");
	tree_put("/proc/104/comm", "xirq/25-edu\n");
	assert_int_equal(sched_find_irq_thread(&t, 25), -ENOENT);
	/* Its priority is asked of the real kernel: name a thread that exists. */
	snprintf(path, sizeof(path), "/proc/%d/comm", getpid());
	tree_put(path, "irq/25-vfio-msi\n");
	assert_int_equal(sched_find_irq_thread(&t, 25), 0);
	assert_int_equal(t.tid, getpid());
	assert_int_equal(t.priority, 0);
	assert_int_equal(sched_find_irq_thread(&t, 0), -ENOENT);
}

static void a_priority_of_a_thread_that_is_gone(void **state)
{
	struct reason why = { 0 };

	(void)state;
	assert_reason(sched_set_fifo(0x7ffffff, 50, "the IRQ thread", &why), -ESRCH, &why,
		      "priority 50 for the IRQ thread");
}

static void computing_and_resting(void **state)
{
	struct reason why = { 0 };
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(scenario_compute(&pid, a_cpu(), &why), 0);
	assert_true(pid > 0);
	usleep(20000);
	/* It goes on by itself... */
	assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
	scenario_rest(pid);
	/* ...and is gone, not a zombie, after that. */
	assert_int_equal(waitpid(pid, &status, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void scenarios_and_strategies_by_name(void **state)
{
	(void)state;
	assert_true(scenario_find("self")->poller_fires && !scenario_find("sync")->poller_fires);
	assert_true(scenario_find("idle")->timer && scenario_find("busy")->timer);
	assert_true(scenario_find("busy")->busy && !scenario_find("idle")->busy);
	assert_null(scenario_find("nosuch"));
	assert_null(scenario_at(4));
	assert_false(strategy_find("nothread")->safe);
	assert_true(strategy_find("stock")->safe && strategy_find("split")->safe);
	assert_string_equal(strategy_find("stock")->driver, "vfio-pci");
	assert_string_equal(strategy_find("thread")->driver, "msilat-vfio-pci");
	assert_true(strategy_find("split")->primary && !strategy_find("thread")->primary);
	assert_int_equal(strategy_find("nothread")->thread, STRATEGY_THREAD_NONE);
	assert_null(strategy_find(""));
	assert_null(strategy_at(9));
}

static void the_mode_comes_from_the_kernel_command_line(void **state)
{
	static const struct {
		const char *cmdline;
		enum lab_mode mode;
	} cases[] = {
		{ "", LAB_HARDWARE }, { "root=/dev/sda1 quiet\n", LAB_HARDWARE },
		{ "quiet msilat_lab=exact\n", LAB_EXACT }, { "msilat_lab=live quiet\n", LAB_LIVE },
		{ "xmsilat_lab=exact msilat_lab=exactly\n", LAB_HARDWARE },
	};
	size_t i;

	(void)state;
	assert_int_equal(lab_mode(), LAB_HARDWARE);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		tree_put("/proc/cmdline", cases[i].cmdline);
		assert_int_equal(lab_mode(), cases[i].mode);
	}
	assert_string_equal(lab_mode_name(LAB_EXACT), "exact");
	assert_string_equal(lab_mode_name(LAB_LIVE), "live");
	assert_string_equal(lab_mode_name(LAB_HARDWARE), "hardware");
}

static char facts[256];

static void note(void *arg, const char *key, const char *value)
{
	(void)arg;
	snprintf(facts + strlen(facts), sizeof(facts) - strlen(facts), "%s:%s;", key, value);
}

static void facts_about_the_lab(void **state)
{
	(void)state;
	assert_int_equal(lab_each(note, NULL), 0);
	tree_put("/etc/msilat-lab", "qemu=11.1.3\nno fact\ncpu=max,x=y\n");
	facts[0] = '\0';
	assert_int_equal(lab_each(note, NULL), 2);
	assert_string_equal(facts, "qemu:11.1.3;cpu:max,x=y;");
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_open, tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ordinary_thread),
		cmocka_unit_test(a_thread_inherits_no_policy),
		cmocka_unit_test(a_real_time_thread),
		cmocka_unit_test(a_set_of_cpus),
		cmocka_unit_test(a_cpu_that_is_not_there),
		cmocka_unit_test(a_priority_that_is_not_permitted),
		IN_TREE(the_thread_of_an_interrupt),
		cmocka_unit_test(a_priority_of_a_thread_that_is_gone),
		cmocka_unit_test(computing_and_resting),
		cmocka_unit_test(scenarios_and_strategies_by_name),
		IN_TREE(the_mode_comes_from_the_kernel_command_line),
		IN_TREE(facts_about_the_lab),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
