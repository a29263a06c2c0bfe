# SPDX-License-Identifier: GPL-2.0-only
#
# Judges what tests/bench/paths.sh measured on one kernel. Reads the committed table (RELEASE ROW
# INSTRUCTIONS, tab-separated, # for comments), then what was measured (ROW INSTRUCTIONS). Prints
# a table, what is wrong with it, and the rows to commit where the committed table has none for the
# release. Exit 1 if anything is wrong.
#
# release: of the kernel measured.

# What holds on every kernel, whatever the committed table says. "recording" is no path but what
# stamps, records and probe take of one.
function rules() {
	ratio("direct", "stock", 0.51)
	ratio("direct", "nothread", 0.92)
	ratio("split", "stock", 1.00)
	ratio("thread", "stock", 1.01)
	if ("recording" in got && got["recording"] > 80)
		wrong(sprintf("recording costs %d instructions, more than 80", got["recording"]))
}

function wrong(text) {
	complaints = complaints "  " text "\n"
}

function ratio(row, of, limit) {
	if (!(row in got) || !(of in got))
		return
	if (got[row] > limit * got[of])
		wrong(sprintf("%s is %.3f of %s, more than %.2f", row, got[row] / got[of], of, limit))
}

function part(row, of) {
	return of in got ? sprintf("%.3f", got[row] / got[of]) : "-"
}

BEGIN { FS = "\t" }
/^#/ || NF == 0 { next }
FNR == NR {
	if ($1 == release)
		committed[$2] = $3
	next
}
{
	got[$1] = $2
	rows[++n] = $1
}
END {
	printf "  %-24s %12s %12s %9s %9s %11s\n", release, "instructions", "committed", "change", "/ stock", "/ nothread"
	for (i = 1; i <= n; i++) {
		row = rows[i]
		change = "-"
		if (row in committed) {
			known++
			more = got[row] / committed[row] - 1
			change = sprintf("%+.1f %%", more * 100)
			if (got[row] * 100 > committed[row] * 101)
				wrong(sprintf("%s: %d instructions, %.1f %% more than the %d committed", row, got[row], more * 100, committed[row]))
		}
		printf "  %-24s %12d %12s %9s %9s %11s\n", row, got[row],
			row in committed ? committed[row] : "-", change, \
			row == "recording" ? "" : part(row, "stock"), row == "recording" ? "" : part(row, "nothread")
	}
	for (row in committed)
		if (!(row in got))
			wrong(row ": committed, but not measured")
	rules()
	if (known < n) {
		printf "rows that tests/bench/paths.tsv does not have:\n"
		for (i = 1; i <= n; i++)
			if (!(rows[i] in committed))
				printf "%s\t%s\t%d\n", release, rows[i], got[rows[i]]
	}
	if (complaints != "") {
		printf "not as it should be, on %s:\n%s", release, complaints
		exit 1
	}
}
