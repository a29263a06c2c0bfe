#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok runs functions by name
#
# hazard.sh exact | live | vectors: msilat hazard on a device, and what it leaves of the host.
# shellcheck source=guest.sh
. /payload/guest.sh

igb=0000:01:00.0

# hazard LABEL OPTION...: its exit code goes to the host, its words for people into /tmp/hazard.*.
hazard()
{
	_label=$1
	shift
	code=0
	# An event is overdue when the host has stopped, not when it is busy.
	msilat hazard --quiet --results /out --label "$_label" --seed 1 --timeout 30000 "$@" >/tmp/hazard.out \
		2>/tmp/hazard.err || code=$?
	echo "$code" >"/out/$_label.exit"
	sed "s/^/# $_label: /" /tmp/hazard.err
}

# refused PATTERN OPTION...: exit 1, one line.
refused()
{
	_pattern=$1
	shift
	_code=0
	msilat hazard --quiet --results /tmp/refused "$@" >/tmp/hazard.out 2>/tmp/hazard.err || _code=$?
	is "$_code,$(wc -l </tmp/hazard.err)" 1,1 "refused in one line: $*"
	like "$(cat /tmp/hazard.err)" "^msilat: .*$_pattern" "which says what and what to do"
}

# until_seen LABEL CONDITION [OPTION...]: what a few events need not bring about comes with more of
# them: measured again until the manifest meets the condition, ten times at most.
until_seen()
{
	_seen=$1 _condition=$2 _tries=0
	shift 2
	while [ $_tries -lt 10 ]; do
		_tries=$((_tries + 1))
		rm -rf "/out/$_seen"
		hazard "$_seen" --wait read "$@"
		$_condition "/out/$_seen/manifest.json" && break
	done
	note "$_seen: $_tries times"
}

# lock_contended MANIFEST: the probe met another holder of the eventfd's lock.
lock_contended()
{
	grep -q -E '"(handoff|self|running|not_running)": [1-9]' "$1"
}

# events_taken MANIFEST: the second reader was the faster one for once.
events_taken()
{
	grep -q '"taken": [1-9]' "$1"
}

# thread_boosted MANIFEST: of one cell; by most events.
thread_boosted()
{
	awk '/"boosts": [{]/ { within = 1 }
		within && /"events":/ { events = $2 + 0 }
		within && /"irq_thread":/ { boosts = $2 + 0 }
		/[}]/ { within = 0 }
		END { exit !(events && boosts > events / 2) }' "$1"
}

# settings: what a measurement changes on a host.
settings()
{
	cat /proc/irq/*/smp_affinity_list
	ls /sys/kernel/tracing/instances 2>/dev/null
	cat /sys/kernel/tracing/events/sched/sched_pi_setprio/enable 2>/dev/null
	for _thread in /proc/[0-9]*; do
		case $(cat "$_thread/comm" 2>/dev/null) in
		irq_work/*) cut -d ' ' -f 2,40,41 "$_thread/stat" ;;
		esac
	done
}

exact()
{
	hazard inversion --wait read,epoll --contender none,poll -l 100 $EDU
	cp /tmp/hazard.out /out/inversion.txt
	hazard control --strategy direct --wait read,direct --contender none -l 100 $EDU
}

interrupt_it()
{
	msilat hazard --quiet --results /out --label stopped -D 1h --wait read -c none $EDU \
		>/tmp/hazard.out 2>/tmp/hazard.err &
	_pid=$!
	_n=0
	while [ ! -s /out/stopped.partial/manifest.json ] && [ $_n -lt 600 ]; do
		usleep 100000
		_n=$((_n + 1))
	done
	await polling
	kill -INT "$_pid"
	wait "$_pid"
	is $? 0 "SIGINT in the middle of a cell ends it"
}

live()
{
	settings >/tmp/before
	# The debug kernel is slow: a shorter form.
	events=100
	if [ -e /proc/lockdep_stats ]; then
		events=30
		hazard matrix -c none,poll,reader --wait read -r below,above -l 10 $EDU
	else
		hazard matrix -c none,poll,epoll,reader --wait read,epoll -r below,above -l 30 $EDU
	fi
	until_seen storm lock_contended -c poll -r below,above -l $events $EDU
	until_seen second events_taken -c reader -r below --poller-cpu same \
		-l $events $EDU
	until_seen boosted thread_boosted -c none -r above --poller-cpu same \
		-l $events $EDU
	hazard irqwork --strategy irqwork --irq-prio 50 --contender none --wait read \
		--poller-cpu same -l 30 $EDU
	hazard stock-like --strategy thread --contender none --wait poll --poller-cpu same -l 30 $EDU
	ok "edu is bound to vfio-pci" bind $EDU vfio-pci
	hazard stock --strategy stock --contender none,poll,reader --wait read --poller-cpu same \
		-l 30 $EDU
	ok "edu is bound to $ours" bind $EDU $ours
	interrupt_it
	settings >/tmp/after
	ok "affinities, priorities and tracing are what they were" cmp /tmp/before /tmp/after
	refused 'strategy nothread: under contention it crashes a PREEMPT_RT kernel' \
		--strategy nothread $EDU
	refused 'strategy stock needs driver vfio-pci' --strategy stock $EDU
	refused 'has priority 1, which leaves none for a poller below it; use --irq-prio' \
		--strategy irqwork $EDU
	refused 'contender-prio 49: must be below the poller.s lowest priority, 49' \
		--contender-prio 49 $EDU
	refused 'contender vector: the device has no vector after vector 0' --contender vector $EDU
	refused 'wait direct: strategy split does not' --wait direct $EDU
	ls /tmp/refused >/tmp/left 2>/dev/null
	is "$(cat /tmp/left)" "" "no refusal left a directory behind"
}

# An ordinary signal of another vector is no loss and no latency.
vectors()
{
	hazard vectors --backend inject --contender none,vector --wait read --poller-cpu same \
		-l 30 $igb
}

case $1 in
exact)
	ok "edu is bound to $ours" bind $EDU $ours
	exact
	;;
live)
	ok "edu is bound to $ours" bind $EDU $ours
	live
	;;
vectors)
	ok "igb is bound to $ours" bind $igb $ours
	vectors
	;;
esac
finish
