#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Labels and paths are text, never program: quotes, backslashes, gnuplot macros, markup and
# commands in every place that text comes from. Locales with a decimal comma change nothing.

# shellcheck source=tests/analysis/lib.bash
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"
skip_without gnuplot jq
make_scratch
cd "$scratch"
mkdir tmp
export TMPDIR=$scratch/tmp

# Every piece would run `touch pwned` somewhere if it were taken for program text.
# shellcheck disable=SC2016
pieces=('it'\''s "q"' 'a\b\n' '@title' '{/Bold x}_y^z' '`touch pwned`' '$(touch pwned)'
	"'; system('touch pwned'); a='" '");system("touch pwned");("' '%s%n' '<b>&amp;' 'µé→'
	'~a{b}')
text="${pieces[*]}"
export text

# same_text SVG TEXT - TEXT is a text of the picture, character for character.
same_text()
{
	sed -e 's/&lt;/</g' -e 's/&amp;/\&/g' -- "$1" | grep -qxF -e "<title>$2</title>"
}

# shows SVG TEXT - TEXT stands in the picture itself.
shows()
{
	sed -e 's/&lt;/</g' -e 's/&amp;/\&/g' -- "$1" | grep -F '<text' | grep -qF -e "$2"
}

shape()
{
	seq 5000 5 9000 | LC_ALL=C awk '{ print $1, int(1 + 1000 * exp(-($1 - 5500) ^ 2 / 1e5)) }'
}

plan $((3 * ${#pieces[@]} + 21))

i=0
for piece in "${pieces[@]}"; do
	i=$((i + 1))
	export piece
	# shellcheck disable=SC2016
	shape | histogram_result "h$i" '.strategy = env.piece' '.label = env.piece' \
		'.device.name = env.piece' '.scenario = env.piece'
	ok "histogram of $i: $piece" test -n "$("$plot" "h$i" --title "$piece")"
	ok "its title is that text" same_text "h$i/plots/histogram.svg" "$piece"
	ok "so are strategy and device" shows "h$i/plots/histogram.svg" "device $piece (edu)"
done

weird="dir '\"\\ \`x\` \$(y) =z;&\tµ"
shape | histogram_result "$weird/live" '.strategy = env.text' '.host.kernel = env.text'
ok 'path with quotes, blanks, commands' \
	test -n "$("$plot" "$weird/live" --out "$weird/o" --name "n ' @x")"
ok 'the pictures are where they should be' test -n "$(png_size "$weird/o/n ' @x.png")"
ok 'and whole' is_svg "$weird/o/n ' @x.svg"
printf '%s\n' 'sent-isr 100 9' 'isr-user 900 9' 'sent-user 1000 9' |
	exact_result "$weird/exact" '.strategy = env.text' '.label = env.text' \
		'.host.kernel = env.text'
cp -r "$weird/exact" "$weird/exact2"
jq '.host.kernel = "other" | .state = "running" | .label = env.text' "$weird/exact/manifest.json" \
	>"$weird/exact2/manifest.json"
ok 'the same in a stage stack' test -n "$("$plot" "$weird/exact" "$weird/exact2" --out "$weird/o")"
ok 'which is whole' is_svg "$weird/o/stages.svg"
ok 'and names the kernel' shows "$weird/o/stages.svg" "${text:0:30}"
ok 'directory that looks like an option' test -n "$(
	cp -r h1 -- -x && "$plot" -- -x)"
ok 'directory that ends in slashes' [ "$("$plot" h1/// | head -n 1)" = h1/plots/histogram.png ]

# Two of each, so that names stand beside bars and lanes, and what differs in headings.
markup='{/Bold x}_y^z@b'
other='{/Italic s}_t\u'
export markup other
printf '%s\n' 'sent-user 1000 9' | exact_result e1 '.strategy = env.markup'
printf '%s\n' 'sent-user 1000 9' | exact_result e2 '.scenario = env.other'
"$plot" e1 e2 --out two --title stack >/dev/null
ok 'name of a bar: no markup' shows two/stages.svg ">$markup<"
ok 'heading of a group: no markup' shows two/stages.svg ">scenario $other<"
shape | histogram_result l1 '.strategy = env.markup'
shape | histogram_result l2 '.scenario = env.other'
"$plot" l1 l2 --out two --title lanes >/dev/null
ok 'name of a lane: no markup' shows two/histogram.svg ">$markup<"
ok 'its small print: no markup' shows two/histogram.svg ">scenario $other<"

long=$(printf 'long name %.0s' $(seq 1 400))
export long
shape | histogram_result long '.strategy = env.long' '.device.name = env.long' \
	'.host.kernel = env.long'
ok 'texts that are too long are cut' test -n "$("$plot" long --title "$long")"
ok 'with an ellipsis' shows long/plots/histogram.svg '…'
ok 'and leave room for the plot' test -n "$(png_size long/plots/histogram.png)"
ok 'control characters become blanks' test -n "$("$plot" h1 --title $'a\nb\tc\033d')"
ok 'and only they' same_text h1/plots/histogram.svg 'a b c d'

ok 'nothing was run' [ -z "$(find . -name pwned)" ]
is 'nothing is left behind' "$(ls -A tmp)" ''

"$plot" h1 --title same --name plain >/dev/null
if command -v localedef >/dev/null &&
   localedef -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8" >/dev/null 2>&1; then
	LOCPATH=$scratch LC_ALL=de_DE.UTF-8 "$plot" h1 --title same --name comma >/dev/null
	ok 'decimal commas: the same SVG' cmp h1/plots/plain.svg h1/plots/comma.svg
	LC_ALL=C "$plot" h1 --title same --name c >/dev/null
	ok 'C locale: the same SVG' cmp h1/plots/plain.svg h1/plots/c.svg
else
	skip 'decimal commas: the same SVG' 'localedef cannot make de_DE.UTF-8'
	LC_ALL=C "$plot" h1 --title same --name c >/dev/null
	ok 'C locale: the same SVG' cmp h1/plots/plain.svg h1/plots/c.svg
fi

finish
