# SPDX-License-Identifier: GPL-2.0-only
# Manifests of the demo's exact runs -> one row a strategy:
# strategy, safe on RT, and below/above: min, commonest; tab-separated.
def whole: .stages[0];
group_by(.strategy) | map({
	strategy: .[0].strategy,
	safe: .[0].safe_on_rt,
	valid: (map(.valid) | all),
	below: (map(select(.priority_relation == "below" or (.poller.priority < 50))) | first | whole),
	above: (map(select(.priority_relation == "above" or (.poller.priority > 50))) | first | whole)
})
| (map(.strategy)) as $names
| ["stock", "thread", "split", "nothread"][] as $name
| .[$names | index($name)]
| [.strategy, .safe, .below.min, .below.commonest, .above.min, .above.commonest, .valid]
| @tsv
