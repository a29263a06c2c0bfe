#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What plot refuses: each time exit code 1, one line that names the thing, and nothing left behind.

# shellcheck source=tests/analysis/lib.bash
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"
skip_without gnuplot jq
make_scratch
cd "$scratch"
mkdir tmp
export TMPDIR=$scratch/tmp

# with FILE TEXT - make ./bad a copy of a good live result with FILE replaced by TEXT.
with()
{
	rm -rf bad
	cp -r live bad
	printf '%b' "$2" >"bad/$1"
}

# edited COMMAND - make ./bad a copy of a good live result with histogram.tsv edited by sed.
edited()
{
	rm -rf bad
	cp -r live bad
	sed -i -e "$1" bad/histogram.tsv
}

# changed FILTER - make ./bad a copy of a good live result with the manifest changed by jq.
changed()
{
	rm -rf bad
	cp -r live bad
	jq "$1" live/manifest.json >bad/manifest.json
}

# tools_but NAME - ./path, a directory with every tool plot uses but NAME.
tools_but()
{
	local tool

	rm -rf path
	mkdir path
	for tool in bash awk cat cp cut dirname env gnuplot grep head jq mkdir mktemp mv rm sed \
		    tail wc; do
		[ "$tool" = "$1" ] || ln -s "$(command -v "$tool")" "path/$tool"
	done
}

# gnuplot_that BODY - ./path with a gnuplot that is this shell script.
gnuplot_that()
{
	tools_but gnuplot
	printf '#!/bin/bash\n%s\n' "$1" >path/gnuplot
	chmod +x path/gnuplot
}

plan 57

printf '%s\n' '1000 5' '1010 2000' '3000 1' | histogram_result live
printf '%s\n' '1000 5' '1010 2000' '3000 1' | histogram_result hardware '.mode = "hardware"'
printf '%s\n' 'sent-user 7611 900' | exact_result exact
cp -r live good

fails 'no directory' 'no result directory given'
fails 'unknown option' 'unknown option --colour' --colour live
fails 'unknown kind' '--kind pie: choose auto, histogram or stages' --kind pie live
fails 'option without value' '--title needs a value' live --title
fails 'empty value' '--out needs a value' --out= live
fails 'name with a directory in it' '--name a/b: ' --name a/b live
fails 'name that would hide the file' '--name .x: ' --name .x live

fails 'no such directory' 'nowhere: no such directory' nowhere
fails 'a file, not a directory' 'live/manifest.json: not a directory' live/manifest.json
fails 'not a result directory' "tmp: not a result directory (it has no manifest.json)" tmp
with manifest.json ''
fails 'empty manifest' 'bad/manifest.json: empty file' bad
with manifest.json '{"schema": 1,\n"mode"'
fails 'truncated manifest' 'bad/manifest.json: cannot be read: ' bad
changed '.schema = 2'
fails 'manifest of another version' 'bad/manifest.json: schema version 2' bad
changed '.mode = "dream"'
fails 'unknown mode' 'bad/manifest.json: unknown mode "dream"' bad
changed 'del(.strategy)'
fails 'no strategy' 'bad/manifest.json: it names no strategy' bad
changed '.stages = 3'
fails 'no stages' 'bad/manifest.json: it has no list of stages' bad
changed '.stages = []'
fails 'no latency among the stages' 'bad/manifest.json: no stage leads to user' bad
changed 'del(.clock)'
fails 'no clock' 'bad/manifest.json: no clock rate' bad
with manifest.json '[]'
fails 'foreign JSON' 'bad/manifest.json: it holds no object' bad

with histogram.tsv ''
fails 'empty histogram' 'bad/histogram.tsv: empty file' bad
with histogram.tsv 'hello\n'
fails 'foreign histogram' 'bad/histogram.tsv: line 1: not an msilat histogram' bad
edited '1s/1$/2/'
fails 'histogram of another version' 'bad/histogram.tsv: line 1: another version' bad
edited '4s/\t[0-9]*$//'
fails 'truncated histogram' 'bad/histogram.tsv: line 4: 5 fields where 6 belong' bad
edited '2s/\t5$/\tfive/'
fails 'field that is no number' 'bad/histogram.tsv: line 2: a field is no number' bad
edited '3s/\t2000$/\t-3/'
fails 'negative count' 'bad/histogram.tsv: line 3: a field is no number' bad
edited '2{h;d};3G'
fails 'bins out of order' 'bad/histogram.tsv: line 3: bins overlap or are not sorted' bad
edited '3s/\t2000$/\t1999/'
fails 'samples missing' 'histogram.tsv holds 2005 samples, manifest.json 2006: damaged' bad
changed '.stages[0].max *= 2'
fails 'maximum missing' 'histogram.tsv does not end at the maximum' bad
changed '.clock.hz /= 2'
fails 'cycles and ns disagree' 'bad/histogram.tsv: line 2: its ns do not follow' bad
rm -rf bad
cp -r live bad
rm bad/histogram.tsv
fails 'no histogram' 'bad/histogram.tsv: no such file; the result directory is not whole' bad
rm -rf bad
mkdir bad
histogram_result bad </dev/null
fails 'no events' 'bad: no events: nothing to plot' bad

rm -rf bad
exact_result bad </dev/null
jq '.stages = [{name: "sent-user", count: 0, min: null, max: null}]' bad/manifest.json >m
mv m bad/manifest.json
fails 'exact: no events' 'bad: no events: nothing to plot' bad
cp exact/* bad
printf 'sent-user\t7700\n' >>bad/paths.tsv
fails 'exact: truncated paths' 'bad/paths.tsv: line 3: not a stage, a path length and a count' bad
printf '# msilat paths 1\nsent-user\t7611\t899\n' >bad/paths.tsv
fails 'exact: events missing' 'paths.tsv holds 899 events of sent-user, manifest.json 900' bad
printf '# msilat paths 1\nsent-user\t7612\t900\n' >bad/paths.tsv
fails 'exact: other commonest path' 'different commonest paths of sent-user' bad
printf '# msilat paths 1\nsent-user\t7612\t450\nsent-user\t7611\t450\n' >bad/paths.tsv
fails 'exact: paths out of order' 'bad/paths.tsv: line 3: paths are not sorted' bad

fails 'exact and live do not mix' \
	'exact (exact) and live (live) measure different things' exact live
fails 'an emulator and hardware do not mix' \
	'live (live) and hardware (hardware) measure different things' live hardware
fails 'exact results have no histogram' 'exact: exact mode counts path lengths' \
	--kind histogram exact
fails 'live results have no stage stack' 'live: stage stacks need exact results' --kind stages live
fails 'more results than line styles' '11 results: one picture of kind histogram holds 10' \
	live live live live live live live live live live live
fails 'the second of two results is named' 'nowhere: no such directory' live nowhere
printf '%s\n' 'isr-user 900 7' | exact_result isr
fails 'latencies that begin at different stamps do not mix' \
	'isr: its latency is isr-user, that of the first result sent-user' exact isr

fails 'place that cannot be made' 'live/manifest.json/o: cannot be created' \
	--out live/manifest.json/o live
mkdir -p o/x.png
fails 'a directory in the way' 'o/x.png: is a directory' --out o --name x live
is 'and no half of the pair is left' "$(ls o)" x.png

tools_but jq
PATH=$scratch/path fails 'no jq' 'install the Debian package jq' live
tools_but gnuplot
PATH=$scratch/path fails 'no gnuplot' 'install the Debian package gnuplot-nox' live
gnuplot_that 'echo gnuplot 5.2 patchlevel 8'
PATH=$scratch/path fails 'old gnuplot' 'gnuplot 5.2 is too old; 5.4 or newer is needed' live
gnuplot_that 'case $* in --version) echo gnuplot 6.0 patchlevel 0;; *pngcairo*) exit 1;; esac'
PATH=$scratch/path fails 'gnuplot without pngcairo' \
	'cannot write pngcairo; install the Debian package gnuplot-nox' live
gnuplot_that 'case $* in
--version) echo gnuplot 6.0 patchlevel 0;;
*histogram*) echo "x line 7: sick" >&2; exit 1;;
esac'
PATH=$scratch/path fails 'gnuplot that fails' 'gnuplot failed (status 1): x line 7: sick' live
gnuplot_that 'case $* in --version) echo gnuplot 6.0 patchlevel 0;; esac'
PATH=$scratch/path fails 'gnuplot that draws nothing' 'gnuplot wrote no png picture' live
TMPDIR=$scratch/nowhere fails 'no temporary directory' \
	"$scratch/nowhere: no temporary directory" live

is 'the results are as they were' "$(diff -r live good && echo same)" same
is 'no temporary file is left' "$(ls -A tmp)" ''
status=0
"$plot" --help >stdout 2>stderr || status=$?
is '--help is no error' "$status $(head -n 1 stdout) $(cat stderr)" \
	'0 usage: plot [options] DIR... '

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$scratch"
	chmod 1777 "$TMPDIR"
	chmod 000 live/manifest.json
	as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
else
	chmod 000 live/manifest.json
	as_nobody=()
fi
if "${as_nobody[@]}" "$plot" --help >stdout 2>&1; then
	status=0
	"${as_nobody[@]}" "$plot" live >stdout 2>stderr || status=$?
	ok 'a manifest that may not be read' is_refusal "$status" \
		'live/manifest.json: cannot be read'
else
	skip 'a manifest that may not be read' 'the project is out of reach of another user'
fi

finish
