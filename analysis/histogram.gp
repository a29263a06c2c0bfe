# SPDX-License-Identifier: GPL-2.0-only
#
# Latency histogram of one result, or of several overlaid.
#
# Runs in the directory that plot and histogram.awk prepare; format is 'png' or 'svg'.
#   params.gp   texts, axes, geometry
#   curve.N     outline of result N's columns: ns, samples (FLOOR: the axis)
#   whiskers    result, pixels of its smallest and largest latency
#   marks       result, kind, ns, its pixel, the pixel its label is centred on, label
#
# Above the histogram each result has a lane on the same time axis: its name and line style (the
# lanes are the legend), a line from its minimum to its maximum, and the marks with their values.
# Thin lines carry the marks down into the histogram.

load 'params.gp'
lanes_bottom = head + lane * nseries
plot_top = lanes_bottom + 6
plot_bottom = plot_top + 400
height = plot_bottom + 70
load 'style.gp'

set output 'picture.'.format
set multiplot
set lmargin at screen sx(left)
set rmargin at screen sx(right)
set style fill noborder
unset key

# Lanes: x in pixels, one unit of y per lane, counted from the top.
name_y = 0.50
text_y = 0.24
line_y = 0.68
tick = 0.16
set tmargin at screen sy(head)
set bmargin at screen sy(lanes_bottom)
set xrange [left:right]
set yrange [nseries:0]
unset border
unset tics
do for [i = 1:nseries] {
	set arrow from screen sx(20), first i - 1 + name_y to screen sx(58), first i - 1 + name_y \
		nohead linetype dash(i) linewidth 2.2 linecolor rgb shade(i)
	offset = detail[i] eq '' ? 0 : 0.20
	set label strategy[i] at screen sx(66), first i - 1 + name_y - offset left \
		font face(11) noenhanced
	set label detail[i] at screen sx(66), first i - 1 + name_y + 0.22 left font face(8.5) \
		textcolor rgb muted noenhanced
}
of(i, v) = column(1) == i ? v : NaN
is(kind, v) = stringcolumn(2) eq kind ? v : NaN
plot for [i = 1:nseries] 'whiskers' using (of(i, $2)):(i - 1 + line_y):($3 - $2):(0) with vectors \
		nohead linetype dash(i) linewidth 2.2 linecolor rgb shade(i), \
	for [i = 1:nseries] 'marks' using (of(i, $5)):(i - 1 + 0.42):($4 - $5):(line_y - 0.42) \
		with vectors nohead linetype 1 linewidth 0.7 linecolor rgb muted, \
	for [i = 1:nseries] 'marks' using (is('p50', of(i, $4))):(i - 1 + line_y) with points \
		pointtype 7 pointsize point_scale linecolor rgb shade(i), \
	for [i = 1:nseries] 'marks' using (is('p99', of(i, $4))):(i - 1 + line_y) with points \
		pointtype 7 pointsize point_scale linecolor rgb 0xffffff, \
	for [i = 1:nseries] 'marks' using (is('p99', of(i, $4))):(i - 1 + line_y) with points \
		pointtype 6 pointsize point_scale linetype 1 linewidth ring_width \
		linecolor rgb shade(i), \
	for [i = 1:nseries] 'marks' using (is('max', of(i, $4))):(i - 1 + line_y - tick):(0): \
		(2 * tick) with vectors nohead linetype 1 linewidth 3 linecolor rgb shade(i), \
	'marks' using 5:($1 - 1 + text_y):6 with labels center font face(9.5) noenhanced

# The histogram.
unset label
unset arrow
set tmargin at screen sy(plot_top)
set bmargin at screen sy(plot_bottom)
set border 3 linecolor rgb ink
set xrange [axis_low:axis_high]
set yrange [count_low:count_high]
set logscale y
if (logarithmic) { set logscale x }
load 'tics.gp'
tic_face = face(10)
set tics nomirror out scale 0.7, 0.4 font tic_face
set grid ytics back linetype 1 linewidth 0.8 linecolor rgb grid
set label xlabel_text at screen sx((left + right) / 2), sy(height - 17) center \
	font face(11) noenhanced
set label ylabel_text at screen sx(left - ylabel_room), sy((plot_top + plot_bottom) / 2) center \
	rotate font face(11) noenhanced
# More than a few results leave room for the lines of their maxima only.
carried(v) = nseries <= 4 || stringcolumn(2) eq 'max' ? v : NaN
height_of(s) = s eq 'FLOOR' ? count_low : real(s)
density = nseries == 1 ? 0.25 : nseries <= 4 ? 0.08 : 0.02
paler = nseries == 1 ? 0.2 : 0.45
plot for [i = 1:nseries] 'curve.'.i using 1:(height_of(stringcolumn(2))) \
		with filledcurves y=count_low fillstyle transparent solid density \
		fillcolor rgb shade(i), \
	for [i = 1:nseries] 'marks' using (carried(of(i, $3))):(count_low):(0): \
		(count_high - count_low) with vectors nohead linetype dash(i) linewidth 0.8 \
		linecolor rgb lighter(shade(i), paler), \
	for [i = 1:nseries] 'curve.'.i using 1:(height_of(stringcolumn(2))) with lines \
		linetype dash(i) linewidth nseries == 1 ? 1.2 : 1.8 linecolor rgb shade(i)
unset multiplot
unset output
