# SPDX-License-Identifier: GPL-2.0-only
#
# The look both pictures share: terminal, fonts, hues, heading.
# Needs: format ('png' or 'svg'), width and height in pixels, params.gp loaded.

set encoding utf8
set decimalsign '.'
set datafile separator tab
set datafile commentschars '#'

# An SVG counts font sizes in pixels, pngcairo in points at 96 per inch. What else an SVG needs
# for its fonts plot adds when the file is written.
face(points) = sprintf('DejaVu Sans,%.2f', points * (format eq 'svg' ? 4 / 3.0 : 1))
bold(points) = sprintf('DejaVu Sans:Bold,%.2f', points * (format eq 'svg' ? 4 / 3.0 : 1))
point_scale = format eq 'svg' ? 0.6 : 1
ring_width = format eq 'svg' ? 3 : 1.6

if (format eq 'svg') {
	set terminal svg size width, height dynamic font face(11) background '#ffffff' \
		linewidth 1 butt
} else {
	set terminal pngcairo size width, height font face(11) background '#ffffff' \
		linewidth 1 dashlength 1.4 butt
}

ink = 0x000000
muted = 0x505050
grid = 0xdcdcdc
alarm = 0xa00000

# One hue per strategy, apart in brightness too and safe for the common colour blindnesses;
# a second result of the same strategy gets a lighter shade of it.
hue(s) = s eq 'stock'         ? 0x222222 : \
	 s eq 'thread'        ? 0x0072b2 : \
	 s eq 'split'         ? 0x009e73 : \
	 s eq 'nothread'      ? 0xd55e00 : \
	 s eq 'direct'        ? 0x7b2d8b : \
	 s eq 'page'          ? 0x3aa6dd : \
	 s eq 'kthread'       ? 0xb8860b : \
	 s eq 'irqwork'       ? 0x8c4a2f : \
	 s eq 'thread-direct' ? 0xc8649b : 0x6f6f6f
lighter(c, k) = int((c / 65536) + (255 - c / 65536) * k) * 65536 + \
	int((c / 256 % 256) + (255 - c / 256 % 256) * k) * 256 + \
	int((c % 256) + (255 - c % 256) * k)
shade(i) = lighter(hue(kind[i]), variant[i] == 0 ? 0 : variant[i] == 1 ? 0.38 : 0.55)

# Line styles by place in the picture, so that no two results share one.
dash(i) = 100 + i
set linetype 101 dashtype solid
set linetype 102 dashtype (12, 4)
set linetype 103 dashtype (3, 3)
set linetype 104 dashtype (14, 4, 3, 4)
set linetype 105 dashtype (24, 5)
set linetype 106 dashtype (7, 3)
set linetype 107 dashtype (14, 3, 3, 3, 3, 3)
set linetype 108 dashtype (2, 6)
set linetype 109 dashtype (24, 3, 7, 3)
set linetype 110 dashtype (7, 9)

# Screen coordinates from pixels counted from the top left corner.
sx(px) = px / real(width)
sy(px) = 1 - px / real(height)

set label title_text at screen sx(20), sy(26) left font face(15) noenhanced
do for [i = 1:nsubtitles] {
	set label subtitle[i] at screen sx(20), sy(36 + 20 * i) left font face(10) \
		textcolor rgb muted noenhanced
}
do for [i = 1:nwarnings] {
	set label warning[i] at screen sx(20), sy(36 + 20 * (nsubtitles + i)) left font bold(10) \
		textcolor rgb alarm noenhanced
}
