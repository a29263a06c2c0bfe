#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# timeout: 300
#
# What of the lab can be tested without a guest: kernel names, mirrors, options, clean-up.
exec "$(dirname "$0")/../../lab/selftest.sh" quick
