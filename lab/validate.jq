# SPDX-License-Identifier: GPL-2.0-only
# What lab/validate makes of its boots. A boot is an object of raw texts: name, kind, expect and
# what the guest left: verdict (the verdict channel, as lab/guest keeps it), payload, edu, igb and after
# (facts), console. `result` turns an array of them into the result document, `table` that
# into what people read.

def whole: if test("^[0-9]+$") then tonumber else . end;

# "NAME VALUE" lines; of a name that comes again the last counts, notes are all kept.
def facts:
	reduce (split("\n")[] | rtrimstr("\r") | select(contains(" "))) as $line ({};
		($line | index(" ")) as $at | $line[:$at] as $name | $line[$at + 1:] as $value
		| if $name == "note" then .notes += [$value]
		elif $name == "lock_states" then .lock_states = ($value | split(" ") | map(tonumber))
		else .[$name] = ($value | whole) end);

def state_names: ["free", "handoff", "self", "running", "not_running", "own_thread", "other_thread"];

def sum_states: [.edu.lock_states, .igb.lock_states] | map(select(.)) | transpose
	| map(map(. // 0) | add) | [state_names, .] | transpose | map({(.[0]): (.[1] // 0)}) | add // {};

# The channel's lines: what the kernel complained about, in its order, and how it ended.
def channel:
	split("\n") | map(rtrimstr("\r")) | {
		events: map(select(startswith("event ")) | ltrimstr("event ")
			| {class: .[:index(" ")], line: .[index(" ") + 1:]}),
		debug_locks: (map(select(startswith("debug_locks "))) | last // "" | ltrimstr("debug_locks ")
			| if . == "" then null else tonumber end),
		lost: (map(select(startswith("lost ")) | ltrimstr("lost ")) | first)
	};

# The kernel's report, from its first line on, out of the console.
def report($first):
	split("\n") | map(rtrimstr("\r"))
	| (map(contains($first)) | index(true)) as $at
	| if $at == null then [] else .[$at:$at + 40] end;

# What lock, taken where: lockdep names both in one line.
def culprit: map(capture("\\((?<lock>[^()]+)\\)\\{[^}]*\\}-\\{[^}]*\\}, at: (?<at>[A-Za-z0-9_.]+)")) | first // null;

# A stall alone may be the host's fault, which gave the guest no time.
def violations: .events | map(select(.class != "stall"));
def stalls: .events | map(select(.class == "stall"));

# Bits that are set in a mask.
def ones: . as $mask | [range(32) | pow(2; .) | select(($mask / . | floor) % 2 == 1)] | length;

def boot:
	. as $raw
	| (.verdict | channel) as $channel
	| {edu: (.edu | facts), igb: (.igb | facts), after: (.after | facts), payload: (.payload | facts)}
	| . as $f
	| {
		name: $raw.name, kind: $raw.kind, expect: $raw.expect,
		driver: .payload.driver, wake: .edu.wake, known: (.edu.known // 0 | ones),
		interrupts: {
			msi: (.edu.interrupts // 0), msix: (.igb.interrupts // 0),
			total: ([.edu.interrupts, .igb.interrupts, .after.interrupts] | map(. // 0) | add)
		},
		switches: ([.edu.switches, .igb.switches] | map(. // 0) | add),
		rearms: ([.edu.rearms, .igb.rearms] | map(. // 0) | add),
		injected: ([.edu.injected, .igb.injected] | map(. // 0) | add),
		marks: ([.edu.marks, .igb.marks] | map(. // 0) | add),
		lives: ([.edu.lives, .igb.lives] | map(. // 0) | add),
		unaccounted: ([.edu.unaccounted, .igb.unaccounted, .after.unaccounted] | map(. // 0) | add),
		notes: ([.edu.notes, .igb.notes, .after.notes] | map(. // []) | add),
		lock_states: sum_states,
		finished: (.payload.finished == 1), trouble: .payload.trouble
	}
	+ $channel
	| .report = ((violations[0] // stalls[0]).line as $line | if $line then ($raw.console | report($line)) else [] end)
	| .culprit = (.report | culprit);

def grouped: tostring | if length > 3 then (.[:-3] | grouped) + " " + .[-3:] else . end;

# Classes of the lock that the load must have met for a silence to mean something.
def unmet: . as $states | [["running", "running"], ["not_running", "not running"], ["handoff", "in hand-off"]]
	| map(select(($states[.[0]] // 0) == 0) | .[1]);

# What a control must bring about.
def caught: .events | any(.class == "lockdep" or .class == "bug");

# Why a silence is none. $uncaught: names of missed controls; $load: the control strategy's boot.
def reasons($uncaught; $load; $required; $short; $strategies):
	[
		(if ($uncaught | length) > 0 then "deliberate violation not reported: " + ($uncaught | join(", ")) else empty end),
		(if .trouble then .trouble else empty end),
		(if (stalls | length) > 0 then "the kernel stalled, or the host did: " + stalls[0].line else empty end),
		(if .lost then "the guest \(.lost)" else empty end),
		(if (.lost | not) and (.trouble | not) and (.finished | not) then "the course did not end" else empty end),
		(if (.lost | not) and .debug_locks != 1 then "lockdep was not at work at the end" else empty end),
		(if .unaccounted > 0 then "\(.unaccounted) events not accounted for" + (.notes[0] // "" | if . == "" then . else " (" + . + ")" end) else empty end),
		(if $load == null then "no boot of split to show what the load met"
		else ($load.lock_states | unmet) as $unmet | if ($unmet | length) > 0
			then "the load did not meet the lock " + ($unmet | join(" or ")) + " on split" else empty end end),
		(if .kind == "strategy" and .finished and .known != $strategies then "the driver has \(.known) strategies, \($strategies) were found in its sources" else empty end),
		(if .interrupts.total < $required and ($short | not) then "\(.interrupts.total | grouped) interrupts, \($required | grouped) are needed" else empty end)
	];

def verdict($uncaught; $load; $required; $short; $strategies):
	(reasons($uncaught; $load; $required; $short; $strategies)) as $reasons
	| (.interrupts.total | grouped) as $n
	| if (violations | length) > 0 then {verdict: "violates", line: "VIOLATES: \(violations[0].line)"}
	elif .expect == "report" then {verdict: "inconclusive",
		line: ("INCONCLUSIVE: must be reported and was not" + (if .trouble then ": " + .trouble elif .lost then ": the guest \(.lost)" else "" end))}
	elif ($reasons | length) > 0 then {verdict: "inconclusive", line: ("INCONCLUSIVE: " + ($reasons | join("; ")))}
	elif .interrupts.total < $required then {verdict: "short", line: "short: no report in \($n) interrupts"}
	else {verdict: "clean", line: "clean: no report in \($n) interrupts"} end;

# An unsafe strategy is as it should be when it is reported, everything else when it is not.
def good: if .expect == "report" then caught else .verdict == "clean" or .verdict == "short" end;

def result($kernel; $required; $short; $strategies):
	map(boot) as $boots
	| ($boots | map(select(.expect == "report" and (caught | not)) | .name)) as $uncaught
	| ($boots | map(select(.name == "split" and .kind == "strategy")) | first) as $load
	| {
		schema: 1, kernel: $kernel, form: (if $short then "short" else "full" end), required: $required,
		load: (if $load then {strategy: "split", lock_states: $load.lock_states} else null end),
		judged: ($boots | map(. + verdict($uncaught; $load; $required; $short; $strategies) | . + {good: good}))
	}
	| .good = (.judged | length > 0 and all(.good));

def pad($n): . + (" " * ([$n - length, 0] | max) // "");
def left_pad($n): (" " * ([$n - length, 0] | max) // "") + .;
def count: if . == 0 then "-" else grouped end;

# Lines of at most $width, broken between words.
def wrapped($width): split(" ") | reduce .[] as $word ([]; if length > 0 and (.[-1] + $word | length) < $width
	then .[-1] += " " + $word else . + [$word] end);

def verdict_column: 39;

def row: (.line + (if .expect == "report" and .good then " (as it must)" else "" end)
		| wrapped(100 - verdict_column)) as $lines
	| (if .name | length > 18 then "  \(.name)" else empty end),
	"  \(.name | if length > 18 then "" else . end | pad(18)) \(.interrupts.msi | count | left_pad(8)) \(.interrupts.msix | count | left_pad(8))  \($lines[0])",
	($lines[1:][] | (" " * verdict_column) + .),
	(if (.events | length) > 0 and .culprit then (" " * verdict_column) + "\(.culprit.lock) in \(.culprit.at)()" else empty end);

def table:
	"RT safety, judged by \(.kernel): lockdep, checks for sleeping, KASAN; a boot for each line",
	"  \("" | pad(18)) \("MSI" | left_pad(8)) \("MSI-X" | left_pad(8))",
	(.judged[] | row),
	(if .load then .load.lock_states as $met
		| [["free", "free"], ["self", "held by the interrupted"], ["running", "running"],
			["not_running", "not running"], ["handoff", "in hand-off"]]
		| map("\(.[1]) \($met[.[0]] // 0 | grouped)") | "Load: on split the lock was met " + join(", ") + " times."
		| wrapped(100)[]
	else empty end),
	"No report is what these checkers saw over these paths; it proves nothing.";
