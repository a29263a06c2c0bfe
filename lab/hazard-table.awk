# SPDX-License-Identifier: GPL-2.0-only
#
# The table of make hazard-demo, out of the KEY<TAB>VALUE lines of all runs; a run begins with its
# "kernel".
BEGIN { FS = "\t" }
$1 == "kernel" { n++ }
{ run[n, $1] = substr($0, length($1) + 2) }

function thousands(v, out)
{
	out = ""
	while (length(v) > 3) {
		out = " " substr(v, length(v) - 2) out
		v = substr(v, 1, length(v) - 3)
	}
	return v out
}

# wrap TEXT INDENT: a text of words in lines of 98 columns.
function wrap(text, indent, words, count, i, line)
{
	count = split(text, words, " ")
	line = indent
	for (i = 1; i <= count; i++) {
		if (length(line) + length(words[i]) + 1 > 98 && line != indent) {
			print line
			line = indent
		}
		line = line (line == indent ? "" : " ") words[i]
	}
	if (line != indent)
		print line
}

function kernel_name(i, release)
{
	release = run[i, "kernel"]
	sub(/(\+.*|-rt)?-amd64$|\+.*/, "", release)
	if (run[i, "flavour"] == "rt")
		return release " RT"
	return release (run[i, "flavour"] == "threadirqs" ? ", threadirqs" : ", no RT")
}

function end_of(i, outcome)
{
	outcome = run[i, "outcome"]
	if (outcome == "survived" && run[i, "flavour"] == "rt")
		return "no complaint in " run[i, "boots"] " boots"
	if (outcome == "survived" || outcome == "failed" || outcome == "untried")
		return outcome (run[i, "text"] == "" ? "" : ": " run[i, "text"])
	return run[i, "text"]
}

function guard(i, lost)
{
	if (run[i, "guard_text"] != "")
		return "lost events: eventfd's recursion guard refused " run[i, "guarded"] ", first after " \
			run[i, "guard_at"] ": " run[i, "guard_text"]
	if (run[i, "guarded"] + 0 > 0)
		return "lost events: eventfd's recursion guard refused " run[i, "guarded"]
	return ""
}

function stack(i)
{
	if (run[i, "interrupted"] == "")
		return run[i, "stack"]
	return run[i, "stack"] ", interrupting " run[i, "interrupted"]
}

function row(i, head, text, room)
{
	head = sprintf("  %-20s %-14s %10s  ", kernel_name(i), title[run[i, "scenario"]],
		       thousands(run[i, "interrupts"]))
	text = end_of(i)
	room = 98 - length(head)
	if (length(text) <= room) {
		print head text
	} else {
		print head run[i, "outcome"]
		wrap(text, "      ")
	}
	wrap(stack(i), "      ")
	wrap(guard(i), "      ")
}

END {
	title["vectors"] = "two vectors"
	title["storms"] = "+ poll, epoll"
	title["contend"] = "+ contend"
	print ""
	print "Strategy nothread, eventfd_signal() in hard IRQ: two vectors on one eventfd on two CPUs,"
	print "interrupts raised by " (run[1, "raise"] == "inject" ? "the driver (inject)" : "the device")
	printf "  %-20s %-14s %10s  %s\n", "kernel", "scenario", "interrupts", "how it ended"
	for (i = 1; i <= n; i++)
		row(i)
}
