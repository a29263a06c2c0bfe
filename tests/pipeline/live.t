#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 120
#
# The live line on a terminal: redrawn in place, and gone at the end.

# Functions are called through ok_if and try; programs of jq and awk are in quotes.
# shellcheck disable=SC2016,SC2317
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/cli.sh
. "$top/tests/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/pipeline.sh
. "$top/tests/lib/pipeline.sh"
need_program

command -v tmux >/dev/null || skip_all "no tmux; apt-get install tmux"
# A server of its own, which no other test or person knows.
terminal()
{
	tmux -L "msilat-test-$$" -f /dev/null "$@"
}

at_exit()
{
	terminal kill-server 2>/dev/null
}

screen()
{
	terminal capture-pane -p -t t
}

shows()
{
	screen | grep -qE "$1"
}

terminal new-session -d -s t -x 100 -y 24 "$(command -v bash)" --norc --noprofile ||
	skip_all "tmux finds no terminal here; mount /dev/pts"
terminal send-keys -t t "PS1='> '; clear; '$MSILAT' run sim -p 0 -D 1h -i 500 --results '$results' --label live" Enter
ok_if "the line appears" wait_until 20 shows '[0-9]:[0-9]{2} left .* / .* merged [0-9]+ +lost 0 .*min [0-9.]+ avg [0-9.]+'
like "$(screen)" '[0-9]+/s' "with the rate"
first=$(screen | grep -E 'merged' | head -n 1)
sleep 1.5
is "$(screen | grep -cE 'merged')" 1 "there is one line, redrawn in place"
ok_if "and it changes" test "$(screen | grep -E 'merged' | head -n 1)" != "$first"
terminal send-keys -t t C-c
ok_if "^C ends it with a result" wait_until 20 shows 'exit 0$'
is "$(screen | grep -cE '[0-9]:[0-9]{2} left')" 0 "the line is gone"
like "$(screen)" "state: interrupted" "the summary is there"

terminal send-keys -t t "clear; '$MSILAT' run sim -q -p 0 -l 3000 -i 500 --results '$results' --label quiet; echo end" Enter
sleep 1
is "$(screen | grep -cE 'merged [0-9]+ +lost')" 0 "-q shows no line"
ok_if "it ends" wait_until 20 shows '^end$'

terminal resize-window -t t -x 40 -y 24 2>/dev/null
terminal send-keys -t t "clear; '$MSILAT' run sim -p 0 -D 3s -i 500 --results '$results' --label narrow; echo end" Enter
ok_if "a narrow terminal" wait_until 20 shows '[0-9]:[0-9]{2} left'
sleep 1.2
is "$(screen | grep -cE '[0-9]:[0-9]{2} left')" 1 "the line does not wrap and pile up"
ok_if "it ends" wait_until 20 shows '^end$'

terminal resize-window -t t -x 100 -y 24 2>/dev/null
terminal send-keys -t t "clear; '$MSILAT' hazard sim -w read -r below -l 2000 --results '$results' --label hazard" Enter
ok_if "hazard: the line appears" wait_until 20 shows \
	'[0-9]:[0-9]{2} left [0-9?:]+  cell [0-9]+/[0-9]+  poller below on (same|other) CPU, read'
ok_if "with the time left once there is a cell to tell it by" wait_until 60 shows \
	'[0-9]:[0-9]{2} left [0-9]+:[0-9]{2}  cell [0-9]+/'
terminal send-keys -t t C-c
ok_if "^C ends it with a result" wait_until 20 shows 'exit 0$'
is "$(screen | grep -cE '[0-9]:[0-9]{2} left')" 0 "the line is gone"

# The ^C that the terminal echoes once wrapped behind a line as wide as that, which then stayed.
terminal resize-window -t t -x 30 -y 100 2>/dev/null
terminal send-keys -t t "clear; '$MSILAT' hazard sim -w read -r below -l 2000 --results '$results' --label full" Enter
ok_if "hazard: a line that fills the terminal" wait_until 20 shows '[0-9]:[0-9]{2} left [0-9?:]+  cell '
terminal send-keys -t t C-c
ok_if "^C ends it" wait_until 20 shows 'hazard:|exit 0'
is "$(screen | grep -cE '[0-9]:[0-9]{2} left')" 0 "the full line is gone too"

sim file -l 500 -i 1000
is "$err" "" "no line where stderr is no terminal"
done_testing
