# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For the tests of analysis/: TAP, and result directories made to order.
#
# A test script sources this, calls plan, then ok, is, has… once for each point, and finish.

set -eu

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
plot=$(cd -- "$here/../../analysis" && pwd)/plot
readonly here plot

planned=0
point=0
failed=0
scratch=

plan()
{
	planned=$1
	echo "1..$planned"
}

# skip_without TOOL... - the whole script is skipped where a tool is missing.
skip_without()
{
	local tool

	for tool; do
		if ! command -v "$tool" >/dev/null; then
			echo "1..0 # SKIP $tool is not installed"
			exit 77
		fi
	done
}

# ok NAME COMMAND... - the point holds when the command succeeds.
ok()
{
	local what=$1

	shift
	point=$((point + 1))
	if "$@"; then
		echo "ok $point - $what"
	else
		echo "not ok $point - $what"
		failed=$((failed + 1))
	fi
}

skip()
{
	point=$((point + 1))
	echo "ok $point - $1 # SKIP $2"
}

# is WHAT GOT WANTED
is()
{
	ok "$1" [ "$2" = "$3" ]
	[ "$2" = "$3" ] || printf '# got    %s\n# wanted %s\n' "$2" "$3"
}

# holds FILE TEXT - TEXT, literally, is in FILE; the narrow spaces between digits count as spaces.
holds()
{
	sed 's/\xe2\x80\xaf/ /g' -- "$1" | grep -F -e "$2" >/dev/null
}

# has WHAT FILE TEXT
has()
{
	ok "$1" holds "$2" "$3"
}

lacks()
{
	ok "$1" not holds "$2" "$3"
}

not()
{
	! "$@"
}

finish()
{
	if [ "$point" -ne "$planned" ]; then
		echo "# planned $planned points, ran $point"
		exit 1
	fi
	[ "$failed" -eq 0 ] || exit 1
}

make_scratch()
{
	scratch=$(mktemp -d "${TMPDIR:-/tmp}/msilat-test.XXXXXX")
	trap 'rm -rf -- "$scratch"' EXIT
}

# png_size FILE - WIDTHxHEIGHT of a whole PNG, else nothing: signature, header, end.
png_size()
{
	local head tail

	head=$(head -c 24 -- "$1" | od -An -v -tx1 | tr -d ' \n')
	tail=$(tail -c 12 -- "$1" | od -An -v -tx1 | tr -d ' \n')
	case $head in
	89504e470d0a1a0a0000000d49484452*) ;;
	*) return 0 ;;
	esac
	[ "$tail" = 0000000049454e44ae426082 ] || return 0
	echo "$((16#${head:32:8}))x$((16#${head:40:8}))"
}

# is_svg FILE - one svg element, whole, whose tags close in the order they opened.
is_svg()
{
	LC_ALL=C awk '
		NR == 1 && !/^<\?xml / { exit bad = 1 }
		{ text = text $0 "\n" }
		END {
			sub(/^<\?xml [^>]*>/, "", text)
			while (match(text, /<[^>]*>/)) {
				tag = substr(text, RSTART + 1, RLENGTH - 2)
				text = substr(text, RSTART + RLENGTH)
				name = tag
				sub(/[ \t\n\/].*/, "", name)
				if (tag ~ /^!--/ || tag ~ /\/$/)
					continue
				if (tag ~ /^\//) {
					name = substr(tag, 2)
					bad = bad || open[depth--] != name
				} else {
					open[++depth] = name
					roots += depth == 1 && name == "svg"
				}
			}
			exit bad || depth != 0 || roots != 1
		}' "$1"
}

# fails WHAT TEXT ARGUMENTS... - plot exits with 1, says one line with TEXT in it and nothing else.
fails()
{
	local what=$1 text=$2 status=0

	shift 2
	"$plot" "$@" >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
	ok "$what" is_refusal "$status" "$text"
}

is_refusal()
{
	if [ "$1" -eq 1 ] && [ ! -s "$scratch/stdout" ] &&
	   [ "$(wc -l <"$scratch/stderr")" -eq 1 ] &&
	   grep -q '^msilat plot: ' "$scratch/stderr" && grep -qF -e "$2" "$scratch/stderr"; then
		return 0
	fi
	printf '# exit code %s, wanted: %s\n' "$1" "$2"
	sed 's/^/# /' "$scratch/stdout" "$scratch/stderr"
	return 1
}

# manifest STAGES CHANGES... - a manifest with these stages, then changed by jq filters.
manifest()
{
	local stages=$1 filter=. change

	shift
	for change; do
		filter="$filter | $change"
	done
	jq -n --argjson stages "$stages" '{
		schema: 1, tool: {name: "msilat", version: "0.1"}, state: "complete",
		label: "a-run", command: ["msilat", "run"], started: "2026-12-01T12:03:04Z",
		elapsed_s: 12.3, mode: "live", unit: "ns",
		device: {bdf: "0000:00:03.0", backend: "edu", id: "1234:11e8", name: "QEMU edu",
			driver: "msilat-vfio-pci", vector: 0, vectors: 1, irq_type: "msi"},
		strategy: "stock", wait: "read", scenario: "sync",
		poller: {policy: "FIFO", priority: 40, cpu: 1},
		irq_thread: {priority: 50, cpu: 1, irq: 25}, priority_relation: "below",
		schedule: {interval_us: 1000, jitter_us: 100, seed: 1, count: 10000, duration_s: 0},
		load: null, host: {kernel: "7.3.4+deb13-rt-amd64", realtime: true},
		lab: {mode: "live"}, clock: {source: "tsc", hz: 2100000000, stable: true},
		counts: {fired: 10000, lost: 0},
		invariant: {holds: true, text: "all fired events woke the poller; none lost"},
		verdicts: [], valid: true, exit: 0, stages: $stages
	} | '"$filter"
}

# histogram_result DIR CHANGES... - a live result; "cycles count" lines, sorted, come on stdin.
# The manifest's clock.hz may be changed; default 2.1 GHz.
histogram_result()
{
	local dir=$1 hz

	shift
	mkdir -p -- "$dir"
	hz=$(manifest '[]' "$@" | jq -r '.clock.hz')
	STAGES=$dir/stages.json LC_ALL=C awk -v hz="${hz/null/2100000000}" '
		function width(v,    w) {
			for (w = 1; v >= 256; v /= 2)
				w *= 2
			return w
		}
		function flush() {
			if (c)
				printf "sent-user\t%.0f\t%.0f\t%.3f\t%.3f\t%.0f\n", lo, lo + w - 1,
					lo * 1e9 / hz, (lo + w - 1) * 1e9 / hz, c
			c = 0
		}
		BEGIN {
			print "# msilat histogram 1"
			lo = -1
			stages = ENVIRON["STAGES"]
		}
		NF == 2 && $2 > 0 {
			if ($1 >= lo + w || lo < 0) {
				flush()
				w = width($1)
				lo = int($1 / w) * w
			}
			c += $2
			n += $2
			value[++k] = $1
			upto[k] = n
		}
		function at(p,    i) {
			for (i = 1; upto[i] < p / 100 * n; i++)
				;
			return sprintf("{\"p\":%g,\"value\":%.3f}", p, value[i] * 1e9 / hz)
		}
		END {
			flush()
			if (!n) {
				print "[{\"name\":\"sent-user\",\"count\":0,\"min\":null,\"max\":null}]" >stages
				exit
			}
			printf "[{\"name\":\"sent-user\",\"count\":%.0f,\"min\":%.3f,\"max\":%.3f,", n,
				value[1] * 1e9 / hz, value[k] * 1e9 / hz >stages
			printf "\"commonest\":null,\"percentiles\":[%s%s]}]\n",
				(n > 1) ? at(50) : "", (n >= 1000) ? "," at(99) : "" >stages
		}' >"$dir/histogram.tsv"
	manifest "$(cat -- "$dir/stages.json")" "$@" >"$dir/manifest.json"
	rm -f -- "$dir/stages.json"
}

# exact_result DIR CHANGES... - an exact result; "stage instructions count" lines, sorted, on stdin.
exact_result()
{
	local dir=$1

	shift
	mkdir -p -- "$dir"
	{
		echo '# msilat paths 1'
		tr ' ' '\t'
	} >"$dir/paths.tsv"
	manifest "$(LC_ALL=C awk -F '\t' '
		/^#/ { next }
		$1 != name { name = $1; order[++k] = name; low[name] = $2 }
		{ n[name] += $3; sum[name] += $2 * $3; high[name] = $2 }
		$3 > most[name] { most[name] = $3; common[name] = $2 }
		END {
			printf "["
			for (i = 1; i <= k; i++) {
				s = order[i]
				printf "%s{\"name\":\"%s\",\"count\":%d,\"min\":%.0f,\"max\":%.0f,",
					(i > 1) ? "," : "", s, n[s], low[s], high[s]
				printf "\"mean\":%.3f,\"commonest\":%.0f,\"commonest_count\":%.0f,",
					sum[s] / n[s], common[s], most[s]
				printf "\"percentiles\":[]}"
			}
			print "]"
		}' "$dir/paths.tsv")" '.mode = "exact"' '.unit = "instructions"' \
		'.lab.mode = "exact"' "$@" >"$dir/manifest.json"
}
