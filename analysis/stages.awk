# SPDX-License-Identifier: GPL-2.0-only
#
# Exact results -> what stages.gp draws: one stacked bar per result. How a bar is made of its
# stages is said in stages.gp.
#
# Runs after common.awk, in the directory plot prepares: meta.1..n (from manifest.jq) and
# paths.1..n (copies of paths.tsv); -v n=RESULTS.

function WIDTH() { return 1200 }
function RIGHT() { return WIDTH() - 24 }
function ROW() { return 36 }
function BAR() { return 24 }
function UNDER() { return 13 }
function GROUP() { return 34 }
function ARROW() { return " \342\206\222 " }

# read_paths - per stage of result @i: events, distinct paths, shortest and commonest one.
function read_paths(i,    file, line, f, number, last)
{
	file = "paths." i
	number = 0
	while ((getline line < file) > 0) {
		number++
		if (number == 1 && line !~ /^# msilat paths /)
			fail(i, "paths.tsv: line 1: not an msilat list of paths")
		if (number == 1 && line !~ /^# msilat paths 1$/)
			fail(i, "paths.tsv: line 1: another version than the 1 this plot reads")
		if (line ~ /^#/ || line == "")
			continue
		if (split(line, f, "\t") != 3 || !is_count(f[2]) || !is_count(f[3]))
			fail(i, "paths.tsv: line " number ": not a stage, a path length and a count")
		if (f[3] + 0 == 0)
			continue
		if ((i, f[1]) in last && f[2] + 0 <= last[i, f[1]])
			fail(i, "paths.tsv: line " number ": paths are not sorted")
		last[i, f[1]] = f[2] + 0
		add_path(i, f[1], f[2] + 0, f[3] + 0)
	}
	close(file)
	if (!number)
		fail(i, "paths.tsv: empty file")
	if (!events[i, whole[i]])
		fail(i, "no events: nothing to plot")
	total_count[i] = events[i, whole[i]] + stage_beyond[i, whole[i]]
	check_manifest(i)
}

# add_path - the commonest path is the shortest of those with the highest count.
function add_path(i, stage, size, count)
{
	if (!paths[i, stage]++)
		shortest[i, stage] = size
	if (count > most[i, stage]) {
		most[i, stage] = count
		commonest[i, stage] = size
	}
	times[i, stage, size] = count
	events[i, stage] += count
}

# check_manifest - a finished result's two files tell the same, but for the events beyond the
# longest list of paths that is kept. Of paths that tie the manifest's is taken, so that tables and
# pictures agree.
function check_manifest(i,    s, stage, said, listed)
{
	for (s = 1; s <= nstages[i]; s++) {
		stage = stage_name[i, s]
		said = stage_commonest[i, stage]
		listed = stage_count[i, stage] - stage_beyond[i, stage]
		if (M[i, "state"] == "complete" && listed != events[i, stage] + 0)
			fail(i, sprintf("paths.tsv holds %.0f events of %s, manifest.json %.0f: damaged",
				events[i, stage], stage, listed))
		if (!is_number(said) || !events[i, stage])
			continue
		if (times[i, stage, said + 0] == most[i, stage])
			commonest[i, stage] = said + 0
		else if (M[i, "state"] == "complete")
			fail(i, "manifest.json and paths.tsv name different commonest paths of " stage \
				": damaged")
	}
}

# make_bar - the stages of result @i from its first stamp to user, in order, and what they
# leave over.
function make_bar(i,    from, at, to, sum)
{
	for (from = 1; stamp[from] "-user" != whole[i] && from < 4; )
		from++
	nsegments[i] = sum = 0
	for (at = from; at < 5; at = to) {
		to = next_stamp(i, from, at)
		if (!to)
			break
		add_segment(i, stamp[at] "-" stamp[to], commonest[i, stamp[at] "-" stamp[to]])
		sum += commonest[i, stamp[at] "-" stamp[to]]
	}
	total[i] = commonest[i, whole[i]]
	if (at == from)
		add_segment(i, "whole", total[i])
	else if (total[i] > sum)
		add_segment(i, at < 5 ? stamp[at] "-user" : "remainder", total[i] - sum)
	surplus[i] = at == from ? 0 : max(0, sum - total[i])
}

# next_stamp - where the stage that begins at stamp @at ends, the nearest first; 0: nowhere.
# The whole, from @from to user, is no stage of itself.
function next_stamp(i, from, at,    to)
{
	for (to = at + 1; to <= 5; to++)
		if (events[i, stamp[at] "-" stamp[to]] && (at > from || to < 5))
			return to
	return 0
}

function add_segment(i, stage, size)
{
	segment[i, ++nsegments[i]] = stage
	size_of[i, nsegments[i]] = size
	used[stage] = 1
}

# group_key - results that share it stand together. The priority relation of a strategy
# without an IRQ thread is that of its neighbours with the same poller priority.
function group_key(i,    j, relation)
{
	relation = M[i, "relation"]
	for (j = 1; j <= n && relation == "none"; j++)
		if (M[j, "relation"] != "none" &&
		    M[j, "poller_priority"] == M[i, "poller_priority"] && family(i) == family(j))
			relation = M[j, "relation"]
	return family(i) SUBSEP relation
}

# family - results whose lengths may be compared: all is the same but strategy, the
# wait that suits it, and priorities.
function family(i)
{
	return M[i, "kernel"] SUBSEP M[i, "device"] SUBSEP M[i, "scenario"] SUBSEP M[i, "waits"]
}

# make_groups - groups in the order of their first results.
function make_groups(    i, key, part)
{
	ngroups = 0
	for (i = 1; i <= n; i++) {
		key = group_key(i)
		if (!(key in group_of)) {
			group_of[key] = ++ngroups
			first_of[ngroups] = i
			split(key, part, SUBSEP)
			group_relation[ngroups] = part[5]
		}
		group[i] = group_of[key]
		if (group_relation[group[i]] != group_relation[1])
			relations_differ = 1
	}
}

function group_words(g,    i, words, key, list, k)
{
	i = first_of[g]
	words = ""
	if (relations_differ)
		words = relation_heading(group_relation[g])
	split("kernel device scenario waits", list, " ")
	for (k = 1; k <= 4; k++)
		if (differs(list[k], n))
			words = words (words == "" ? "" : ", ") attribute(i, list[k])
	return words
}

function relation_heading(r)
{
	if (r == "none")
		return "no IRQ thread"
	if (r == "-")
		return "priority relation unknown"
	return "poller " r (r == "equal" ? " to" : "") " its IRQ thread"
}

# best_stock - the shortest commonest path of stock in result @i's family; 0: none.
function best_stock(i,    j, best)
{
	best = 0
	for (j = 1; j <= n; j++)
		if (M[j, "strategy"] == "stock" && family(j) == family(i) &&
		    (!best || total[j] < best))
			best = total[j]
	return best
}

function percent(v, base,    p)
{
	p = (v - base) / base * 100
	if (p > -0.05 && p < 0.05)
		return "0\342\200\257%"
	return (p < 0 ? "\342\210\222" : "+") sprintf(p < 9.95 && p > -9.95 ? "%.1f" : "%.0f",
		p < 0 ? -p : p) "\342\200\257%"
}

# least - the shortest path of result @i, which may be beyond the list.
function least(i)
{
	if (!is_number(stage_min[i, whole[i]]))
		return shortest[i, whole[i]]
	return min(stage_min[i, whole[i]] + 0, shortest[i, whole[i]])
}

# end_words - what stands at the bar's end: the total, and in smaller type what it hides.
function end_words(i,    best, words)
{
	total_text[i] = group_digits(total[i])
	best = best_stock(i)
	against[i] = !best || (M[i, "strategy"] == "stock" && total[i] == best) ? "" : \
		percent(total[i], best)
	words = "the only path"
	if (paths[i, whole[i]] > 1)
		words = "min " group_digits(least(i)) ", " \
			group_digits(paths[i, whole[i]]) " paths" \
			(stage_beyond[i, whole[i]] ? " and more" : "")
	if (surplus[i])
		words = words "; its stages' commonest add up to " group_digits(surplus[i]) " more"
	small_text[i] = words
	end_width[i] = 8 + text_width(total_text[i], 11.5) + 12 + (against[i] == "" ? 0 : \
		text_width(against[i], 11) + 12) + text_width(small_text[i], 8.5)
	return end_width[i] + 4
}

# name_rows - what stands left of each bar; returns its width. The heading of its group says
# most; what still ties is told apart by priority, load or label.
function name_rows(    i, k, list)
{
	split("poller_priority wait eventfd load label", list, " ")
	for (k = 1; k <= 5; k++)
		break_ties(n, list[k])
	for (i = 1; i <= n; i++) {
		if (M[i, "safe"] == "false")
			add_detail(i, "unsafe on RT")
		add_state(i)
	}
	return show_names(n, 220)
}

# choose_scale - pixels per instruction: every bar and what stands at its end fit.
function choose_scale(    i, room, extent)
{
	scale = 0
	for (i = 1; i <= n; i++) {
		room = RIGHT() - left - end_words(i)
		extent = max(1, total[i] + surplus[i])
		if (!scale || room / extent < scale)
			scale = room / extent
	}
	axis_high = (RIGHT() - left) / scale
}

# place_rows - the pixel row of each bar, group by group, and each group's heading.
function place_rows(    g, i, y, words)
{
	y = 8
	for (g = 1; g <= ngroups; g++) {
		words = group_words(g)
		if (words != "")
			y += GROUP()
		group_top[g] = y
		group_head[g] = words
		for (i = 1; i <= n; i++)
			if (group[i] == g) {
				row_top[i] = y
				row_y[i] = y + ROW() / 2
				row_height[i] = ROW() + (collect_small(i) ? UNDER() : 0)
				y += row_height[i]
			}
		group_bottom[g] = y
		print_reference(g)
		y += 6
	}
	return y + 4
}

# print_reference - a line at stock's best across each of group @g's rows, but for those whose
# words it would run through.
function print_reference(g,    i, best, at, from)
{
	best = best_stock(first_of[g])
	if (!best)
		return
	used["best"] = 1
	at = best * scale
	for (i = 1; i <= n; i++) {
		from = (total[i] + surplus[i]) * scale
		if (group[i] == g && (at < from + 6 || at > from + end_width[i] + 6))
			printf "%.9g\t%.2f\t%.2f\n", best, row_top[i], row_height[i] > "references"
	}
}

# fits - is there room inside segment @s of result @i for its words?
function fits(i, s)
{
	return text_width(inside(i, s), 9.5) + 8 <= size_of[i, s] * scale
}

function inside(i, s)
{
	return segment[i, s] == "whole" ? legend_words("whole") : group_digits(size_of[i, s])
}

# collect_small - the values of result @i that do not fit into their segments, to stand below the
# bar. The size of the whole stands at its end.
function collect_small(i,    s, x)
{
	nsmall = x = 0
	for (s = 1; s <= nsegments[i]; s++) {
		if (!fits(i, s) && segment[i, s] != "whole") {
			small[++nsmall] = group_digits(size_of[i, s])
			mark_at[nsmall] = left + (x + size_of[i, s] / 2) * scale
			label_width[nsmall] = text_width(small[nsmall], 8)
		}
		x += size_of[i, s]
	}
	return nsmall
}

# print_bars - segments, their values, and the words at the ends.
function print_bars(    i, s, x, end)
{
	for (i = 1; i <= n; i++) {
		x = 0
		for (s = 1; s <= nsegments[i]; s++) {
			end = x + size_of[i, s]
			printf "%s\t%.9g\t%.9g\t%.2f\n", segment[i, s], x, end,
				row_y[i] > "segments"
			if (fits(i, s))
				printf "%s\t%.9g\t%.2f\t%s\t%.9g\n", segment[i, s],
					(x + end) / 2, row_y[i], inside(i, s),
					(text_width(inside(i, s), 9.5) / 2 + 3) / scale > "values"
			x = end
		}
		print_small(i)
		print_end(i, x * scale + left + 8)
		if (surplus[i])
			printf "%.9g\t%.2f\n", total[i], row_y[i] > "totals"
	}
}

function print_small(i,    k)
{
	spread_labels(collect_small(i), left, RIGHT(), 7)
	for (k = 1; k <= nsmall; k++)
		printf "%.2f\t%.2f\t%.2f\t%s\n", mark_at[k], label_at[k], row_y[i] + BAR() / 2,
			small[k] > "small"
}

# print_end - texts after the bar of @i, from pixel @x on.
function print_end(i, x)
{
	printf "%.2f\t%.2f\t%s\n", x, row_y[i], total_text[i] > "end_total"
	x += text_width(total_text[i], 11.5) + 12
	if (against[i] != "") {
		printf "%.2f\t%.2f\t%s\n", x, row_y[i], against[i] > "end_against"
		x += text_width(against[i], 11) + 12
	}
	printf "%.2f\t%.2f\t%s\n", x, row_y[i], small_text[i] > "end_small"
}

# print_legend - a swatch and a name for each stage in use, in order, in as many lines as that
# takes. Returns the pixels they take.
function print_legend(    a, b)
{
	legend_x = 20
	legend_y = 12
	for (a = 1; a < 5; a++)
		for (b = a + 1; b <= 5; b++)
			add_legend(stamp[a] "-" stamp[b])
	add_legend("whole")
	add_legend("remainder")
	add_legend("best")
	return legend_y + 18
}

function add_legend(entry,    words, wide)
{
	if (!(entry in used))
		return
	words = legend_words(entry)
	wide = 34 + text_width(words, 10)
	if (legend_x + wide > RIGHT()) {
		legend_x = 20
		legend_y += 24
	}
	if (entry == "best")
		printf "%d\t%d\t%s\n", legend_x, legend_y, words > "legend_best"
	else
		printf "%s\t%d\t%d\t%s\n", entry, legend_x, legend_y, words > "legend"
	legend_x += wide + 26
}

function legend_words(entry,    f)
{
	if (entry == "remainder")
		return "rest, not in the stages' commonest paths"
	if (entry == "best")
		return "stock at its best; % is against it"
	split(entry == "whole" ? whole[1] : entry, f, "-")
	return f[1] ARROW() f[2] (entry == "whole" ? ", not split" : "")
}

# print_length_axis - tics, and grid lines that keep clear of the groups' headings.
function print_length_axis(    step, v, g, tics)
{
	step = max(1, nice_step(axis_high, 10))
	tics = ""
	for (v = 0; v * step <= axis_high; v++) {
		tics = tics sprintf("%s'%s' %.9g", v ? ", " : "", group_digits(v * step), v * step)
		for (g = 1; g <= ngroups; g++)
			printf "%.9g\t%.2f\t%.2f\n", v * step, group_top[g],
				group_bottom[g] > "grid"
	}
	printf "set xtics (%s)\n", tics > "tics.gp"
	print "xlabel_text = " quote("guest instructions from " whole_words()) > "params.gp"
}

function default_title(    i)
{
	return "MSI to user space" (n == 1 ? ", strategy " M[1, "strategy"] : "") \
		": path length by stage"
}

# touch - gnuplot reads every file, also one that nothing is written to.
function touch(files,    list, k)
{
	for (k = split(files, list, " "); k > 0; k--)
		printf "" > list[k]
}

BEGIN {
	touch("small legend_best values references totals end_against")
	split("sent isr thread signal user", stamp, " ")
	for (i = 1; i <= n; i++) {
		read_meta(i)
		read_paths(i)
		make_bar(i)
	}
	make_groups()
	left = name_rows() + 44
	choose_scale()
	make_subtitle(n, "events", WIDTH() - 40)
	if (differs("relation", n) && !relations_differ)
		add_subtitle(relation_heading(group_relation[1]), WIDTH() - 40)
	add_subtitle("exact mode: path lengths, not time", WIDTH() - 40)
	make_warnings(n, WIDTH() - 40)
	head = print_heading(default_title(), 20, RIGHT())
	print_series(n)
	rows = place_rows()
	legend = print_legend()
	print_bars()
	print_length_axis()
	printf "width = %d\nleft = %.1f\nright = %.1f\nhead = %d\n", WIDTH(), left, RIGHT(),
		head > "params.gp"
	printf "legend = %d\nrows = %d\nbar = %d\naxis_high = %.9g\n", legend, rows, BAR(),
		axis_high > "params.gp"
	printf "ngroups = %d\narray group[%d]; array group_y[%d]; array row_y[%d]\n", ngroups,
		ngroups, ngroups, n > "params.gp"
	for (g = 1; g <= ngroups; g++)
		printf "group[%d] = %s\ngroup_y[%d] = %.2f\n", g,
			quote(shorten(group_head[g], WIDTH() - 60, 10.5)), g,
			group_top[g] - 13 > "params.gp"
	for (i = 1; i <= n; i++)
		printf "row_y[%d] = %.2f\n", i, row_y[i] > "params.gp"
}
