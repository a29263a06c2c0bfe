# SPDX-License-Identifier: GPL-2.0-only
#
# The demo's table, from the rows of demo.jq. Strategies are compared with stock in its best
# arrangement; one that was measured in another scenario is not.
function group(n,    s, out)
{
	s = sprintf("%d", n)
	out = ""
	while (length(s) > 3) {
		out = " " substr(s, length(s) - 2) out
		s = substr(s, 1, length(s) - 3)
	}
	return s out
}

function least(a, b) { return a < b ? a : b }

function against(best)
{
	return sprintf("%+.1f %%", (best / stock - 1) * 100)
}

function row(name, safe, below, below_common, above, above_common, last)
{
	printf "  %-14s %-8s %15s %11s %11s %11s %15s\n", name, safe, below, below_common, above,
		above_common, last
}

# stack - "sent-isr 1020,isr-signal 150" in words.
function stack(text,    part, pair, n, i, out)
{
	n = split(text, part, ",")
	for (i = 1; i <= n; i++) {
		split(part[i], pair, " ")
		sub(/-/, " to ", pair[1])
		out = out (i > 1 ? " + " : "") pair[1] " " group(pair[2])
	}
	return out
}

BEGIN {
	FS = "\t"
	printf "MSI to user space, PREEMPT_RT %s, scenario sync, path length in guest instructions\n", release
	printf "  %-14s %-8s %27s %23s %15s\n", "strategy", "on RT",
		"poller below its IRQ thread", "poller above it", "against stock"
	row("", "allowed", "min", "commonest", "min", "commonest", "(best relation)")
}

{
	best = least($5, $7)
	if ($1 == "stock") {
		stock = best
		ratio = $7 / $5
	}
	safe = $2 == "true" ? "yes" : "NO"
	if ($2 != "true")
		unsafe = unsafe (unsafe ? ", " : "") $1
	if ($9 != "true")
		invalid = invalid (invalid ? ", " : "") $1
	if ($3 != "sync") {
		apart[++others] = $1 "\t" safe "\t" $3 "\t" $5 "\t" $6 "\t" $7 "\t" $8 "\t" $10
		next
	}
	name = $4 == "signalled beside" ? "  + eventfd" : $1
	row(name, safe, group($5), group($6), group($7), group($8),
		$1 == "stock" ? "-" : against(best))
	if (name != $1)
		beside = $1
}

END {
	for (i = 1; i <= others; i++) {
		split(apart[i], f, "\t")
		printf "  in scenario %s:\n", f[3]
		row(f[1], f[2], group(f[4]), group(f[5]), group(f[6]), group(f[7]), "not comparable")
		printf "    commonest: %s\n", stack(f[8])
	}
	if (invalid)
		printf "INVALID, do not use: %s\n", invalid
	print ""
	if (ratio > 1.05)
		printf "A poller above its IRQ thread costs %.1f times the path with stock: it preempts the thread\ninside the eventfd's lock and waits for it there. See README, \"Priorities\".\n", ratio
	if (beside)
		printf "%s wakes the poller itself; signalling the eventfd as well, for programs that wait on it,\ncosts it a thread. The thread of irqwork is FIFO 1: every poller here is above it.\n", beside
	if (others)
		printf "A poller that spins on a page can be measured on one CPU only where it fires itself.\n"
	if (unsafe)
		printf "%s signals in hard IRQ and takes a sleeping lock there: legal only off PREEMPT_RT; it is\nmeasured here without contention, where it happens not to crash.\n", unsafe
}
