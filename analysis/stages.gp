# SPDX-License-Identifier: GPL-2.0-only
#
# Stage stack: where the instructions of exact runs go, one bar per result.
#
# How a bar is made. Its length is the commonest path from sent to user, in guest instructions.
# Its segments are the commonest paths of the stages between, in order, each taken over all
# events by itself. Commonest paths need not add up to the commonest total: what they leave over
# is drawn as a segment of its own at the end, and where they exceed it, the bar is as long as
# they are, a black line crosses it at the total, and the text says by how much. Nothing is
# scaled to fit. Where inner stamps are missing a segment spans the gap and is hatched in the
# colour of the last stage it covers; a result without any inner stamp is one grey segment.
# The percentage compares a total with the shortest stock bar of the same kernel, device,
# scenario and wait mode, whatever stock's priority relation; a dashed line marks that length.
#
# Runs in the directory that plot and stages.awk prepare; format is 'png' or 'svg'.
#   params.gp    texts, geometry             tics.gp   the axis
#   segments     stage, from, to, row        values    stage, middle, row, text, half its width
#   legend       stage, pixels, words (legend_best: the dashed line's)
#   small        pixels of a segment and of its label, bar's edge, text
#   end_*        pixel, row, text after a bar
#   references   length, top of row, height  totals    length, row
#   grid         length, first, last pixel

load 'params.gp'
plot_top = head + legend
plot_bottom = plot_top + rows
height = plot_bottom + 70
load 'style.gp'

# The four elementary stages differ in hue, and from their neighbours in brightness.
stamps(s) = s eq 'sent-isr' || s eq 'isr-thread' || s eq 'thread-signal' || s eq 'signal-user'
colour(s) = s eq 'whole' ? 0xdedede : s eq 'remainder' ? 0xffffff : \
	    s[1:4] eq 'sent' ? 0xf7dc6f : s eq 'isr-thread' ? 0xc8553d : \
	    s[1:3] eq 'isr'  ? 0xe9b3a4 : s eq 'signal-user' ? 0x2b4a7a : 0x6fbfb3
hatched(s) = !(stamps(s) || s eq 'whole')
hatching(s) = s eq 'remainder' ? 0x606060 : s eq 'sent-thread' ? 0xc8553d : \
	      s[strlen(s) - 3:] eq 'user' ? 0x2b4a7a : 0x17655c
text_ink(s) = s eq 'signal-user' || s eq 'isr-thread' ? 0xffffff : ink
colour_here(c) = colour(stringcolumn(c))
hatching_here(c) = hatching(stringcolumn(c))
hatched_only(v) = hatched(stringcolumn(1)) ? v : NaN

set output 'picture.'.format
set multiplot
unset key
unset tics
unset border

# Legend: x and y in pixels from the top left corner of the picture.
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen sy(head)
set bmargin at screen sy(head + legend)
set xrange [0:width]
set yrange [legend:0]
plot 'legend' using ($2 + 13):3:2:($2 + 26):($3 - 7):($3 + 7):(colour_here(1)) with boxxyerror \
		fillstyle solid 1 border rgb ink fillcolor rgb variable linewidth 0.7, \
	'legend' using (hatched_only($2 + 13)):3:2:($2 + 26):($3 - 7):($3 + 7):(hatching_here(1)) \
		with boxxyerror fillstyle transparent pattern 5 border rgb ink \
		fillcolor rgb variable linewidth 0.7, \
	'legend' using ($2 + 34):3:4 with labels left font face(10) noenhanced, \
	'legend_best' using ($1 + 13):($2 - 9):(0):(18) with vectors nohead dashtype (5, 4) \
		linewidth 1.2 linecolor rgb ink, \
	'legend_best' using ($1 + 34):2:3 with labels left font face(10) noenhanced

# Bars: x in instructions, y in pixels from the top of the plot.
unset label
set lmargin at screen sx(left)
set rmargin at screen sx(right)
set tmargin at screen sy(plot_top)
set bmargin at screen sy(plot_bottom)
set border 1 linecolor rgb ink
set xrange [0:axis_high]
set yrange [rows:0]
load 'tics.gp'
tic_face = face(10)
set xtics nomirror out scale 0.7 font tic_face
set label xlabel_text at screen sx((left + right) / 2), sy(height - 17) \
	center font face(11) noenhanced
half = bar / 2.0
set x2range [left:right]
do for [g = 1:ngroups] {
	set label group[g] at screen sx(20), first group_y[g] left font bold(10) noenhanced
}
do for [i = 1:nseries] {
	offset = detail[i] eq '' ? 0 : 7
	set label strategy[i] at screen sx(32), first row_y[i] - offset left \
		font face(11) noenhanced
	# A quarter of a pixel keeps small letters off the places where cairo cuts a row of them.
	set label detail[i] at screen sx(32), first row_y[i] + 9.25 left font face(8.5) \
		textcolor rgb muted noenhanced
}
plot 'grid' using 1:2:(0):($3 - $2) with vectors nohead linetype 1 linewidth 0.8 \
		linecolor rgb grid, \
	'references' using 1:2:(0):3 with vectors nohead dashtype (5, 4) \
		linewidth 1.2 linecolor rgb ink, \
	'segments' using 2:4:2:3:($4 - half):($4 + half):(colour_here(1)) with boxxyerror \
		fillstyle solid 1 border rgb ink fillcolor rgb variable linewidth 0.7, \
	'segments' using (hatched_only($2)):4:2:3:($4 - half):($4 + half):(hatching_here(1)) \
		with boxxyerror fillstyle transparent pattern 5 border rgb ink \
		fillcolor rgb variable linewidth 0.7, \
	'values' using (hatched_only($2)):3:($2 - $5):($2 + $5):($3 - 8):($3 + 8):(colour_here(1)) \
		with boxxyerror fillstyle solid 1 noborder fillcolor rgb variable, \
	'values' using 2:3:4:(text_ink(stringcolumn(1))) with labels center font face(9.5) \
		textcolor rgb variable noenhanced, \
	'small' using 1:3:($2 - $1):(5) axes x2y1 with vectors nohead linetype 1 linewidth 0.6 \
		linecolor rgb ink, \
	'small' using 2:($3 + 10):4 axes x2y1 with labels center font face(8) noenhanced, \
	'totals' using 1:($2 - half - 3):(0):(bar + 6) with vectors nohead linetype 1 linewidth 3 \
		linecolor rgb ink, \
	'end_total' using 1:2:3 axes x2y1 with labels left font bold(11) noenhanced, \
	'end_against' using 1:2:3 axes x2y1 with labels left font face(11) noenhanced, \
	'end_small' using 1:2:3 axes x2y1 with labels left font face(8.5) \
		textcolor rgb muted noenhanced
unset multiplot
unset output
