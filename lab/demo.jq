# SPDX-License-Identifier: GPL-2.0-only
#
# Manifests of the demo's exact runs -> one row for each strategy and each variant of it, in the
# order of $ARGS.positional (names of strategies): name, safe on RT, scenario, waits for the
# eventfd's sake or beside it, then for a poller of priority 40 and of 80: min, commonest; all runs
# valid; stages of the first as "name commonest"; tab-separated.
def stages: .stages[1:] | map(select(.name != "user-done") | "\(.name) \(.commonest)") | join(",");

group_by([.strategy, .eventfd]) | map(sort_by(.poller.priority)) as $all
| $ARGS.positional[] as $name
| $all | map(select(.[0].strategy == $name)) | sort_by(.[0].eventfd != "silent")[]
| . as [$below, $above]
| [$name, $below.safe_on_rt, $below.scenario, $below.eventfd,
   $below.stages[0].min, $below.stages[0].commonest,
   $above.stages[0].min, $above.stages[0].commonest,
   (map(.valid) | all), ($below | stages)]
| map(tostring) | join("\t")
