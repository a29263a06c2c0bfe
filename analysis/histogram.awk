# SPDX-License-Identifier: GPL-2.0-only
#
# Latency histograms -> what histogram.gp draws: one curve.N per result, params.gp.
#
# Runs after common.awk, in the directory plot prepares: meta.1..n (from manifest.jq) and
# histogram.1..n (copies of histogram.tsv); -v n=RESULTS.
#
# The file's bins are log-linear: their width doubles from octave to octave. Drawn as they are,
# counts would double there too. So they are gathered, whole, into columns that are equally wide
# on the axis: a fixed number of nanoseconds on a linear axis, a fixed ratio on a log one. The
# height is the number of samples in the column, so that a single sample is 1 wherever it lies;
# the axis names the width. A column never splits a bin: its drawn edges give way to theirs.

# Widest ratio of largest to smallest latency that a linear axis still shows well.
function LINEAR_SPREAD() { return 10 }
function WIDTH() { return 1200 }
function RIGHT() { return WIDTH() - 36 }
function LANE() { return 40 }

# read_bins - the latency's bins of result @i, in ns, from histogram.@i.
function read_bins(i,    file, line, f, number, magic, sum, cycle, last)
{
	file = "histogram." i
	number = magic = sum = nbins[i] = 0
	if (M[i, "hz"] + 0 <= 0)
		fail(i, "manifest.json: no clock rate (clock.hz), so cycles have no length")
	cycle = 1e9 / M[i, "hz"]
	last = -1
	while ((getline line < file) > 0) {
		number++
		if (number == 1) {
			magic = check_magic(i, line)
			continue
		}
		if (line ~ /^#/ || line == "")
			continue
		check_row(i, number, line, split(line, f, "\t"), f, cycle)
		if (f[1] != whole[i] || f[6] + 0 == 0)
			continue
		if (f[2] + 0 <= last)
			fail(i, "histogram.tsv: line " number ": bins overlap or are not sorted")
		last = f[3] + 0
		low[i, ++nbins[i]] = f[2] * cycle
		high[i, nbins[i]] = (f[3] + 1) * cycle
		count[i, nbins[i]] = f[6] + 0
		sum += f[6]
	}
	close(file)
	if (!magic)
		fail(i, "histogram.tsv: empty file")
	check_sums(i, sum, cycle)
}

function check_magic(i, line)
{
	if (line !~ /^# msilat histogram /)
		fail(i, "histogram.tsv: line 1: not an msilat histogram")
	if (line !~ /^# msilat histogram 1$/)
		fail(i, "histogram.tsv: line 1: another version than the 1 this plot reads")
	return 1
}

function check_row(i, number, line, fields, f, cycle,    error)
{
	if (fields != 6)
		fail(i, "histogram.tsv: line " number ": " fields " fields where 6 belong")
	if (!is_count(f[2]) || !is_count(f[3]) || !is_number(f[4]) || !is_number(f[5]) ||
	    !is_count(f[6]))
		fail(i, "histogram.tsv: line " number ": a field is no number")
	if (f[3] + 0 < f[2] + 0)
		fail(i, "histogram.tsv: line " number ": the bin ends before it begins")
	error = f[4] - f[2] * cycle
	if (error < 0)
		error = -error
	if (error > 1 + 0.001 * f[4])
		fail(i, "histogram.tsv: line " number ": its ns do not follow from its cycles at clock.hz")
}

# check_sums - a finished result's histogram holds every sample, the maximum included.
# A checkpoint is read as it is: its run may have written one of the two files just now.
function check_sums(i, sum, cycle,    said, limit)
{
	said = stage_count[i, whole[i]]
	if (sum == 0)
		fail(i, "no events: nothing to plot")
	total_count[i] = sum
	largest[i] = high[i, nbins[i]] - cycle
	smallest[i] = low[i, 1]
	if (M[i, "state"] == "complete" && sum != said)
		fail(i, sprintf("histogram.tsv holds %.0f samples, manifest.json %.0f: damaged", sum, said))
	if (is_number(stage_max[i, whole[i]])) {
		limit = stage_max[i, whole[i]] + 0
		if (M[i, "state"] == "complete" &&
		    (limit < low[i, nbins[i]] * 0.999 - 1 || limit > high[i, nbins[i]] * 1.001 + 1))
			fail(i, "histogram.tsv does not end at the maximum manifest.json names: damaged")
		largest[i] = limit
	}
	if (is_number(stage_min[i, whole[i]]))
		smallest[i] = stage_min[i, whole[i]] + 0
}

# choose_axis - linear or log, and its ends: every bin and every maximum lies inside.
function choose_axis(    i, bottom, top, span)
{
	bottom = low[1, 1]
	top = 0
	for (i = 1; i <= n; i++) {
		bottom = min(bottom, min(low[i, 1], smallest[i]))
		top = max(top, max(high[i, nbins[i]], largest[i]))
	}
	logarithmic = top > LINEAR_SPREAD() * max(bottom, 1)
	if (logarithmic) {
		axis_low = max(bottom, 0.5) / 1.12
		axis_high = top * exp(0.04 * log(top / axis_low))
		return
	}
	span = top - bottom
	axis_low = bottom < 0.4 * top ? 0 : max(0, bottom - max(0.06 * span, 0.02 * top))
	axis_high = top + max(0.05 * (top - axis_low), 0.02 * top)
}

# choose_columns - how wide a column is: enough of them to show the shape, the more so the more
# samples there are, and never narrower than the bins.
function choose_columns(    i, b, widest, samples, columns, same_clock)
{
	widest = samples = 0
	same_clock = !differs("hz", n)
	for (i = 1; i <= n; i++) {
		samples = max(samples, total_count[i])
		for (b = 1; b <= nbins[i]; b++)
			widest = max(widest, high[i, b] - low[i, b])
	}
	columns = min(240, max(24, 6 * exp(log(samples) / 3)))
	if (logarithmic) {
		per_octave = 16
		while (per_octave > 4 && per_octave * log(axis_high / axis_low) / log(2) > columns)
			per_octave /= 2
		column_words = sprintf("samples per column, each %s\342\200\257%% wide",
			three_digits((exp(log(2) / per_octave) - 1) * 100))
		return
	}
	# Bins of different clocks do not line up: several to a column keep that from showing.
	column = same_clock ? widest : 4 * widest
	while ((axis_high - axis_low) / column > columns)
		column *= 2
	column_words = "samples per column, each " human_time(column) " wide"
}

# widen_axis - let the outermost columns end on the axis, too.
function widen_axis(    i, b, edge)
{
	for (i = 1; i <= n; i++) {
		b = nbins[i]
		edge = column_edge(column_of((low[i, 1] + high[i, 1]) / 2))
		axis_low = min(axis_low, logarithmic ? edge / 1.02 : edge)
		edge = column_edge(column_of((low[i, b] + high[i, b]) / 2) + 1)
		axis_high = max(axis_high, logarithmic ? edge * 1.02 : \
			edge + 0.01 * (edge - axis_low))
	}
}

function column_of(ns)
{
	if (logarithmic)
		return floor(log(max(ns, 0.5)) / log(2) * per_octave)
	return floor(ns / column)
}

function column_edge(c)
{
	return logarithmic ? exp(c / per_octave * log(2)) : c * column
}

# print_curve - result @i as outlines of its columns, from FLOOR to FLOOR, apart where there are
# none.
function print_curve(i,    b, c, from, to, sum, file, previous)
{
	file = "curve." i
	previous = -1
	for (b = 1; b <= nbins[i]; ) {
		c = column_of((low[i, b] + high[i, b]) / 2)
		from = max(previous, min(column_edge(c), low[i, b]))
		sum = 0
		for (; b <= nbins[i] && column_of((low[i, b] + high[i, b]) / 2) == c; b++) {
			sum += count[i, b]
			to = high[i, b]
		}
		to = max(column_edge(c + 1), to)
		from = max(from, axis_low)
		if (from > previous && previous >= 0)
			printf "%.9g\tFLOOR\n\n", previous > file
		if (from > previous)
			printf "%.9g\tFLOOR\n", from > file
		printf "%.9g\t%.0f\n%.9g\t%.0f\n", from, sum, to, sum > file
		highest = max(highest, sum)
		previous = to
	}
	printf "%.9g\tFLOOR\n", previous > file
	close(file)
}

# pixel - where @ns lies across the picture.
function pixel(ns,    part)
{
	if (logarithmic)
		part = log(max(ns, axis_low) / axis_low) / log(axis_high / axis_low)
	else
		part = (ns - axis_low) / (axis_high - axis_low)
	return left + part * (RIGHT() - left)
}

# place_marks - result @i's marks and their labels, moved apart until none overlaps.
function place_marks(i,    m, text)
{
	nmarks = 0
	if (is_number(stage_p50[i, whole[i]]))
		add_mark("p50", stage_p50[i, whole[i]] + 0)
	if (is_number(stage_p99[i, whole[i]]))
		add_mark("p99", stage_p99[i, whole[i]] + 0)
	add_mark("max", largest[i])
	spread_labels(nmarks, left, RIGHT(), 14)
	for (m = 1; m <= nmarks; m++) {
		text = mark_kind[m] " " human_time(mark[m])
		printf "%d\t%s\t%.9g\t%.2f\t%.2f\t%s\n", i, mark_kind[m], mark[m],
			mark_at[m], label_at[m], text > "marks"
	}
}

function add_mark(kind, ns)
{
	mark_kind[++nmarks] = kind
	mark[nmarks] = ns
	mark_at[nmarks] = pixel(ns)
	label_width[nmarks] = text_width(kind " " human_time(ns), 9.5)
}

# print_time_axis - tics in one unit (linear), or each with its own (log).
function print_time_axis(    step, v, unit, decade, m, tics, digits, words)
{
	words = "latency, " whole_words()
	if (M[1, "mode"] == "live")
		words = words ", emulator time"
	else if (M[1, "mode"] == "sim")
		words = words ", simulated"
	tics = ""
	if (!logarithmic) {
		unit = time_unit(axis_high)
		step = nice_step((axis_high - axis_low) / unit, 10)
		if (unit == 1)
			step = max(1, step)
		digits = step < 1 ? ceil(-log10(step) - 1e-9) : 0
		for (v = ceil(axis_low / unit / step - 1e-9); v * step * unit <= axis_high; v++)
			tics = tics sprintf("%s'%.*f' %.9g", tics == "" ? "" : ", ", digits,
				v * step, v * step * unit)
		words = words " (" unit_name ")"
	} else {
		words = words " (log scale)"
		tics = log_tics()
	}
	printf "set xtics (%s)\n", tics > "tics.gp"
	print "xlabel_text = " quote(words) > "params.gp"
}

function log_tics(    decades, d, k, m, v, tics)
{
	decades = log10(axis_high / axis_low)
	tics = ""
	for (d = floor(log10(axis_low)); d <= log10(axis_high); d++)
		for (m = 1; m < 10; m++) {
			v = m * exp(d * log(10))
			if (v < axis_low || v > axis_high)
				continue
			k = m == 1 || (decades <= 2.2 && (m == 2 || m == 5)) || \
				(decades <= 1.2 && m == 3)
			tics = tics sprintf("%s'%s' %.9g%s", tics == "" ? "" : ", ",
				k ? round_time(m, d) : "", v, k ? "" : " 1")
		}
	return tics
}

# round_time - @m times ten to the @d nanoseconds, for a tic.
function round_time(m, d,    units, u)
{
	split("ns \302\265s ms s", units, " ")
	u = min(3, max(0, floor(d / 3)))
	return sprintf(d < 0 ? "%.1f %s" : "%.0f %s", m * exp((d - 3 * u) * log(10)), units[u + 1])
}

# print_count_axis - powers of ten from below one sample to above the highest column.
function print_count_axis(    d, tics, top)
{
	top = max(12, highest * exp(0.06 * log(highest / 0.6)) * 1.15)
	tics = ""
	for (d = 0; d <= log10(top); d++)
		tics = tics sprintf("%s'%s' 1e%d", d ? ", " : "", group_digits(exp(d * log(10))), d)
	printf "set ytics (%s)\n", tics > "tics.gp"
	printf "count_low = 0.6\ncount_high = %.9g\n", top > "params.gp"
	return text_width(group_digits(exp(floor(log10(top)) * log(10))), 10)
}

# name_lanes - the words at the left of each lane; returns their width.
function name_lanes(    i)
{
	for (i = 1; i <= n; i++) {
		if (counts_differ)
			add_detail(i, group_digits(total_count[i]) " samples")
		if (M[i, "safe"] == "false" && M[i, "realtime"] == "true")
			add_detail(i, "unsafe on RT")
		add_state(i)
	}
	return show_names(n, 240)
}

function default_title(    i, list)
{
	if (n == 1)
		return "MSI to user space, strategy " M[1, "strategy"]
	for (i = 1; i <= n; i++)
		if (!(M[i, "strategy"] in listed)) {
			listed[M[i, "strategy"]] = 1
			list = list (list == "" ? "" : ", ") M[i, "strategy"]
		}
	return "MSI to user space: " list
}

BEGIN {
	for (i = 1; i <= n; i++) {
		read_meta(i)
		read_bins(i)
		if (total_count[i] != total_count[1])
			counts_differ = 1
	}
	name_series(n, "waits scenario relation kernel device load")
	choose_axis()
	choose_columns()
	widen_axis()
	highest = 1
	for (i = 1; i <= n; i++)
		print_curve(i)
	make_warnings(n, WIDTH() - 40)
	room = print_count_axis() + 30
	left = max(room + 22, name_lanes() + 74)
	make_subtitle(n, "samples", WIDTH() - 40)
	print_time_axis()
	for (i = 1; i <= n; i++)
		place_marks(i)
	head = print_heading(default_title(), 20, RIGHT())
	print_series(n)
	printf "ylabel_room = %.1f\n", room > "params.gp"
	printf "width = %d\nleft = %.1f\nright = %.1f\nhead = %d\nlane = %d\n", WIDTH(), left,
		RIGHT(), head, LANE() > "params.gp"
	printf "logarithmic = %d\naxis_low = %.9g\naxis_high = %.9g\nylabel_text = %s\n",
		logarithmic, axis_low, axis_high, quote(column_words) > "params.gp"
	for (i = 1; i <= n; i++)
		printf "%d\t%.2f\t%.2f\n", i, pixel(smallest[i]), pixel(largest[i]) > "whiskers"
}
