# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Which kernels there are and where their parts lie. Sourced after lib.sh. A tree is a root file
# system (the lab's, or the place where the debug kernel was installed): boot/vmlinuz-RELEASE,
# lib/modules/RELEASE with a link "build" to what external modules are built against.

# What uname -r ends in under the debug kernel.
debug_suffix=-msilat-debug

# kernels_in TREE: the RT releases of a tree, lowest first.
kernels_in()
{
	local image

	for image in "$1"/boot/vmlinuz-*-rt-*; do
		[ ! -e "$image" ] || printf '%s\n' "${image##*/vmlinuz-}"
	done | sort -V
}

# kernels_control TREE: the control, the release of the newest RT kernel without RT; nothing if it
# is not there.
kernels_control()
{
	local newest

	newest=$(kernels_in "$1" | tail -n 1)
	[ ! -e "$1/boot/vmlinuz-${newest%-rt-*}-${newest##*-}" ] ||
		printf '%s\n' "${newest%-rt-*}-${newest##*-}"
}

# kernels_pick PREFIX TREE: the one release that PREFIX stands for, the newest of several. A
# prefix ends where a number ends: 6.1 is 6.1.0-57-rt-amd64 and never 6.12 or 6.19. It stands for
# an RT kernel; the control is named so, or by its whole release.
kernels_pick()
{
	local release found control

	control=$(kernels_control "$2")
	case $1 in
	control | "$control")
		[ -n "$control" ] || return 1
		printf '%s\n' "$control"
		return 0
		;;
	esac
	found=
	while read -r release; do
		case $1 in
		newest) found=$release ;;
		*)
			case $release in
			"$1" | "$1"[!0-9]*) found=$release ;;
			esac
			;;
		esac
	done <<-END
	$(kernels_in "$2")
	END
	[ -n "$found" ] || return 1
	printf '%s\n' "$found"
}

# kernels_debug_key ROOT: what the debug kernel is made from: its source and its fragment.
kernels_debug_key()
{
	{
		stat -c '%n %s' "$1"/usr/src/linux-source-*.tar.xz | sed 's|.*/||'
		kernels_pick newest "$1"
		cat "$lab_dir/debug.config"
	} | hash_of
}

# kernels_debug_tree ROOT: where it is installed, or will be.
kernels_debug_tree()
{
	printf '%s/debug-%s\n' "$cache_dir" "$(kernels_debug_key "$1")"
}
