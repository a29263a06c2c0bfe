#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# markcost.sh: what marks cost, in exact mode.
# shellcheck source=guest.sh
. /payload/guest.sh

ok "edu is bound to $ours" bind $EDU $ours
helper markcost $EDU 1500
finish
