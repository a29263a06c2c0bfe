# SPDX-License-Identifier: GPL-2.0-only
#
# One object out of the KEY<TAB>VALUE lines of all runs (jq -R -s); a run begins with its "kernel".

def value: if test("^[0-9]+$") then tonumber else . end;

split("\n") | map(select(length > 0) | split("\t") | { key: .[0], value: (.[1:] | join("\t")) }) |
	reduce .[] as $fact ([];
		if $fact.key == "kernel" then . + [{ kernel: $fact.value }]
		else .[-1][$fact.key] = ($fact.value | value) end) |
	{ schema: 1, strategy: "nothread", runs: . }
