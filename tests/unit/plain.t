#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# The unit tests as the program is built.

# shellcheck source-path=SCRIPTDIR source=units.bash
. "$(dirname "$0")/units.bash"
run_units unit
