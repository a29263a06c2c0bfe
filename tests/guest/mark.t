#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 900
. "$(dirname "$0")/lib.bash"
boot mark --time-limit 400 -- mark.sh writes refusals
done_testing
