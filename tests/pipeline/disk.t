#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 180
#
# A disk that fills up: an error that names it, and the last checkpoint is whole.

# Functions are called through ok_if and try; programs of jq and awk are in quotes.
# shellcheck disable=SC2016,SC2317
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/pipeline.sh
. "$top/tests/lib/pipeline.sh"
need_program

if [ "${1:-}" != inside ]; then
	unshare --mount true 2>/dev/null ||
		skip_all "a small file system needs a mount name-space; run as root"
	rm -rf -- "$T"
	exec unshare --mount --propagation private "$0" inside
fi

# small SIZE: an empty file system of that size.
small()
{
	disk=$T/disk
	mkdir -p "$disk"
	umount "$disk" 2>/dev/null
	mount -t tmpfs -o "size=$1" small "$disk"
}

at_exit()
{
	umount "$T/disk" 2>/dev/null
}

small 4k || skip_all "mounting a tmpfs is refused here; run as root"
results=$disk
try msilat run sim -q -p 0 -l 100 -i 10 --results "$results" --label tiny
is "$status" 1 "no room for the first checkpoint"
like "$err" "^msilat: .*(tiny|$disk).*No space left on device" "it names the file and the cause"
is "$(line_count "$err")" 1 "in one line"

small 48k
try msilat run sim -q -p 0 -l 3000 -i 10 --samples --results "$results" --label samples
ok_if "samples fill the disk" test "$status" != 0
like "$err$out" "samples.bin|histogram.tsv|outliers.tsv|manifest.json" "the file is named"
like "$err$out" "No space left on device" "and the cause"
left=$(find "$disk" -name manifest.json)
ok_if "a manifest is left, and it is whole" jq -e '.schema == 1' "$left"
ok_if "so is the histogram beside it" good_histogram "$(dirname "$left")"
is "$(find "$disk" -maxdepth 1 -name samples | wc -l)" 0 "it does not pass for a finished result"

# Another file takes the room while the run goes on.
small 64k
"$MSILAT" run sim -q -p 0 -D 1h -i 200 --checkpoint 1 --results "$results" --label filled \
	>"$T/out" 2>"$T/err" &
pid=$!
ok_if "the first checkpoint" wait_until 20 test -e "$disk/filled.partial/manifest.json"
dd if=/dev/zero of="$disk/hog" bs=1k 2>/dev/null
status=0
wait "$pid" || status=$?
is "$status" 1 "a checkpoint that does not fit ends the run"
like "$(cat "$T/err")" "^msilat: .*filled.partial/.*: No space left on device; what was written before is kept$" \
	"it says which file, why, and what is kept"
ok_if "the checkpoint before it is whole" jq -e '.schema == 1' "$disk/filled.partial/manifest.json"
ok_if "so is its histogram" good_histogram "$disk/filled.partial"
done_testing
