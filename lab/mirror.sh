# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Where Debian comes from: MSILAT_MIRROR, else what the host's own apt uses, else Debian's public
# default. Sourced after lib.sh. Nothing found here is ever written to a result.

mirror_default=http://deb.debian.org/debian

# mirror_entries APT_DIR: one line "URI SUITE COMPONENTS..." for every binary source of an apt
# configuration, in the order apt reads it; both formats are understood, disabled ones left out.
mirror_entries()
{
	local file

	for file in "$1/sources.list" "$1"/sources.list.d/*.list; do
		[ -r "$file" ] || continue
		sed -e 's/#.*//' -e 's/\[[^]]*\]//' "$file" | awk '$1 == "deb" { $1 = ""; print }'
	done
	for file in "$1"/sources.list.d/*.sources; do
		[ -r "$file" ] || continue
		mirror_deb822 "$file"
	done
}

# mirror_deb822 FILE: the stanzas of one deb822 file as mirror_entries prints them. Field names
# are case-insensitive, values may continue on indented lines, and every URI goes with every suite.
mirror_deb822()
{
	awk '
	function flush(    i, j, nu, ns, u, s) {
		if (value["types"] ~ /(^| )deb( |$)/ &&
		    value["enabled"] !~ /^ *(no|false|off|0) *$/) {
			nu = split(value["uris"], u, " ")
			ns = split(value["suites"], s, " ")
			for (i = 1; i <= nu; i++)
				for (j = 1; j <= ns; j++)
					print u[i], s[j], value["components"]
		}
		split("", value)
		field = ""
	}
	/^#/ { next }
	/^[[:space:]]*$/ { flush(); next }
	/^[[:space:]]/ { value[field] = value[field] " " $0; next }
	{
		field = tolower(substr($0, 1, index($0, ":") - 1))
		value[field] = substr($0, index($0, ":") + 1)
	}
	END { flush() }
	' "$1" | tr '\t' ' '
}

# mirror_resolve URI APT_DIR: a URI that works anywhere (http, https), or nothing. A
# mirror+file: list stands for its first usable line; cdrom:, file: and copy: are of no use to a
# root that is built somewhere else.
mirror_resolve()
{
	local list line

	case $1 in
	http://* | https://*)
		printf '%s\n' "${1%/}"
		;;
	mirror+file:*)
		list=${1#mirror+file:}
		list=/${list#"${list%%[!/]*}"}
		[ -r "$list" ] || list=$2/../..$list
		[ -r "$list" ] || return 0
		while read -r line _; do
			case $line in
			http://* | https://*)
				printf '%s\n' "${line%/}"
				return 0
				;;
			esac
		done <"$list"
		;;
	esac
}

# mirror_of_host APT_DIR: prints "MAIN SECURITY" as the host's apt has them; either may be "-".
# Other people's archives have a main component too, so only Debian's suite names count.
mirror_of_host()
{
	local uri suite components found main=- security=-

	while read -r uri suite components; do
		case " $components " in
		*" main "*) ;;
		*) continue ;;
		esac
		found=$(mirror_resolve "$uri" "$1")
		[ -n "$found" ] || continue
		case $suite in
		bookworm-security | trixie-security | forky-security | *stable-security)
			[ "$security" != - ] || security=$found
			;;
		bullseye | bookworm | trixie | forky | sid | *stable | testing)
			[ "$main" != - ] || main=$found
			;;
		esac
	done <<-END
	$(mirror_entries "$1")
	END
	printf '%s %s\n' "$main" "$security"
}

# mirror_pick APT_DIR: prints "MAIN SECURITY", both usable, by the order of precedence above. A
# security archive that is not named is taken to lie beside main.
mirror_pick()
{
	local main security

	if [ -n "${MSILAT_MIRROR:-}" ]; then
		main=${MSILAT_MIRROR%/} security=-
	else
		read -r main security <<-END
		$(mirror_of_host "$1")
		END
	fi
	[ "$main" != - ] || main=$mirror_default
	[ "$security" != - ] || security=${main%/debian}/debian-security
	printf '%s %s\n' "$main" "$security"
}

# mirror_proxies: apt options, one a line, for the proxies that the host's apt goes through.
mirror_proxies()
{
	apt-config dump 2>/dev/null |
		grep -E '^Acquire::(http|https)::Proxy(::[^ ]+)? "[^"]+";$' || true
}

# mirror_serves MAIN SUITE: does the archive have that suite? Asked with apt's own downloader, so
# that proxies and schemes are those of the real work.
mirror_serves()
{
	local to rc=0

	to=$(mktemp)
	/usr/lib/apt/apt-helper download-file "$1/dists/$2/InRelease" "$to" >/dev/null 2>&1 || rc=1
	rm -f "$to"
	return "$rc"
}
