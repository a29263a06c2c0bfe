#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # ok and refuses run functions by name
#
# cli.sh: what msilat says and does where it takes a real device to find out.
# shellcheck source=guest.sh
. /payload/guest.sh

shared=0000:00:07.0 neighbour=0000:00:07.1

# refuses TEXT PATTERN COMMAND...: exit 1 and one line on stderr that names the thing and the remedy.
refuses()
{
	_text=$1 _pattern=$2
	shift 2
	_code=0
	"$@" >/tmp/out 2>/tmp/err || _code=$?
	is "$_code" 1 "$_text: exit 1"
	is "$(wc -l </tmp/err)" 1 "$_text: one line"
	like "$(cat /tmp/err)" "^msilat: .*$_pattern" "$_text: it says what and what to do"
}

run()
{
	msilat run -q --results /tmp/results -l 20 -i 100 "$@"
}

before_binding()
{
	refuses "no such function" '0000:3f:1f\.7.*msilat list' run 0000:3f:1f.7
	refuses "not bound" 'bound to none; use: msilat bind' run --strategy split $EDU
	refuses "a function without MSI" 'neither MSI nor MSI-X' run 0000:00:1f.3
	refuses "binding a function without MSI" 'neither MSI nor MSI-X' msilat bind 0000:00:1f.3
	refuses "binding a bridge" 'bridge' msilat bind 0000:00:00.0
	refuses "nothing to unbind" 'nothing to undo' msilat unbind $EDU
	ok "the module unloads" rmmod msilat_vfio_pci
	refuses "the module is not loaded" 'not loaded; use: modprobe msilat-vfio-pci' \
		msilat bind $EDU
	ok "the module loads" modprobe $ours
}

# The override and driver a function had come back, whatever happened in between.
bind_and_unbind()
{
	ok "edu is bound to vfio-pci" bind $EDU vfio-pci
	ok "msilat bind takes it over" msilat bind -q $EDU
	is "$(driver_of $EDU)" $ours "it is bound to our driver"
	ok "msilat bind once more changes nothing" msilat bind -q $EDU
	msilat run -q --results /tmp/results --label killed -D 30 $EDU >/dev/null 2>&1 &
	_run=$!
	await test -s /tmp/results/killed.partial/manifest.json
	kill -9 $_run
	wait $_run 2>/dev/null
	ok "a run that is killed leaves its checkpoint" test -s /tmp/results/killed.partial/manifest.json
	is "$(grep -c vfio-msi /proc/interrupts)" 0 "and no interrupt"
	ok "a fresh run works" run --label fresh $EDU
	ok "msilat unbind" msilat unbind -q $EDU
	is "$(driver_of $EDU)" vfio-pci "the driver it had is back"
	is "$(cat $devices/$EDU/driver_override)" vfio-pci "and so is the override"
	refuses "unbinding twice" 'nothing to undo' msilat unbind $EDU
}

wrong_driver()
{
	refuses "strategy split on vfio-pci" 'needs driver msilat-vfio-pci.*msilat bind' \
		run --strategy split $EDU
	refuses "strategy direct on vfio-pci" 'needs driver msilat-vfio-pci.*msilat bind' \
		run --strategy direct $EDU
	refuses "waiting for the wait ioctl on vfio-pci" 'stock does not wake it; use --wait read' \
		run -w direct $EDU
	refuses "injecting on vfio-pci" 'through our driver; .*msilat bind' \
		run --backend inject --strategy stock $EDU
	refuses "injecting on vfio-pci by default" 'needs driver msilat-vfio-pci.*msilat bind' \
		run --backend inject $EDU
	ok "stock on vfio-pci" run --strategy stock --label stock $EDU
	ok "edu is bound to $ours" bind $EDU $ours
	refuses "strategy stock on ours" 'needs driver vfio-pci.*msilat bind' \
		run --strategy stock $EDU
	refuses "nothread" 'nothread.*allow_unsafe=1' run --strategy nothread $EDU
	refuses "vector out of range" 'vector 1: .* has 1' run --vector 1 $EDU
}

never_ending()
{
	refuses "spin above its IRQ thread" 'would never run; use -p 49' \
		run -w spin -S self -a 1 --irq-cpu 1 -p 80 $EDU
	refuses "spin at its IRQ thread's priority" 'would never run' \
		run -w spin -S self -a 1 --irq-cpu 1 -p 50 $EDU
	refuses "spin above the trigger" 'would never run.*trigger-cpu' \
		run -w spin -a 1 --trigger-cpu 1 $EDU
	ok "spin below its IRQ thread ends" run -w spin -S self -a 1 --irq-cpu 1 -p 40 $EDU
	refuses "spin above its kthread" 'the kthread \(priority 50\) .*would never run; use -p 49' \
		run --strategy kthread -w spin -S self -a 1 --irq-cpu 1 -p 50 $EDU
	refuses "spin above the irq_work thread" 'irq_work thread \(priority 1\).*would never run; use -p 0' \
		run --strategy irqwork -w spin -S self -a 1 --irq-cpu 1 -p 2 $EDU
	refuses "page above the trigger" 'would never run.*--scenario self or another --trigger-cpu' \
		run --strategy page -a 1 --trigger-cpu 1 $EDU
	ok "page that fires itself ends, whatever its priority" \
		run --strategy page -S self -a 1 --irq-cpu 1 -p 90 $EDU
	ok "page on another CPU than the trigger ends" \
		run --strategy page -a 1 --irq-cpu 0 --trigger-cpu 0 -p 80 $EDU
	ok "spin under a raised irq_work thread ends" \
		run --strategy irqwork -w spin -S self -a 1 --irq-cpu 1 -p 2 --irq-prio 3 $EDU
	ok "spin on another CPU ends" run -w spin -a 1 --irq-cpu 0 --trigger-cpu 0 -p 80 $EDU
}

busy()
{
	$here/holder $EDU >/tmp/holder &
	_holder=$!
	while ! grep -q holding /tmp/holder; do usleep 50000; done
	refuses "a busy device" "in use by another process" run --strategy split $EDU
	kill $_holder
	wait $_holder 2>/dev/null
	ok "free again" run $EDU
}

# The kernel's own unbind would hang until the holder lets go.
busy_binding()
{
	ok "bound elsewhere" msilat bind -q --driver vfio-pci $EDU
	$here/holder $EDU >/tmp/holder &
	_holder=$!
	while ! grep -q holding /tmp/holder; do usleep 50000; done
	refuses "unbinding a busy device" "in use by another process" msilat unbind $EDU
	refuses "binding a busy device" "in use by another process" msilat bind $EDU
	is "$(driver_of $EDU)" vfio-pci "it is bound as before"
	kill $_holder
	wait $_holder 2>/dev/null
	ok "unbound once it is free" msilat unbind -q $EDU
	is "$(driver_of $EDU)" $ours "and back where it was"
}

not_root()
{
	refuses "no permission on the group" 'no permission on /dev/vfio/.*root' \
		start-stop-daemon -S -c 65534:65534 -x /lab/bin/msilat -- \
		run -q --results /tmp/mine --strategy split $EDU
}

# The group of an edu whose neighbour is in use by a driver of its own.
not_viable()
{
	is "$(readlink $devices/$shared/iommu_group)" "$(readlink $devices/$neighbour/iommu_group)" \
		"two functions share a group"
	is "$(driver_of $neighbour)" virtio-pci "the neighbour is in use"
	ok "an edu there is bound" bind $shared $ours
	refuses "a group that is not viable" "not viable.*$neighbour" run $shared
	echo $neighbour >$drivers/virtio-pci/unbind
	ok "without the neighbour's driver it works" run $shared
}

offline_cpu()
{
	if [ ! -e /sys/devices/system/cpu/cpu1/online ]; then
		echo "ok - CPU 1 offline # SKIP this kernel has no CPU hotplug"
		return 0
	fi
	echo 0 >/sys/devices/system/cpu/cpu1/online
	refuses "a CPU that is offline" '--affinity 1.*not online \(online: 0\)' run -a 1 $EDU
	echo 1 >/sys/devices/system/cpu/cpu1/online
}

# stat_of COMM FIELD: in /tmp/stat, of the thread whose name begins so; field 39 is its CPU, 40 its
# real-time priority, 41 its policy.
stat_of()
{
	grep -F "($1" /tmp/stat | head -n 1 | sed 's/.*) //' | cut -d ' ' -f $(($2 - 2))
}

# Options that set something are looked at from outside while the run goes on.
settings()
{
	measure settings -p 41 -a 1 --irq-cpu 0 --irq-prio 70 --trigger-prio 7 -D 60 $EDU &
	_run=$!
	await firing
	sleep 1
	cat /proc/[0-9]*/task/[0-9]*/stat >/tmp/stat 2>/dev/null
	_irq=$(sed -n 's/^ *\([0-9]*\):.*vfio-msi\[0\].*/\1/p' /proc/interrupts)
	is "$(stat_of "irq/$_irq-" 40)" 70 "--irq-prio: the IRQ thread has it"
	is "$(stat_of msilat-poller 40)" 41 "-p: the poller has it"
	is "$(stat_of msilat-poller 41)" 1 "-p: under SCHED_FIFO"
	is "$(stat_of msilat-poller 39)" 1 "-a: the poller is there"
	is "$(stat_of msilat-trigger 40)" 7 "--trigger-prio: the trigger has it"
	is "$(cat "/proc/irq/$_irq/effective_affinity_list")" 0 "--irq-cpu: the interrupt is there"
	kill -INT "$(pidof msilat)"
	wait $_run
}

# A kthread does not follow its interrupt by itself.
placed()
{
	measure placed --strategy kthread -a 1 --irq-cpu 0 --irq-prio 60 -D 60 $EDU &
	_run=$!
	await firing
	sleep 1
	cat /proc/[0-9]*/task/[0-9]*/stat >/tmp/stat 2>/dev/null
	_irq=$(sed -n 's/^ *\([0-9]*\):.*vfio-msi\[0\].*/\1/p' /proc/interrupts)
	is "$(stat_of "msilat/$_irq-0" 39)" 0 "--irq-cpu: the kthread is there as well"
	is "$(stat_of "msilat/$_irq-0" 40)" 60 "--irq-prio: the kthread has it"
	kill -INT "$(pidof msilat)"
	wait $_run
}

# A sleeping wait ioctl, and a loop on the page, end as soon as they are told.
ended()
{
	for strategy in thread-direct direct page; do
		# A loop under SCHED_FIFO would keep RCU's threads off its CPU, and be reported.
		priority=40
		[ $strategy != page ] || priority=0
		measure ended-$strategy --strategy $strategy -p $priority -a 1 --trigger-cpu 0 \
			-i 1000000 -D 60 $EDU &
		_run=$!
		await firing
		sleep 1
		kill -INT "$(pidof msilat)"
		ok "$strategy: SIGINT ends a run that waits" gone_soon
		wait $_run
	done
}

gone_soon()
{
	await not pidof msilat
}

interrupted()
{
	measure interrupted -D 60 $EDU &
	await firing
	sleep 1
	kill -INT "$(pidof msilat)"
	wait
}

before_binding
bind_and_unbind
wrong_driver
never_ending
busy
busy_binding
not_root
not_viable
offline_cpu
settings
placed
interrupted
ended
finish
