#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 900
. "$(dirname "$0")/lib.bash"
boot inject --device edu --device igb -- inject.sh 20
done_testing
