#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# The rules that a program can check: licence lines, shellcheck, line, file and function lengths,
# nothing of a build machine in the tree.

set -u
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
# So that the last part of a pipe counts in this shell.
shopt -s lastpipe
n=0 bad=0

# verdict NAME: a case that passes if standard input is empty.
verdict()
{
	local lines

	lines=$(cat)
	n=$((n + 1))
	if [ -z "$lines" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$lines" | head -n 40 | sed 's/^/# /'
		bad=1
	fi
}

# What belongs to the project, as git sees it; outside a checkout every file there is.
files()
{
	git -c safe.directory='*' ls-files -co --exclude-standard 2>/dev/null ||
		find . -path ./build -prune -o -type f -print | sed 's|^\./||'
}

matching()
{
	files | grep -E "$1" | while read -r f; do [ ! -f "$f" ] || echo "$f"; done
}

code='\.([chvy]|sh|t|gp|awk|jq|guest|hook|mk)$|(^|/)(Makefile|Kbuild)$'

scripts()
{
	files | grep -vE '\.(png|svg|tsv|json|md|c|h)$' | while read -r f; do
		[ ! -f "$f" ] || ! head -n 1 "$f" | grep -qE '^#!.*\b(ba)?sh$' || echo "$f"
	done
}

# Functions of C files in kernel style: from a line that is { to a line that is }.
long_functions()
{
	xargs -r awk 'FNR == 1 { start = 0 }
		/^\{/ { start = FNR }
		/^\}/ { if (start && FNR - start - 1 > 60)
				printf "%s:%d: %d lines\n", FILENAME, start, FNR - start - 1
			start = 0 }'
}

{ matching "$code" && scripts; } | sort -u | while read -r f; do
	head -n 4 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0-only' || echo "$f"
done | verdict "every source file names its licence"

scripts | xargs -r shellcheck -x | verdict "shellcheck is silent"

# A string is not broken for the sake of the line: it could not be searched for.
matching '\.[ch]$' | while read -r f; do
	expand -t 8 "$f" | awk -v f="$f" 'length > 100 && !/"/ { print f ":" FNR ": " length " columns" }'
done | verdict "no line of C beyond 100 columns"

matching '\.[ch]$' | xargs -r grep -nE '[[:space:]]+$' | verdict "no white space at the end of a line of C"

matching '\.[ch]$' | xargs -r grep -nE '^ {8,}[^ *]' | verdict "C is indented by tabs"

matching '\.([ch]|v|sh|t)$|^lab/[a-z.-]*$|^analysis/plot$' | xargs -r wc -l |
	awk '$2 != "total" && $1 > 520 { print $2 ": " $1 " lines" }' |
	verdict "no file beyond about 500 lines"

matching '\.c$' | long_functions | verdict "no function beyond 60 lines"

matching '\.c$' | grep -E '^user/' | grep -vE '^user/(cmd.*|msilat|live|summary)\.c$' |
	xargs -r grep -nE '\b(printf|puts|perror|exit|err|errx) ?\(' |
	verdict "only subcommands speak, only main() exits"

matching "$code|\.md$" | grep -v '^tests/style/' |
	xargs -r grep -nIE '(/wor[k]/|/roo[t]/|/tmp/[a-z]+-r[0-9])|https?://[^ "]*(prox[y]|mirro[r]|registr[y])' |
	verdict "no path of a build machine, no mirror host"

matching "$code" | grep -vE '^tests/(style|selftest)/' |
	xargs -r grep -nIE '\b(TODO|FIXME|XXX)\b' | verdict "nothing is left to do"

# One place knows about kernel versions.
matching '^kmod/.*\.[ch]$' | grep -v '^kmod/compat.h$' | xargs -r grep -n 'LINUX_VERSION_CODE' |
	verdict "kernel versions are asked for in kmod/compat.h alone"

echo "1..$n"
exit "$bad"
