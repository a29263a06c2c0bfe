# SPDX-License-Identifier: GPL-2.0-only
#
# manifest.json -> "key TAB value" lines, all that a picture says about its result.
#
# A value the manifest does not have is "-". Control characters become spaces, so a line is a
# line whatever a label holds. A manifest that cannot be used gives one line "error TAB why".
#   jq -r -s -f manifest.jq manifest.json

def clean: gsub("[[:cntrl:]]+"; " ");
def text: if . == null then "-" elif type == "string" then clean else tojson end
	| if . == "" then "-" else . end;
def number: if type == "number" then tostring else "-" end;
def percentile($p): [.percentiles[]? | objects | select(.p == $p) | .value] | first | number;

def modes: ["exact", "live", "hardware", "sim"];
def states: ["complete", "interrupted", "running", "failed"];

def one_problem:
	if type != "object" then "it holds no object"
	elif has("schema") | not then "it has no schema version"
	elif .schema != 1 then
		"schema version \(.schema | tojson), but this plot reads version 1; use the plot of the msilat that wrote it"
	elif .mode as $m | modes | index([$m]) | not then "unknown mode \(.mode | tojson)"
	elif .state as $s | states | index([$s]) | not then "unknown state \(.state | tojson)"
	elif (.strategy | type) != "string" then "it names no strategy"
	elif (.stages | type) != "array" then "it has no list of stages"
	elif [.stages[] | type == "object" and (.name | type) == "string"] | all | not then
		"its list of stages has an entry without a name"
	else null end;

def problem:
	if length == 0 then "empty file"
	elif length > 1 then "it holds more than one JSON value"
	else .[0] | one_problem end;

def line($key): "\($key)\t\(.)";

problem as $problem
| if $problem then "error\t\($problem | clean)" else .[0] |
	(.mode | line("mode")),
	(.state | line("state")),
	(.label | text | line("label")),
	(.strategy | text | line("strategy")),
	(.wait | text | line("wait")),
	(.eventfd | text | line("eventfd")),
	(.scenario | text | line("scenario")),
	(.priority_relation | text | line("relation")),
	(.poller.policy? // "" | text | line("policy")),
	(.poller.priority? | number | line("poller_priority")),
	(.irq_thread.priority? | number | line("irq_priority")),
	((.device.name? // .device.bdf?) | text | line("device")),
	(.device.backend? | text | line("backend")),
	(.host.kernel? | text | line("kernel")),
	(.host.realtime? | tojson | line("realtime")),
	(.load | text | line("load")),
	(.valid | tojson | line("valid")),
	(.safe_on_rt | tojson | line("safe")),
	(.invariant.text? | text | line("invariant")),
	(.schedule.count? | number | line("asked")),
	(.clock.hz? | number | line("hz")),
	(.stages[] | [
		"stage", (.name | clean), (.count | number), (.min | number), (.max | number),
		percentile(50), percentile(99), (.commonest | number), (.paths_beyond | number)
	] | join("\t"))
  end
