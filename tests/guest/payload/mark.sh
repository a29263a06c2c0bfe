#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mark.sh MODE...: mark writes on edu, and on an igb where there is one, in these modes of mark.
# shellcheck source=guest.sh
. /payload/guest.sh

ok "edu is bound to $ours" bind $EDU $ours
for mode; do
	helper mark $EDU "$mode"
done
finish
