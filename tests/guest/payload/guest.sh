# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034 # what is unused here is used by the scripts
#
# For the scripts that run in a guest (busybox sh). What they print is retold by lib.bash on the
# host, which numbers the cases: "ok - TEXT", "not ok - TEXT", "# TEXT" and, last, "finished".

EDU=0000:00:05.0
devices=/sys/bus/pci/devices
drivers=/sys/bus/pci/drivers
ours=msilat-vfio-pci
here=/payload
# The numbers of the strategies that are safe on PREEMPT_RT, of those that fill the isr ring, and of
# those that can do without the eventfd.
safe='1 2 4 5 6 7 8'
primary='2 5 6 7 8'
alone='4 7 8'
scratch=/tmp

note()
{
	echo "# $*"
}

# ok TEXT COMMAND...: the case holds if the command succeeds.
ok()
{
	_text=$1
	shift
	if "$@" >"$scratch/ok.log" 2>&1; then
		echo "ok - $_text"
	else
		echo "not ok - $_text"
		note "failed: $*"
		sed 's/^/# /' "$scratch/ok.log"
	fi
}

# is GOT WANT TEXT
is()
{
	if [ "$1" = "$2" ]; then
		echo "ok - $3"
	else
		echo "not ok - $3"
		note "got '$1', wanted '$2'"
	fi
}

# like GOT PATTERN TEXT: GOT matches an extended regular expression.
like()
{
	if echo "$1" | grep -q -E -e "$2"; then
		echo "ok - $3"
	else
		echo "not ok - $3"
		note "got '$1', wanted something like '$2'"
	fi
}

# helper PROGRAM ARG...: its cases become ours. It must end with the number it has printed.
helper()
{
	_rc=0 _program=$1
	shift
	"$here/$_program" "$@" >"$scratch/helper.log" 2>&1 || _rc=$?
	grep -v '^done [0-9]*$' "$scratch/helper.log"
	_cases=$(grep -c -E '^(not )?ok - ' "$scratch/helper.log")
	if [ "$(tail -n 1 "$scratch/helper.log")" != "done $_cases" ] || [ "$_rc" -gt 1 ]; then
		echo "not ok - $_program $* ran to its end (exit $_rc)"
	fi
}

# bind BDF DRIVER: by the kernel's own means, so that msilat bind is not needed.
bind()
{
	[ ! -e "$devices/$1/driver" ] || echo "$1" >"$devices/$1/driver/unbind"
	echo "$2" >"$devices/$1/driver_override"
	echo "$1" >/sys/bus/pci/drivers_probe
	[ -e "$drivers/$2/$1" ]
}

# igb: where QEMU's igb is.
igb()
{
	for _function in "$devices"/*; do
		[ "$(cat "$_function/vendor" "$_function/device" | tr '\n' ' ')" != "0x8086 0x10c9 " ] ||
			echo "${_function##*/}"
	done
}

# driver_of BDF
driver_of()
{
	basename "$(readlink "$devices/$1/driver" 2>/dev/null || echo none)"
}

# not COMMAND...: fails if it succeeds.
not()
{
	! "$@"
}

# await COMMAND...: until it succeeds, a minute at most.
await()
{
	_tries=0
	until "$@" >/dev/null 2>&1; do
		_tries=$((_tries + 1))
		[ $_tries -lt 600 ] || return 1
		usleep 100000
	done
}

# polling: a poller of msilat's is under way.
polling()
{
	grep -q '^msilat-poller' /proc/[0-9]*/task/[0-9]*/comm 2>/dev/null
}

# firing: and so is what fires, the last of a run's threads to start.
firing()
{
	polling && grep -q '^msilat-trigger' /proc/[0-9]*/task/[0-9]*/comm 2>/dev/null
}

# reload PARAMETERS: the module afresh; what was bound to it is free afterwards.
reload()
{
	! grep -q '^msilat_vfio_pci ' /proc/modules || rmmod msilat_vfio_pci || return 1
	# shellcheck disable=SC2086
	modprobe $ours $1
}

# measure LABEL OPTION...: a run; its exit code goes to the host and into $code, its words for
# people into /tmp/run.out and /tmp/run.err.
measure()
{
	_label=$1
	shift
	code=0
	msilat run --quiet --results /out --label "$_label" "$@" >/tmp/run.out 2>/tmp/run.err ||
		code=$?
	echo "$code" >"/out/$_label.exit"
	sed "s/^/# $_label: /" /tmp/run.err
}

# normal_run: after all that was done to it, the module measures edu as if nothing had been.
normal_run()
{
	ok "edu is bound to $ours" bind $EDU $ours
	measure afterwards -l 200 --seed 1 $EDU
	is "$code" 0 "msilat run of 200 events exits with 0"
}

# debug_locks: 1 while lockdep is at work; after its first report it is not. Nothing without it.
debug_locks()
{
	sed -n 's/.*debug_locks: *//p' /proc/lockdep_stats 2>/dev/null
}

lockdep_stays=1

# expect_report: lockdep will have something to say.
expect_report()
{
	lockdep_stays=0
}

# finish: the last call. On a kernel with lockdep that must still be at work, nothing having been
# reported, unless a report is expected.
finish()
{
	if [ -e /proc/lockdep_stats ]; then
		is "$(debug_locks)" $lockdep_stays "debug_locks is $lockdep_stays at the end"
	fi
	echo finished
	exit 0
}
