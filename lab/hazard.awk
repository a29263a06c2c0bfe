# SPDX-License-Identifier: GPL-2.0-only
#
# Reads the text that detonate told its host (lab/hazard/complaint.h), prints as KEY<TAB>VALUE the
# first complaint that is more than a WARNING, its stack, and the first WARNING about eventfd:
#   class, at, text, stack; guard_at, guard_text

function fact(key, value)
{
	if (!(key in known))
		printf "%s\t%s\n", key, value
	known[key] = 1
}

# A frame, without offset; what a debugger would not be sure of, and the messenger, are left out.
function frame(line, name)
{
	name = line
	sub(/^ +/, "", name)
	if (name ~ /^[?<]/ || name !~ /\+0x/ || within)
		return
	sub(/\+0x.*/, "", name)
	sub(/^RIP: [0-9]*:/, "", name)
	sub(/\.(cold|constprop|isra|part).*/, "", name)
	if (name ~ /^(dump_stack|dump_stack_lvl|show_stack|__schedule_bug|dump_backtrace)$/)
		return
	stack = stack (stack == "" ? "" : " <- ") name
	# Below our handler, or any other, it is the same for all interrupts.
	if (name ~ /_handler$/ || name ~ /irq_event/)
		within = 1
}

# The first stack of all is the complaint's; but that of our handler, should there be one, is it.
function finish()
{
	if (stack != "" && (best == "" || (best !~ /nothread_handler/ && stack ~ /nothread_handler/)))
		best = stack
	stack = ""
	within = 0
	tracing = 0
}

/^@warning / && /eventfd/ {
	at = $2
	sub(/^@warning [0-9]+ /, "")
	fact("guard_at", at)
	fact("guard_text", $0)
	next
}
/^@/ && !/^@warning / {
	class = substr($1, 2)
	at = $2
	sub(/^@[a-z]+ [0-9]+ /, "")
	fact("class", class)
	fact("at", at)
	fact("text", $0)
	next
}
class == "" { next }
/^RIP: 0010:/ {
	finish()
	rip = $0
}
/Call Trace:/ {
	finish()
	tracing = 1
	if (rip != "")
		frame(rip)
	rip = ""
	next
}
tracing && /<\/TASK>|<\/IRQ>/ && stack != "" { finish(); next }
tracing { frame($0) }
END {
	finish()
	if (best != "")
		fact("stack", best)
}
