#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# An ordinary user without real-time rights: what works without them works, the rest says so.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/fakepci.sh
. "$top/tests/lib/fakepci.sh"
need_program
id -u nobody >/dev/null 2>&1 || skip_all "there is no user nobody"
[ "$(id -u)" = 0 ] || skip_all "only root can become another user; run as root"
chmod 755 "$T"
# The program may lie where nobody may not go.
cp "$MSILAT" "$T/msilat"
chmod 755 "$T/msilat"
MSILAT=$T/msilat
mkdir -m 777 "$T/results"
memlock=65536

# as_nobody COMMAND...: without priority, with a small limit of locked memory.
as_nobody()
{
	prlimit --rtprio=0:0 --memlock="$memlock" setpriv --reuid=nobody --regid=nogroup \
		--clear-groups --inh-caps=-all --bounding-set=-all env HOME=/ "$@"
}

# refused_nobody NAME PATTERN ARG...
refused_nobody()
{
	local name=$1 want=$2

	shift 2
	try as_nobody "$MSILAT" "$@"
	ok_if "$name" is_refusal "$want"
}

as_nobody true 2>/dev/null || skip_all "setpriv is refused here"
refused_nobody "a priority that is not permitted" \
	"^priority 40 for the msilat-poller thread is not permitted \(RLIMIT_RTPRIO is 0\); run as root, raise rtprio in limits.conf, or use -p 0$" \
	run sim --results "$T/results"
refused_nobody "of the trigger" "^priority 10 for the msilat-trigger thread is not permitted" \
	run sim -p 0 --trigger-prio 10 --results "$T/results"
refused_nobody "hazard on a device" "^0000:00:00.0: hazard sets priorities .*: run it as root$" \
	hazard 0000:00:00.0 --results "$T/results"
is "$(ls "$T/results")" "" "nothing is left of them"

try as_nobody "$MSILAT" run sim -q -p 0 -l 20 -i 10 --results "$T/results" --label small
is "$status" 0 "a run with -p 0"
like "$out" "WARN memory: memory is not locked \(RLIMIT_MEMLOCK\)" "a limit on locked memory is a warning"
is "$(jq -c '.verdicts[] | select(.name == "memory") | .ok' "$T/results/small/manifest.json")" false \
	"and a verdict"
is "$(jq .valid "$T/results/small/manifest.json")" true "the run is valid"
if prlimit --memlock=unlimited true 2>/dev/null; then
	memlock=unlimited
	try as_nobody "$MSILAT" run sim -q -p 0 -l 20 -i 10 --results "$T/results" --label large
	is "$status" 0 "without the limit"
	is "$(jq -c '[.verdicts[] | select(.name == "memory")]' "$T/results/large/manifest.json")" \
		"[]" "memory is locked and nothing is said"
	memlock=65536
else
	skip "without a limit on locked memory" "it cannot be raised here (CAP_SYS_RESOURCE)" 2
fi

mkdir -m 755 "$T/mine"
refused_nobody "results that cannot be written" \
	"^$T/mine/2[0-9-]*-split-[0-9]+: Permission denied \(--results\)$" \
	run sim -p 0 --results "$T/mine"
refused_nobody "results that cannot be made" \
	"^$T/mine/deep/er: cannot make the results directory: Permission denied \(--results\)$" \
	run sim -p 0 --results "$T/mine/deep/er"

export MSILAT_SYSROOT=$T/root
fake_function 0000:03:00.0 vendor=1234 device=11e8 class=00ff00 group=7 msi=1 driver=vfio-pci
fake_function 0000:04:00.0 vendor=1234 device=11e8 class=00ff00 group=8 msi=1
mkdir -p "$MSILAT_SYSROOT/sys/bus/pci/drivers/msilat-vfio-pci" "$MSILAT_SYSROOT/dev/vfio" \
	"$MSILAT_SYSROOT/run/lock"
: >"$MSILAT_SYSROOT/dev/vfio/vfio"
chmod 600 "$MSILAT_SYSROOT/dev/vfio/vfio"
refused_nobody "no permission on VFIO" "/dev/vfio/vfio: no permission; run as root" \
	run 0000:03:00.0 --results "$T/results"
refused_nobody "bind needs root" "run as root|needs root" bind 0000:04:00.0
refused_nobody "so does unbind" "run as root|needs root|nothing to undo" unbind 0000:04:00.0
try as_nobody "$MSILAT" list
is "$status,$err" "0," "list needs none"
is "$(find "$T" -name '*.partial')" "" "no refusal left a directory behind"
done_testing
