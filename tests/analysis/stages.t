#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Stage stacks of exact results: what is in the picture, and that bars are as long as the paths.

# shellcheck source=tests/analysis/lib.bash
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"
skip_without gnuplot jq
make_scratch
cd "$scratch"

# result NAME STRATEGY RELATION POLLER - paths come on stdin.
result()
{
	exact_result "$1" ".strategy = \"$2\"" ".priority_relation = \"$3\"" \
		".poller.priority = $4" ".label = \"$1\"" '.stages |= sort_by(.name != "sent-user")'
}

# bars DIR... - what stages.awk makes of them, in ./bars.
bars()
{
	local i=0 dir analysis

	analysis=$(dirname -- "$plot")
	rm -rf bars
	mkdir bars
	for dir; do
		i=$((i + 1))
		jq -r -s -f "$analysis/manifest.jq" "$dir/manifest.json" >"bars/meta.$i"
		cp "$dir/paths.tsv" "bars/paths.$i"
	done
	(cd bars && PLOT_TITLE='' LC_ALL=C awk -v n="$i" -f "$analysis/common.awk" \
		-f "$analysis/stages.awk")
}

# segments - name:from-to of each, in order.
segments()
{
	LC_ALL=C awk -F '\t' '
		{ printf "%s%s:%s-%s", (NR > 1) ? " " : "", $1, $2, $3 }' bars/segments
}

plan 46

printf '%s\n' 'sent-user 7598 20' 'sent-user 7611 900' 'sent-user 7661 80' 'user-done 300 1000' |
	result stock-40 stock below 40
printf '%s\n' 'sent-user 15388 1000' | result stock-80 stock above 80
printf '%s\n' 'sent-thread 4400 1000' 'thread-signal 210 1000' 'signal-user 3000 1000' \
	'sent-user 7610 1000' | result thread-40 thread below 40
printf '%s\n' 'sent-isr 1020 1000' 'isr-thread 3290 1000' 'thread-signal 190 1000' \
	'signal-user 2980 950' 'signal-user 3005 50' 'sent-user 7480 30' 'sent-user 7539 970' |
	result split-40 split below 40
for priority in 40 80; do
	printf '%s\n' 'sent-isr 1020 1000' 'isr-signal 190 1000' 'signal-user 2951 1000' \
		'sent-user 4161 1000' | result nothread-$priority nothread none $priority
done
for priority in 40 80; do
	jq '.irq_thread = null | .safe_on_rt = false' nothread-$priority/manifest.json >m
	mv m nothread-$priority/manifest.json
done

is 'one result: prints the paths of both pictures' "$("$plot" split-40 | tr '\n' ' ')" \
	'split-40/plots/stages.png split-40/plots/stages.svg '
is 'one result: the PNG is whole and as wide as it should' \
	"$(png_size split-40/plots/stages.png | cut -d x -f 1)" 1200
ok 'one result: the SVG is whole' is_svg split-40/plots/stages.svg
svg=split-40/plots/stages.svg
has 'x axis: instructions' $svg 'guest instructions from sent to user'
has 'says that it is not time' $svg 'exact mode: path lengths, not time'
lacks 'has no unit of time' $svg ' ns'
has 'subtitle: events' $svg '1 000 events'
has 'subtitle: kernel' $svg 'kernel 7.3.4+deb13-rt-amd64 (PREEMPT_RT)'
has 'subtitle: device, scenario, wait' $svg \
	'device QEMU edu (edu)  ·  scenario sync  ·  wait read'
has 'subtitle: priority relation' $svg 'poller below its IRQ thread (FIFO 40 against 50)'
has 'total at the end of the bar' $svg '>7 539<'
has 'minimum and number of paths' $svg 'min 7 480, 2 paths'
has 'value inside its segment' $svg '>3 290<'
for stage in 'sent → isr' 'isr → thread' 'thread → signal' 'signal → user' \
	"rest, not in the stages' commonest paths"; do
	has "legend: $stage" $svg ">$stage<"
done

"$plot" --out o stock-40 thread-40 split-40 nothread-40 stock-80 nothread-80 >/dev/null
svg=o/stages.svg
ok 'several: both pictures are whole' test -n "$(png_size o/stages.png)"
ok 'several: the SVG is whole' is_svg $svg
has 'groups by priority relation: below' $svg '>poller below its IRQ thread<'
has 'groups by priority relation: above' $svg '>poller above its IRQ thread<'
lacks 'a strategy without IRQ thread stands with its neighbours' $svg '>no IRQ thread'
has 'stock is not split' $svg '>sent → user, not split<'
is 'nothread is marked in both groups' "$(grep -c '>unsafe on RT<' $svg)" 2
has 'compares with stock at its best: below' $svg '>−45 %<'
has 'compares with stock at its best: stock above' $svg '>+102 %<'
has 'compares with stock at its best: within a rounding' $svg '>0 %<'
has 'a length that does not fit into its segment stands below' $svg '>190<'

bars split-40
rest=remainder:7480-7539
is 'stages in order, the rest at the end, together the total' "$(segments)" \
	"sent-isr:0-1020 isr-thread:1020-4310 thread-signal:4310-4500 signal-user:4500-7480 $rest"
bars thread-40
is 'a spanning stage stands for what it spans; no rest where there is none' "$(segments)" \
	'sent-thread:0-4400 thread-signal:4400-4610 signal-user:4610-7610'
bars stock-40
is 'without inner stamps one segment; done is no part of it' "$(segments)" 'whole:0-7611'
printf '%s\n' 'sent-isr 1000 500' 'sent-isr 1600 400' 'isr-user 2000 500' 'isr-user 2600 400' \
	'sent-user 2900 900' | result over split below 40
bars over
is 'stages that exceed the total keep their lengths' "$(segments)" \
	'sent-isr:0-1000 isr-user:1000-3000'
is 'and the total is marked where it is' "$(cut -f 1 bars/totals)" 2900
"$plot" over >/dev/null
has 'and said' over/plots/stages.svg "its stages' commonest add up to 100 more"
printf '%s\n' 'isr-user 900 7' 'isr-signal 300 7' 'signal-user 600 7' |
	exact_result noisr '.strategy = "split"'
"$plot" noisr >/dev/null
has 'a latency that begins at another stamp is named' noisr/plots/stages.svg \
	'guest instructions from isr to user'
printf '%s\n' 'sent-user 5 3' 'sent-user 9 3' | result tie stock below 40
jq '.stages[0].commonest = 9' tie/manifest.json >m && mv m tie/manifest.json
bars tie
is "of paths that tie the manifest's is drawn" "$(segments)" 'whole:0-9'

jq '.stages[0] += {count: 9, min: 3, paths_beyond: 3}' tie/manifest.json >m
mv m tie/manifest.json
"$plot" tie >/dev/null
has 'events beyond the list of paths count' tie/plots/stages.svg '9 events'
has 'and are said' tie/plots/stages.svg 'min 3, 2 paths and more'

# Strategies that are waited for in another way, and one that is measured in another scenario.
direct()
{
	printf '%s\n' 'sent-isr 700 1000' 'isr-signal 150 1000' 'signal-user 2950 1000' \
		'sent-user 3800 1000' | result "$1" direct "$2" 40
	jq --arg eventfd "$3" '.wait = "direct" | .eventfd = $eventfd' "$1/manifest.json" >m
	mv m "$1/manifest.json"
}
direct direct-40 none silent
direct beside-40 below 'signalled beside'
printf '%s\n' 'sent-isr 700 1000' 'isr-signal 100 1000' 'signal-user 400 1000' \
	'sent-user 1200 1000' | result page-40 page none 40
jq '.wait = "page" | .scenario = "self"' page-40/manifest.json >m && mv m page-40/manifest.json
"$plot" --out d stock-40 direct-40 beside-40 page-40 >/dev/null
svg=d/stages.svg
has 'waits that suit their strategies are compared' $svg '>−50 %<'
lacks 'and are no group of their own' $svg 'wait direct<'
has 'they are in the subtitle' $svg 'wait read, direct, page by strategy'
has 'the same strategy with and without the eventfd: with' $svg '>eventfd signalled<'
has 'the same strategy with and without the eventfd: without' $svg '>eventfd silent<'
has 'another scenario is a group of its own' $svg '>no IRQ thread, scenario self<'
is 'and is not compared' "$(grep -c '%<' $svg)" 2

finish
