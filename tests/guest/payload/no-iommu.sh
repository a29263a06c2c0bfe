#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# no-iommu.sh: a host whose IOMMU is off.
# shellcheck source=guest.sh
. /payload/guest.sh

code=0
msilat bind $EDU >/tmp/out 2>/tmp/err || code=$?
is "$code" 1 "msilat bind: exit 1"
is "$(wc -l </tmp/err)" 1 "msilat bind: one line"
like "$(cat /tmp/err)" '^msilat: .*IOMMU.*intel_iommu=on' "msilat bind says how to enable the IOMMU"
msilat list >/tmp/out 2>/tmp/err
like "$(cat /tmp/out)" 'IOMMU' "msilat list says what is in the way"
finish
