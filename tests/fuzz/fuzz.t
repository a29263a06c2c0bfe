#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 3600
#
# Everything that parses is fed broken input for a while: FUZZ_SECONDS for each, 10 if not set.
# FUZZ_SEED repeats a run.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/build-dir.sh
. "$top/tests/lib/build-dir.sh"

dir=$(build_dir fuzz)
try make -s -j2 -C "$top/tests/fuzz" O="$dir"
is "$status" 0 "the fuzzers build"
[ "$status" = 0 ] || diag "$out$err"
for source in "$top"/tests/fuzz/*_fuzz.c; do
	name=$(basename "$source" .c)
	try "$dir/$name"
	is "$status" 0 "${name%_fuzz}: nothing breaks it"
	diag "$out"
	[ "$status" = 0 ] || diag "$err"
done
done_testing
