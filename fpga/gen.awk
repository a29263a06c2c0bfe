# SPDX-License-Identifier: GPL-2.0-only
#
# awk -v to=c|verilog|markdown -f gen.awk regs.txt: the register map in one language.
# POSIX awk: no hexadecimal numbers, no bit operations.

function fail(what)
{
	printf "%s:%d: %s\n", FILENAME, FNR, what >"/dev/stderr"
	failed = 1
	exit 1
}

# The value of 12 or 0x1f.
function number(text,    v, i, d)
{
	if (text ~ /^[0-9]+$/)
		return text + 0
	if (text !~ /^0x[0-9a-f]+$/)
		fail("\"" text "\" is no number")
	for (i = 3; i <= length(text); i++) {
		d = index("0123456789abcdef", substr(text, i, 1)) - 1
		v = v * 16 + d
	}
	return v
}

# What follows the first n words of the line.
function rest(n,    s)
{
	for (s = $0; n > 0; n--)
		sub(/^[^ \t]+[ \t]*/, "", s)
	if (s == "")
		fail("a text is missing")
	return s
}

function name(text)
{
	if (text !~ /^[A-Z][A-Z0-9_]*$/)
		fail("\"" text "\" is no name")
	return text
}

function item(kind, text)
{
	n++
	type[n] = kind
	txt[n] = text
}

# An offset may be given once, in its block.
function place(off,    key)
{
	if (off % 4)
		fail("an offset is no multiple of 4")
	if (blocks && off >= stride[blocks])
		fail("an offset is not within the block")
	key = blocks "," off
	if (key in taken)
		fail("the offset is taken by " taken[key])
	taken[key] = $3
}

BEGIN {
	if (to != "c" && to != "verilog" && to != "markdown") {
		print "gen.awk: -v to=c, verilog or markdown" >"/dev/stderr"
		failed = 2
		exit 2
	}
}

/^#/ || /^$/ { next }

/^[ \t]/ {
	if (!n)
		fail("nothing goes on here")
	sub(/^[ \t]+/, "")
	txt[n] = txt[n] " " $0
	next
}

$1 == "const" {
	item("const", rest(3))
	id[n] = name($2)
	at[n] = number($3)
	shown[n] = $3
	next
}

$1 == "block" {
	item("block", rest(5))
	id[n] = name($2)
	at[n] = number($3)
	blocks++
	stride[blocks] = number($4)
	step[n] = $4
	many[n] = number($5)
	base[n] = $3
	prefix = $2 "_"
	next
}

$1 == "reg" {
	item("reg", rest(5))
	id[n] = prefix name($3)
	at[n] = number($2)
	place(at[n])
	if ($4 !~ /^(RO|RW|WO|W1C)$/)
		fail("\"" $4 "\" is no access")
	access[n] = $4
	if ($5 != "-")
		number($5)
	initial[n] = $5
	within[n] = blocks
	used = ""
	owner = n
	next
}

$1 == "field" {
	if (!owner)
		fail("a field without register")
	item("field", rest(3))
	parts = split($2, bit, ":")
	high[n] = number(bit[1])
	low[n] = number(bit[parts])
	if (parts > 2 || high[n] > 31 || low[n] > high[n])
		fail("\"" $2 "\" are no bits")
	for (b = low[n]; b <= high[n]; b++) {
		if (index(used, "," b ","))
			fail("bit " b " is taken")
		used = used "," b ","
	}
	id[n] = id[owner] "_" name($3)
	short[n] = $3
	owned[n] = owner
	next
}

{ fail("neither const, block, reg nor field") }

END {
	if (failed)
		exit failed
	if (to == "c")
		write_c()
	else if (to == "verilog")
		write_verilog()
	else
		write_markdown()
}

# The bits high to low as 0x and eight digits.
function mask(high, low)
{
	return sprintf("0x%08x", 2 ^ (high + 1) - 2 ^ low)
}

# "#define NAME<tabs>VALUE", the value in column 41.
function define(what, value,    tabs, len)
{
	len = 8 + length(what)
	for (tabs = "\t"; int(len / 8) * 8 + 8 * length(tabs) < 40; )
		tabs = tabs "\t"
	print "#define " what tabs value
}

function write_c(    i)
{
	print "/* SPDX-License-Identifier: GPL-2.0-only */"
	print "/* Made from regs.txt by gen.awk: change it there. REGISTERS.md says what they mean. */"
	print "#ifndef FPGA_REGS_H"
	print "#define FPGA_REGS_H"
	print ""
	for (i = 1; i <= n; i++) {
		if (type[i] == "const")
			define("FPGA_" id[i], sprintf("0x%08xu", at[i]))
		if (type[i] == "block") {
			print ""
			define("FPGA_" id[i] "(n)", "(" base[i] " + " step[i] " * (n))")
		}
		if (type[i] == "reg") {
			if (type[i - 1] == "const")
				print ""
			define("FPGA_" id[i], sprintf("0x%03x", at[i]))
		}
		if (type[i] == "field") {
			define("FPGA_" id[i], mask(high[i], low[i]) "u")
			define("FPGA_" id[i] "_SHIFT", low[i])
		}
	}
	print ""
	print "#endif"
}

function write_verilog(    i)
{
	print "// SPDX-License-Identifier: GPL-2.0-only"
	print "// Made from regs.txt by gen.awk: change it there. REGISTERS.md says what they mean."
	print "// Included inside a module: every constant is local to it."
	print ""
	for (i = 1; i <= n; i++) {
		if (type[i] == "const")
			printf "localparam [31:0] MSILAT_%s = 32'h%08x;\n", id[i], at[i]
		if (type[i] == "block") {
			printf "localparam [11:0] MSILAT_%s_BASE = 12'h%03x;\n", id[i], at[i]
			printf "localparam [11:0] MSILAT_%s_STRIDE = 12'h%03x;\n", id[i], number(step[i])
		}
		if (type[i] == "reg")
			printf "localparam [11:0] MSILAT_%s = 12'h%03x;\n", id[i], at[i]
		if (type[i] == "field")
			printf "localparam integer MSILAT_%s_SHIFT = %d;\n", id[i], low[i]
	}
}

function cell(text)
{
	gsub(/\|/, "\\|", text)
	return text
}

function write_markdown(    i, was)
{
	print "<!-- Made from regs.txt by gen.awk: change it there. -->"
	print "# Registers of the timestamping device"
	print ""
	print "BAR 0, 4 KiB, 32-bit accesses, little-endian. Addresses without a register read 0; writes to them"
	print "set STATUS.BAD_ACCESS. Reading has no effect but latching. Access: RO read only, RW read and write,"
	print "WO write only (reads 0), W1C writing 1 clears."
	for (i = 1; i <= n; i++) {
		if (type[i] == "block") {
			printf "\n## Block %s: %s + %s × n, n below %d\n\n%s\n", id[i], base[i], step[i],
				many[i], txt[i]
			was = ""
		}
		if (type[i] != was && type[i] == "const")
			print "\n## Numbers\n\n| name | value | meaning |\n|-|-|-|"
		if (was != "reg" && was != "field" && type[i] == "reg")
			print (within[i] ? "" : "\n## Registers\n") "\n| offset | name | access | reset | meaning |\n|-|-|-|-|-|"
		if (type[i] == "const")
			printf "| %s | %s | %s |\n", id[i], shown[i], cell(txt[i])
		if (type[i] == "reg")
			printf "| 0x%03x | **%s** | %s | %s | %s |\n", at[i], id[i], access[i],
				initial[i] == "-" ? "" : initial[i], cell(txt[i])
		if (type[i] == "field")
			printf "| | %s, %s | | | %s |\n", short[i],
				high[i] == low[i] ? "bit " low[i] : "bits " high[i] ":" low[i], cell(txt[i])
		was = type[i]
	}
}
