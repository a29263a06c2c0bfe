# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# What every script of the lab shares: where things are, how it speaks, how it takes turns.
# Sourced, never run. All words to people go to stderr; stdout carries results only.

lab_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
project_dir=$(dirname "$lab_dir")
# Inside the root (lab/enter) the cache is mounted here, whatever its place on the host.
root_marker=/etc/msilat-lab-root
if [ -e "$root_marker" ]; then
	cache_dir=/cache
else
	cache_dir=${MSILAT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/var/cache}/.cache}/msilat}
fi
build_dir=$project_dir/build/lab

# say WORDS...: one line for people.
say()
{
	printf '%s\n' "$*" >&2
}

# die WORDS...: one line that names the thing and the remedy, then exit 1.
die()
{
	say "${0##*/}: $*"
	exit 1
}

# inside_root: are we already in the lab's root file system?
inside_root()
{
	[ -e "$root_marker" ]
}

# hash_of: 16 hex digits for what comes on stdin.
hash_of()
{
	sha256sum | cut -c1-16
}

# need_space DIR MB WHAT: refuse to start what would fill the disk half-way.
need_space()
{
	local free
	free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge "$2" ] ||
		die "$3 needs $2 MB in $1, which has $free MB; free some," \
			"or set MSILAT_CACHE to another place"
}

# take_lock FILE WHAT: hold FILE exclusively until this process ends; say so if it takes a while.
# The descriptor is closed in what we exec only if that says so (lock_fd is its number).
take_lock()
{
	exec {lock_fd}>"$1"
	if ! flock -n "$lock_fd"; then
		say "waiting for another lab command that makes $2"
		flock "$lock_fd"
	fi
}

# --- progress: "[ 2/7] lab root (trixie)            cached       0:00" ---------------------------

step_ticker=
# A step that knows how far it is writes that to this file; the ticker shows its last line.
step_note=

step_line()
{
	printf '[%2d/%d] %-28s %-12s %d:%02d' "$step_n" "$step_of" "$step_name" "$1" \
		$(($2 / 60)) $(($2 % 60)) >&2
}

# step N M NAME: begin step N of M. On a terminal the line shows the time going by.
step()
{
	step_n=$1 step_of=$2 step_name=$3 step_start=$SECONDS
	[ -t 2 ] || return 0
	step_line '…' 0
	step_tick &
	step_ticker=$!
}

# The ticker ends with its parent, however that dies.
step_tick()
{
	local note

	trap - EXIT
	while sleep 1 && kill -0 $$ 2>/dev/null; do
		note=$(tail -n 1 "$step_note" 2>/dev/null || true)
		printf '\r\033[K' >&2
		step_line "${note:-…}" $((SECONDS - step_start))
	done
}

# step_done RESULT: end the step begun last with ok, cached, built or a word of its own.
step_done()
{
	if [ -n "$step_ticker" ]; then
		kill "$step_ticker" 2>/dev/null || true
		wait "$step_ticker" 2>/dev/null || true
		step_ticker=
		printf '\r\033[K' >&2
	fi
	step_line "$1" $((SECONDS - step_start))
	printf '\n' >&2
}
