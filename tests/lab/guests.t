#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 2400
#
# Can the lab be fooled? Guests that complain, end early, hang and are killed. Ten minutes and more.
if [ -z "${SOAK:-}" ]; then
	echo "1..0 # SKIP takes ten minutes: make soak"
	exit 0
fi
exec "$(dirname "$0")/../../lab/selftest.sh" verdicts losses exact
