#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mark.sh PROGRAM-MODE...: mark writes on edu, "mark-writes" for mark's mode writes.
# shellcheck source=guest.sh
. /payload/guest.sh

ok "edu is bound to $ours" bind $EDU $ours
for what; do
	helper "${what%-*}" $EDU "${what#*-}"
done
finish
