# SPDX-License-Identifier: GPL-2.0-only
# The demo's table. Strategies are compared with stock in its best arrangement.
function group(n,   s, out) {
	s = sprintf("%d", n)
	out = ""
	while (length(s) > 3) {
		out = " " substr(s, length(s) - 2) out
		s = substr(s, 1, length(s) - 3)
	}
	return s out
}
function least(a, b) { return a < b ? a : b }
BEGIN {
	printf "MSI to user space, PREEMPT_RT %s, scenario sync, path length in guest instructions\n", release
	printf "  %-10s %-8s %29s %23s %15s\n", "strategy", "on RT", "poller below its IRQ thread", "poller above it", "against stock"
	printf "  %-10s %-8s %17s %11s %11s %11s %15s\n", "", "allowed", "min", "commonest", "min", "commonest", "(best relation)"
}
{
	best = least($3, $5)
	if ($1 == "stock") {
		stock = best
		ratio = $5 / $3
		against = "-"
	} else {
		against = sprintf("%+.1f %%", (best / stock - 1) * 100)
	}
	printf "  %-10s %-8s %17s %11s %11s %11s %15s%s\n", $1, $2 == "true" ? "yes" : "NO",
		group($3), group($4), group($5), group($6), against,
		$7 == "true" ? "" : "  INVALID"
	if ($2 != "true")
		unsafe = unsafe (unsafe ? ", " : "") $1
}
END {
	if (ratio > 1.05)
		printf "A poller above its IRQ thread costs %.1f times the path with stock: it preempts the thread\ninside the eventfd's lock and waits for it there. See README, \"Priorities\".\n", ratio
	if (unsafe)
		printf "%s signals in hard IRQ and takes a sleeping lock there: legal only off PREEMPT_RT; it is\nmeasured here without contention, where it happens not to crash.\n", unsafe
}
