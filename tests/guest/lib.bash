# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For the guest tests, which run on the host: boots guests and retells what happened in them.
#
# A test sources this, calls boot for each guest (launch and collect where two can run at once),
# asks for facts of the results that came out, and done_testing. $KERNEL is what lab/kernel takes (default newest).

. "$(dirname "${BASH_SOURCE[0]}")/../lib/tap.sh"

KERNEL=${KERNEL:-newest}
SEED=${SEED:-$((RANDOM << 15 | RANDOM))}
guest_dir=$top/tests/guest
helpers=build/lab/guest-tests
declare -A guests=()

# long_or_short LONG SHORT: how often; the former with SOAK=1.
long_or_short()
{
	if [ -n "${SOAK:-}" ]; then
		echo "$1"
	else
		echo "$2"
	fi
}

# for_soak KERNEL...: a test of chance. Without SOAK=1 it runs on these kernels alone; it says which
# seed repeats it.
for_soak()
{
	case " $* " in
	*" $KERNEL "*) ;;
	*) [ -n "${SOAK:-}" ] || skip_all "on kernel $KERNEL with SOAK=1 only" ;;
	esac
	diag "SEED=$SEED"
}

# Modules for the kernel, msilat and the helpers; what is built already takes no time.
build_all()
{
	if ! { "$top/lab/build" "$KERNEL" && flock "$top/build/lab" \
		"$top/lab/enter" make -s -C tests/guest O="/msilat/$helpers"; } >"$T/build" 2>&1; then
		diag "$(cat "$T/build")"
		ok_if "everything is built for kernel $KERNEL" false
		done_testing
	fi
}

# lay_out NAME SCRIPT: a payload directory with the script as its "run".
lay_out()
{
	local file

	mkdir "$T/$1.payload" "$T/$1"
	for file in "$top/$helpers"/*; do
		case $file in
		*.o | *.d) ;;
		*) cp "$file" "$T/$1.payload/" ;;
		esac
	done
	cp "$guest_dir/payload/guest.sh" "$T/$1.payload/"
	cp "$guest_dir/payload/$2" "$T/$1.payload/run"
	chmod 755 "$T/$1.payload/run"
}

# retell FILE: the guest's cases become cases of this test; anything else it said, comments.
retell()
{
	local line

	while IFS= read -r line || [ -n "$line" ]; do
		line=${line%$'\r'}
		case $line in
		'ok - '*' # SKIP '*) skip "$(clip "${line%% # SKIP *}")" "${line#* # SKIP }" ;;
		'ok - '*) tap_case ok "$(clip "$line")" ;;
		'not ok - '*) tap_case 'not ok' "$(clip "$line")" ;;
		'# '*) printf '%s\n' "$line" ;;
		finished) ;;
		*) printf '# | %s\n' "$line" ;;
		esac
	done <"$1"
}

# clip LINE: the text of a case.
clip()
{
	printf '%s' "${1#*ok - }"
}

# launch NAME [OPTION...] -- SCRIPT [ARG...]: starts a guest with lab/guest's options and a script
# of payload/. Results come to $T/NAME, what it prints to $T/NAME.said.
launch()
{
	local name=$1 options=()

	shift
	# Some times what it takes on a busy host: the limit is for what hangs.
	options=(--time-limit 600)
	[ "$KERNEL" != debug ] || options=(--time-limit 1500)
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	lay_out "$name" "$2"
	shift 2
	"$top/lab/guest" --kernel "$KERNEL" --out "$T/$name" "${options[@]}" -- "$T/$name.payload" \
		"$@" >"$T/$name.said" 2>"$T/$name.err" </dev/null &
	guests[$name]=$!
}

# collect NAME: waits for a guest, retells its cases, reads its facts.
collect()
{
	local name=$1 rc=0 last

	wait "${guests[$name]}" || rc=$?
	unset "guests[$name]"
	retell "$T/$name.said"
	last=$(tail -n 1 "$T/$name.said" | tr -d '\r')
	ok_if "$name: the script ran to its end" test "$last" = finished
	is "$rc" 0 "$name: nothing is wrong with the guest and its kernel"
	[ "$rc" = 0 ] || diag "$(cat "$T/$name.err")"
	read_facts "$name"
}

# boot NAME [OPTION...] -- SCRIPT [ARG...]: launch and collect.
boot()
{
	launch "$@"
	collect "$1"
}

# Guests that a test leaves behind when it is stopped.
at_exit()
{
	[ ${#guests[@]} = 0 ] || kill "${guests[@]}" 2>/dev/null || true
	wait
}

# read_facts NAME: every value in every manifest of a boot, as "LABEL PATH VALUE".
read_facts()
{
	local manifests

	facts=$T/$1.facts
	: >"$facts"
	manifests=("$T/$1"/*/manifest.json)
	[ -e "${manifests[0]}" ] || return 0
	# shellcheck disable=SC2016 # the variables are jq's
	cat "${manifests[@]}" | "$top/lab/enter" jq -r '. as $m | paths(type != "object" and
		type != "array") as $p | "\($m.label) \($p | map(tostring) | join(".")) \($m |
		getpath($p))"' >"$facts"
}

# fact LABEL PATH: one value of the manifest of the last boot; of stages by name, as in
# stages.sent-user.min. Empty when it is not there.
fact()
{
	awk -v label="$1" -v path="$2" '
		$1 != label { next }
		{ key = $2; value = $0; sub(/^[^ ]+ [^ ]+ ?/, "", value) }
		key ~ /^stages\.[0-9]+\.name$/ { split(key, k, "."); name[k[2]] = value }
		key ~ /^stages\.[0-9]+\./ {
			split(key, k, ".")
			sub(/^stages\.[0-9]+/, "stages." name[k[2]], key)
		}
		key == path { print value; exit }' "$facts"
}

# fact_is LABEL PATH WANT TEXT
fact_is()
{
	is "$(fact "$1" "$2")" "$3" "$1: $4"
}

# exit_is NAME LABEL CODE: how a run in guest NAME ended.
exit_is()
{
	is "$(cat "$T/$1/$2.exit" 2>&1)" "$3" "$2: msilat run exits with $3"
}

build_all
