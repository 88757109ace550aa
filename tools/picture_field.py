#!/usr/bin/env python3
"""Draw docs/fragment_field.png: errors of depths in a slice through a broken solid.

    tools/picture_field.py PROGRAM docs/fragment_field.png

The data come from `fracas bench fragment field --csv FILE`.
"""
import csv
import math
import subprocess
import sys
import tempfile

from picture import write_png

SIDE, GAP, TOP, BOTTOM = 320, 28, 40, 84  # of a panel; around the panels
PANELS = (("closest point", "closest point (default)"), ("visit once", "visit once (published)"),
          ("literal", "literal (published)"))
WIDTH, HEIGHT = GAP + len(PANELS) * (SIDE + GAP), TOP + SIDE + BOTTOM
PAPER, INK, BORDER = (255, 255, 255), (40, 44, 52), (60, 64, 72)
# Colours of errors from -100 % to 100 %.
COLOURS = ((16, 48, 128), (40, 110, 200), (150, 195, 235), (243, 242, 236), (250, 195, 140), (225, 95, 50),
           (130, 10, 30))
TICKS = (-100, -50, -20, -5, 0, 5, 20, 50, 100)

# A small font. Each glyph: its width, and polylines of points "xy". Letters stand on y = 2; small
# ones end at 6, large ones at 8. "~" rounds the corners, "o" closes the line and rounds it.
FONT = {
    "a": (3, "o02 32 36 06,36 32"), "b": (3, "o02 32 36 06,08 02"), "c": (3, "~35 36 06 02 32 33"),
    "d": (3, "o02 32 36 06,38 32"), "e": (3, "04 34,~34 36 06 02 32 33"), "f": (2, "~12 18 28,06 26"),
    "h": (3, "08 02,~04 06 36 32"), "i": (0, "06 02,08 08"), "l": (0, "08 02"), "n": (3, "06 02,~04 06 36 32"),
    "o": (3, "o02 32 36 06"), "p": (3, "o02 32 36 06,06 00"), "r": (2, "06 02,~04 06 26"),
    "s": (3, "~35 36 06 04 34 32 02 03"), "t": (2, "~18 12 22,06 26"), "u": (3, "~06 02 32 34,36 32"),
    "v": (4, "06 22 46"), "0": (3, "o02 32 38 08"), "1": (1, "07 18 12"), "2": (3, "~07 08 38 35 02,02 32"),
    "5": (3, "38 08 05,~05 36 32 02 03"), "%": (5, "12 48,o06 26 28 08,o32 52 54 34"), "-": (3, "05 35"),
    "+": (4, "05 45,23 27"), "(": (1, "~19 07 03 11"), ")": (1, "~09 17 13 01"), " ": (1, ""),
}
UNIT, STROKE = 1.75, 0.75  # pixels


def smooth(line, closed):
    """Cut the corners of a polyline, three times (Chaikin)."""
    for _ in range(3):
        cut = [] if closed else [line[0]]
        for a, b in zip(line, line[1:] + line[:1] if closed else line[1:]):
            cut += [tuple(0.75 * p + 0.25 * q for p, q in zip(a, b)), tuple(0.25 * p + 0.75 * q for p, q in zip(a, b))]
        line = cut + ([] if closed else [line[-1]])
    return line + line[:1] if closed else line


def lines_of(strokes):
    for stroke in filter(None, strokes.split(",")):
        line = [(int(point[0]), int(point[1])) for point in stroke.lstrip("~o").split()]
        yield smooth(line, stroke[0] == "o") if stroke[0] in "~o" else line


def mix(a, b, share):
    return tuple(round(p + share * (q - p)) for p, q in zip(a, b))


def stroke(pixels, a, b):
    """A line with round ends."""
    way = (b[0] - a[0], b[1] - a[1])
    square = way[0] ** 2 + way[1] ** 2
    for y in range(int(min(a[1], b[1])) - 2, int(max(a[1], b[1])) + 3):
        for x in range(int(min(a[0], b[0])) - 2, int(max(a[0], b[0])) + 3):
            along = ((x - a[0]) * way[0] + (y - a[1]) * way[1]) / square if square else 0
            along = min(max(along, 0), 1)
            distance = math.hypot(x - a[0] - along * way[0], y - a[1] - along * way[1])
            cover = min(max(STROKE + 0.5 - distance, 0), 1)
            ink = mix(PAPER, INK, cover)
            # Lines of one text overlap: the darker one stays.
            pixels[y][x] = tuple(min(p, q) for p, q in zip(pixels[y][x], ink))


def write(pixels, text, x, y):
    """Centred at x, standing on y."""
    x -= UNIT * (sum(FONT[c][0] + 2 for c in text) - 2) / 2
    for character in text:
        for line in lines_of(FONT[character][1]):
            page = [(x + UNIT * p, y - UNIT * (q - 2)) for p, q in line]
            for a, b in zip(page, page[1:]):
                stroke(pixels, a, b)
        x += UNIT * (FONT[character][0] + 2)


def place(error):
    """0 to 1 for errors from -1 to 1: small ones need most of the colours."""
    return 0.5 + 0.5 * math.copysign(math.sqrt(min(abs(error), 1)), error)


def colour(at):
    at = round(60 * at) / 60  # fewer colours: a smaller file
    step = min(int(at * (len(COLOURS) - 1)), len(COLOURS) - 2)
    return mix(COLOURS[step], COLOURS[step + 1], at * (len(COLOURS) - 1) - step)


def draw_panel(pixels, left, rows):
    """Errors of the points of one slice; pixels beside those of another fragment are dark."""
    owner = {(int(r["column"]), int(r["row"])): r["fragment"] for r in rows}
    for r in rows:
        column, row = int(r["column"]), int(r["row"])
        depth, exact = float(r["depth"]), float(r["exact"])
        beside = {owner.get(at) for at in ((column + 1, row), (column, row + 1), (column - 1, row), (column, row - 1))}
        rgb = BORDER if beside != {r["fragment"]} else colour(place(depth / exact - 1 if exact > 0 else 0))
        pixels[TOP + SIDE - 1 - row][left + column] = rgb


def draw_bar(pixels):
    width, top = 640, HEIGHT - 56
    left = (WIDTH - width) // 2
    write(pixels, "error of the depth", left - 90, top + 14)
    for x in range(width):
        for y in range(16):
            edge = x in (0, width - 1) or y in (0, 15)
            pixels[top + y][left + x] = BORDER if edge else colour(x / (width - 1))
    for tick in TICKS:
        x = left + place(tick / 100) * (width - 1)
        stroke(pixels, (x, top + 17), (x, top + 21))
        write(pixels, f"{tick:+} %" if tick else "0", x, top + 40)


def main():
    program, path = sys.argv[1], sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/slice.csv"
        subprocess.run([program, "bench", "fragment", "field", "--csv", data], check=True, stdout=subprocess.DEVNULL)
        with open(data, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    pixels = [[PAPER] * WIDTH for _ in range(HEIGHT)]
    for i, (mode, title) in enumerate(PANELS):
        left = GAP + i * (SIDE + GAP)
        write(pixels, title, left + SIDE / 2, TOP - 14)
        draw_panel(pixels, left, [r for r in rows if r["mode"] == mode])
    draw_bar(pixels)
    write_png(path, pixels)


if __name__ == "__main__":
    main()
