# SPDX-License-Identifier: GPL-2.0-only
#
# What both pictures share: reading what manifest.jq wrote, numbers and words for people,
# titles and subtitles, and the arithmetic of where text goes.
#
# Runs in the directory that plot prepares, in the C locale (bytes, decimal points) under mawk
# and gawk. Text becomes gnuplot strings only through quote(); distances are in pixels.

# fail - give up on result @i; plot turns the line into its one-line error.
function fail(i, text)
{
	printf "%d\t%s\n", i, text > "error"
	exit 1
}

# quote - @s as a gnuplot string that means itself. Everything but letters, blanks and bytes of
# UTF-8 goes as an octal escape: gnuplot looks for quotes, macros and commands in backquotes before
# it looks for strings, takes a single-quoted one that begins with a quote for two, and takes a
# digit after an escape for a part of it.
function quote(s,    i, c, out)
{
	if (!("A" in code))
		for (i = 1; i < 128; i++)
			code[sprintf("%c", i)] = i
	out = ""
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		out = out (c ~ /[A-Za-z ]/ || !(c in code) ? c : sprintf("\\%03o", code[c]))
	}
	return "\"" out "\""
}

function max(a, b) { return a > b ? a : b }
function min(a, b) { return a < b ? a : b }
function floor(x,    t) { t = int(x); return t > x ? t - 1 : t }
function ceil(x) { return 0 - floor(-x) }
function log10(x) { return log(x) / log(10) }
function is_count(s) { return s ~ /^[0-9]+$/ }
function is_number(s) { return s ~ /^[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$/ }

# read_meta - fill M[i, key] and the stage tables from meta.@i; missing values are "-".
# whole[i] is the stage that is the latency: from sent, or else the first listed, to user.
function read_meta(i,    line, f, n)
{
	nstages[i] = 0
	while ((getline line < ("meta." i)) > 0) {
		n = split(line, f, "\t")
		if (f[1] != "stage") {
			M[i, f[1]] = substr(line, length(f[1]) + 2)
			continue
		}
		stage_name[i, ++nstages[i]] = f[2]
		if (f[2] == "sent-user" || (!(i in whole) && f[2] ~ /^[a-z]+-user$/))
			whole[i] = f[2]
		stage_count[i, f[2]] = f[3] == "-" ? 0 : f[3] + 0
		stage_min[i, f[2]] = f[4]
		stage_max[i, f[2]] = f[5]
		stage_p50[i, f[2]] = f[6]
		stage_p99[i, f[2]] = f[7]
		stage_commonest[i, f[2]] = f[8]
		stage_beyond[i, f[2]] = f[9] + 0
	}
	close("meta." i)
	M[i, "waits"] = own_wait(i) ? "own" : M[i, "wait"]
	if (!(i in whole))
		fail(i, "manifest.json: no stage leads to user")
	if (whole[i] != whole[1])
		fail(i, "its latency is " whole[i] ", that of the first result " whole[1] \
			"; plot them apart")
}

# whole_words - what is measured, as "sent to user".
function whole_words(    f)
{
	split(whole[1], f, "-")
	return f[1] " to " f[2]
}

# differs - does @key tell the @n results apart?
function differs(key, n,    i)
{
	for (i = 2; i <= n; i++)
		if (M[i, key] != M[1, key])
			return 1
	return 0
}

# group_digits - 1234567 as 1 234 567, with narrow spaces that do not break.
function group_digits(v,    s, out)
{
	s = sprintf("%.0f", v)
	out = ""
	while (length(s) > 3) {
		out = "\342\200\257" substr(s, length(s) - 2) out
		s = substr(s, 1, length(s) - 3)
	}
	return s out
}

# three_digits - @v (below 1000) to three significant digits; whole numbers stay whole.
function three_digits(v)
{
	if (v == int(v))
		return sprintf("%.0f", v)
	return sprintf(v < 9.995 ? "%.2f" : v < 99.95 ? "%.1f" : "%.0f", v)
}

# time_unit - nanoseconds in the unit that suits @ns; sets unit_name. 999.6 us is 1 ms.
function time_unit(ns)
{
	if (ns < 999.5) {
		unit_name = "ns"
		return 1
	}
	if (ns < 999.5e3) {
		unit_name = "\302\265s"
		return 1e3
	}
	if (ns < 999.5e6) {
		unit_name = "ms"
		return 1e6
	}
	unit_name = "s"
	return 1e9
}

function human_time(ns,    unit)
{
	unit = time_unit(ns)
	return three_digits(ns / unit) " " unit_name
}

# nice_step - the 1, 2 or 5 times a power of ten that cuts @range in at most @pieces.
function nice_step(range, pieces,    raw, power)
{
	raw = range / pieces
	power = exp(floor(log10(raw) + 1e-9) * log(10))
	if (raw <= power * 1.0001)
		return power
	if (raw <= 2 * power)
		return 2 * power
	if (raw <= 5 * power)
		return 5 * power
	return 10 * power
}

# text_width - about how wide @s is at @size points in the pictures' font.
function text_width(s, size,    i, c, em)
{
	em = 0.2 * gsub(/\342\200\257/, "", s)
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c >= "\200" && c < "\300")
			continue
		if (index("iIjl.,:;'|!()[] ", c))
			em += 0.34
		else if (index("frtJ-/\"`", c))
			em += 0.42
		else if (index("mMwW@%+=<>", c) || c == "\342")
			em += 0.88
		else
			em += 0.635
	}
	return em * size * 4 / 3
}

# shorten - @s cut, with an ellipsis, to @width pixels at @size points.
function shorten(s, width, size,    end)
{
	s = substr(s, 1, 2000)
	if (text_width(s, size) <= width)
		return s
	end = length(s)
	while (end > 1 && text_width(substr(s, 1, end), size) > width - size * 4 / 3)
		end--
	while (end > 1 && substr(s, end + 1, 1) >= "\200" && substr(s, end + 1, 1) < "\300")
		end--
	return substr(s, 1, end) "\342\200\246"
}

# spread_labels - label_at[]: centres for @count labels of label_width[], as near their marks at
# mark_at[] (in order) as fit between @from and @to with @gap between them. Labels that touch become
# one block, centred on its marks.
function spread_labels(count, from, to, gap,    m, b, nb, start, wide, want, members)
{
	nb = 0
	for (m = 1; m <= count; m++) {
		nb++
		members[nb] = 1
		wide[nb] = label_width[m]
		want[nb] = mark_at[m] - label_width[m] / 2
		start[nb] = clamp(want[nb], from, to - wide[nb])
		while (nb > 1 && start[nb - 1] + wide[nb - 1] + gap > start[nb]) {
			want[nb - 1] = (want[nb - 1] * members[nb - 1] + members[nb] * \
				(want[nb] - wide[nb - 1] - gap)) / (members[nb - 1] + members[nb])
			wide[nb - 1] += gap + wide[nb]
			members[nb - 1] += members[nb]
			nb--
			start[nb] = clamp(want[nb], from, to - wide[nb])
		}
	}
	m = 0
	for (b = 1; b <= nb; b++)
		for (want[b] = start[b]; members[b] > 0; members[b]--) {
			m++
			label_at[m] = want[b] + label_width[m] / 2
			want[b] += label_width[m] + gap
		}
}

function clamp(v, from, to) { return max(from, min(v, to)) }

# relation_words - the priority relation of result @i, in words.
function relation_words(i,    r, p, prios)
{
	r = M[i, "relation"]
	p = M[i, "poller_priority"]
	if (r == "none")
		return "no IRQ thread" (p == "-" ? "" : " (poller " M[i, "policy"] " " p ")")
	if (r == "-")
		return "priority relation unknown"
	prios = ""
	if (p != "-" && M[i, "irq_priority"] != "-")
		prios = " (" M[i, "policy"] " " p " against " M[i, "irq_priority"] ")"
	return "poller " r (r == "equal" ? " to" : "") " its IRQ thread" prios
}

# own_wait - does result @i wait for its strategy in the one call (or look) that suits it? Such results
# may be compared whatever the wait is called: it is part of the strategy.
function own_wait(i)
{
	return M[i, "wait"] ~ /^(read|direct|page)$/
}

# wait_words - the waits of all @n results.
function wait_words(n,    i, seen_wait, words)
{
	for (i = 1; i <= n; i++)
		if (!(M[i, "wait"] in seen_wait)) {
			seen_wait[M[i, "wait"]]
			words = words (words == "" ? "" : ", ") M[i, "wait"]
		}
	return "wait " words
}

# attribute - what result @i says of @key where results differ in it; short.
function attribute(i, key,    v)
{
	v = M[i, key]
	if (key == "relation")
		return v == "none" ? "no IRQ thread" : "poller " v
	if (key == "poller_priority")
		return "poller " M[i, "policy"] " " v
	if (key == "load")
		return v == "-" ? "no load" : "load " v
	if (key == "waits")
		return "wait " (v == "own" ? M[i, "wait"] : v)
	if (key == "eventfd")
		return "eventfd " (v == "silent" ? "silent" : v == "-" ? "unknown" : "signalled")
	if (key == "device" || key == "kernel" || key == "label")
		return v
	return key " " v
}

# name_series - detail[i]: what tells result i from the others, besides its strategy.
# @keys: space-separated, in order; wait, eventfd, poller priority, then label, break the ties that
# remain.
function name_series(n, keys,    i, k, nk, list, extra, e)
{
	nk = split(keys, list, " ")
	for (i = 1; i <= n; i++) {
		detail[i] = ""
		for (k = 1; k <= nk; k++)
			if (differs(list[k], n))
				add_detail(i, attribute(i, list[k]))
	}
	split("wait eventfd poller_priority label", extra, " ")
	for (e = 1; e <= 4; e++)
		break_ties(n, extra[e])
}

function add_detail(i, text)
{
	detail[i] = detail[i] (detail[i] == "" ? "" : ", ") text
}

# break_ties - what results of one strategy and group[] say of @key, if only that differs.
function break_ties(n, key,    i, j, tied)
{
	for (i = 1; i <= n; i++)
		for (j = 1; j <= n; j++)
			if (i != j && M[i, "strategy"] == M[j, "strategy"] &&
			    group[i] == group[j] && detail[i] == detail[j] &&
			    M[i, key] != M[j, key])
				tied[i] = 1
	for (i = 1; i <= n; i++)
		if (i in tied)
			add_detail(i, attribute(i, key))
}

# events_words - how many events the picture shows; @what is samples or events.
function events_words(n, what,    i, low, high)
{
	low = high = total_count[1]
	for (i = 2; i <= n; i++) {
		low = min(low, total_count[i])
		high = max(high, total_count[i])
	}
	if (low != high)
		return group_digits(low) " to " group_digits(high) " " what " each"
	return group_digits(low) " " (low == 1 ? substr(what, 1, length(what) - 1) : what) \
		(n > 1 ? " each" : "")
}

# add_subtitle - append @part to the subtitle, on a new line when the last one is full.
function add_subtitle(part, width,    joined)
{
	joined = nsubtitles ? subtitle[nsubtitles] "  \302\267  " part : part
	if (nsubtitles && text_width(joined, 10) <= width)
		subtitle[nsubtitles] = joined
	else
		subtitle[++nsubtitles] = shorten(part, width, 10)
}

# make_subtitle - what holds for all @n results.
function make_subtitle(n, what, width)
{
	nsubtitles = 0
	add_subtitle(events_words(n, what), width)
	if (!differs("kernel", n))
		add_subtitle("kernel " M[1, "kernel"] (differs("realtime", n) ? "" : \
			M[1, "realtime"] == "true" ? " (PREEMPT_RT)" : \
			M[1, "realtime"] == "false" ? " (not PREEMPT_RT)" : ""), width)
	if (!differs("device", n))
		add_subtitle("device " M[1, "device"] (differs("backend", n) ? "" : \
			" (" M[1, "backend"] ")"), width)
	if (!differs("scenario", n))
		add_subtitle("scenario " M[1, "scenario"], width)
	if (!differs("waits", n))
		add_subtitle(wait_words(n) (differs("wait", n) ? " by strategy" : ""), width)
	if (!differs("relation", n))
		add_subtitle(relation_words(1), width)
	if (!differs("load", n) && M[1, "load"] != "-")
		add_subtitle("load " M[1, "load"], width)
}

# state_words - what is wrong with result @i as a whole, "" when nothing is.
function state_words(i,    s, words)
{
	s = M[i, "state"]
	words = ""
	if (s != "complete") {
		words = "PARTIAL RESULT (" (s == "interrupted" ? "the run was interrupted" : \
			s == "failed" ? "the run failed" : \
			"last checkpoint of a run that goes on or was killed") ")"
		if (M[i, "asked"] + 0 > 0)
			words = words ": " group_digits(total_count[i]) " of " \
				group_digits(M[i, "asked"]) " events"
	}
	if (M[i, "valid"] == "false")
		words = words (words == "" ? "" : "; ") "INVALID RUN: " M[i, "invariant"]
	return words
}

# add_state - what a series' name says of its state.
function add_state(i)
{
	if (M[i, "state"] != "complete")
		add_detail(i, "partial")
	if (M[i, "valid"] == "false")
		add_detail(i, "invalid")
}

# make_warnings - one line per result that is partial or invalid, four lines at most.
function make_warnings(n, width,    i, words, more)
{
	nwarnings = more = 0
	for (i = 1; i <= n; i++) {
		words = state_words(i)
		if (words == "")
			continue
		if (n > 1)
			words = M[i, "strategy"] " (" M[i, "label"] "): " words
		if (nwarnings < 3)
			warning[++nwarnings] = shorten(words, width, 10)
		else
			more++
	}
	if (more)
		warning[++nwarnings] = "PARTIAL OR INVALID: " more " more of these results"
}

# print_heading - title, subtitle and warnings into params.gp. Returns the pixels they take.
function print_heading(title, left, right,    i)
{
	title = ENVIRON["PLOT_TITLE"] == "" ? title : ENVIRON["PLOT_TITLE"]
	print title > "heading"
	print "title_text = " quote(shorten(title, right - left, 15)) > "params.gp"
	printf "nsubtitles = %d\nnwarnings = %d\n", nsubtitles, nwarnings > "params.gp"
	print "array subtitle[" nsubtitles "]" > "params.gp"
	for (i = 1; i <= nsubtitles; i++)
		print "subtitle[" i "] = " quote(subtitle[i]) > "params.gp"
	if (nwarnings)
		print "array warning[" nwarnings "]" > "params.gp"
	for (i = 1; i <= nwarnings; i++)
		print "warning[" i "] = " quote(warning[i]) > "params.gp"
	return 46 + 20 * (nsubtitles + nwarnings) + 14
}

# show_names - what stands beside each series, cut to @width; returns the widest in pixels.
function show_names(n, width,    i, wide)
{
	wide = 0
	for (i = 1; i <= n; i++) {
		shown_strategy[i] = shorten(M[i, "strategy"], width, 11)
		shown_detail[i] = shorten(detail[i], width, 8.5)
		wide = max(wide, text_width(shown_strategy[i], 11))
		wide = max(wide, text_width(shown_detail[i], 8.5))
	}
	return wide
}

# print_series - names and styles of the @n results into params.gp.
function print_series(n,    i)
{
	print "nseries = " n > "params.gp"
	print "array kind[" n "]; array variant[" n "]" > "params.gp"
	print "array strategy[" n "]; array detail[" n "]" > "params.gp"
	for (i = 1; i <= n; i++) {
		printf "kind[%d] = %s\n", i, quote(M[i, "strategy"]) > "params.gp"
		printf "variant[%d] = %d\n", i, seen[M[i, "strategy"]]++ > "params.gp"
		printf "strategy[%d] = %s\n", i, quote(shown_strategy[i]) > "params.gp"
		printf "detail[%d] = %s\n", i, quote(shown_detail[i]) > "params.gp"
	}
}
