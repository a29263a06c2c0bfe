# SPDX-License-Identifier: GPL-2.0-only
#
# Reads the text that detonate told its host (lab/hazard/complaint.h), prints as KEY<TAB>VALUE the
# first complaint that is more than a WARNING, its stack and what the interrupt had interrupted, and
# the first WARNING about eventfd:
#   class, at, text, stack, interrupted; guard_at, guard_text

function fact(key, value)
{
	if (!(key in known))
		printf "%s\t%s\n", key, value
	known[key] = 1
}

# The name of a frame without its offset; nothing for what is no frame, what a debugger would not be
# sure of, and what only brings the news or passes an interrupt on.
function name_of(line, name)
{
	name = line
	sub(/^ +/, "", name)
	sub(/^RIP: 0010:/, "", name)
	if (name ~ /^[?<]/ || name !~ /^[A-Za-z_0-9.]+\+0x/)
		return ""
	sub(/\+0x.*/, "", name)
	sub(/\.(cold|constprop|isra|part).*/, "", name)
	if (name ~ /^(dump_stack|dump_stack_lvl|show_stack|__schedule_bug|_*common_interrupt)$/)
		return ""
	return name
}

function frame(line, name)
{
	name = name_of(line)
	if (name == "" || where == "done")
		return
	if (where == "task" && name ~ /^(asm_|vfs_|ksys_|do_syscall|__x64_|cpu_startup|kthread|ret_)/) {
		if (under != "")
			where = "done"
		return
	}
	if (where == "task") {
		under = under (under == "" ? "" : " <- ") name
		return
	}
	stack = stack (stack == "" ? "" : " <- ") name
	# From our handler outward, or any other's, it is the same for all interrupts.
	if (name ~ /_handler$/ || name ~ /irq_event/)
		where = "within"
}

# The first stack of all is the complaint's; but that of our handler, should there be one, is it.
function finish()
{
	if (stack != "" && (best == "" || (best !~ /nothread_handler/ && stack ~ /nothread_handler/))) {
		best = stack
		best_under = under
	}
	stack = under = where = ""
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
# Before a trace it is its innermost frame; within one, what an interrupt came upon.
/^RIP: 0010:/ && where == "" { rip = $0; next }
/Call Trace:/ {
	finish()
	where = "frames"
	if (rip != "")
		frame(rip)
	rip = ""
	next
}
/<\/TASK>/ { finish(); next }
/<TASK>/ && stack != "" { where = "task"; next }
where == "" || where == "within" { next }
{ frame($0) }
END {
	finish()
	if (best != "")
		fact("stack", best)
	if (best_under != "")
		fact("interrupted", best_under)
}
