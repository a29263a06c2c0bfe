#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The register map: what is committed in fpga/gen is what fpga/regs.txt says, a compiler takes it, and
# a map that cannot be right is refused by the line.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

fpga=$top/fpga

# generate TO FILE [AWK...]
generate()
{
	local file=$2 to=$1

	shift 2
	try "${@:-awk}" -v to="$to" -f "$fpga/gen.awk" "$file"
}

for pair in c:fpga_regs.h verilog:msilat_regs.vh markdown:REGISTERS.md; do
	generate "${pair%:*}" "$fpga/regs.txt"
	printf '%s\n' "$out" >"$T/made"
	ok_if "fpga/gen/${pair#*:} is what make -C fpga gen makes" \
		cmp "$T/made" "$fpga/gen/${pair#*:}"
	for other in mawk gawk original-awk; do
		command -v "$other" >/dev/null || continue
		generate "${pair%:*}" "$fpga/regs.txt" "$other"
		printf '%s\n' "$out" >"$T/other"
		ok_if "$other makes the same" cmp "$T/made" "$T/other"
	done
done

# A sum over the header as the compiler sees it, against one that the shell takes from the map.
cat >"$T/sum.c" <<'END'
#include <stdio.h>
#include "fpga_regs.h"
int main(void)
{
	printf("%x %x %x %x %x\n", FPGA_CAPS_IRQ, FPGA_CAPS_IRQ_SHIFT, FPGA_VEC(15) + FPGA_VEC_MARK3,
	       FPGA_STATUS_MARK_STALE, FPGA_LFSR_TAPS);
	return 0;
}
END
ok_if "the header compiles without a warning" \
	"${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I "$fpga/gen" -o "$T/sum" "$T/sum.c"
try "$T/sum"
is "$out" "30000 10 4fc 80 80200003" "fields, shifts, blocks and numbers are right"

# refused LINE... WANT: after a good line.
refused()
{
	local want=${!#}

	set -- "${@:1:$#-1}"
	printf 'reg 0x000 ONE RW 0 The first.\n' >"$T/map"
	printf '%s\n' "$@" >>"$T/map"
	generate c "$T/map"
	is "$status" 1 "refused: $want"
	like "$err" "map:$(($# + 1)): .*$want" "by line and reason"
}

refused 'reg 0x000 TWO RW 0 The second.' 'taken by ONE'
refused 'reg 0x002 TWO RW 0 The second.' 'no multiple of 4'
refused 'reg 0x00g TWO RW 0 The second.' 'no number'
refused 'reg 0x004 two RW 0 The second.' 'no name'
refused 'reg 0x004 TWO RX 0 The second.' 'no access'
refused 'reg 0x004 TWO RW zero The second.' 'no number'
refused 'reg 0x004 TWO RW 0' 'text is missing'
refused 'field 32:0 WIDE Too wide.' 'are no bits'
refused 'field 0:3 TURNED The wrong way round.' 'are no bits'
refused 'field 3:0 LOW Low bits.' 'field 3 AGAIN One of them.' 'bit 3 is taken'
refused 'block B 0x100 0x10 4 A block.' 'reg 0x10 FAR RO 0 In the next one.' 'not within the block'
refused 'register 0x004 TWO RW 0 The second.' 'neither const'
printf ' goes on\n' >"$T/map"
generate c "$T/map"
is "$status" 1 "a text that goes on after nothing"
like "$err" "map:1: nothing goes on" "is named"
generate html "$fpga/regs.txt"
is "$status" 2 "a language that is none"

# A map that is refused leaves what was made before.
mkdir "$T/fpga"
cp "$fpga/Makefile" "$fpga/gen.awk" "$fpga/regs.txt" "$T/fpga"
try make -s -C "$T/fpga" gen
is "$status" 0 "make gen"
cp -r "$T/fpga/gen" "$T/before"
printf 'reg 0x001 BAD RO 0 Not aligned.\n' >>"$T/fpga/regs.txt"
try make -s -C "$T/fpga" gen
is "$status" 2 "make gen with a map that is refused"
ok_if "leaves everything as it was" diff -r "$T/fpga/gen" "$T/before"

done_testing
