# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build_dir NAME: where the tests build NAME: apart for the lab's root and for the host, whose
# libraries may differ.

build_dir()
{
	# $top is set by tap.sh.
	# shellcheck disable=SC2154
	if [ "$top" = /msilat ]; then
		echo "$top/build/lab-$1"
	else
		echo "$top/build/host-$1"
	fi
}
