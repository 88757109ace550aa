#!/usr/bin/env python3
"""Draw how long contacts take in each step of the scenes of docs/medial.md: by method, or on a GPU.

    fracas bench medial scenes --csv steps.csv
    tools/picture_medial_steps.py steps.csv docs/medial_steps.svg
    fracas bench medial device --csv device.csv
    tools/picture_medial_steps.py device.csv docs/medial_steps_cuda.svg
"""
import csv
import math
import sys

WIDTH, HEIGHT = 820, 560
PANEL, LEFT, TOP, GAP = (330, 190), 62, 74, (70, 60)  # sizes and places of the four graphs
LOW, HIGH = 0.05, 500.0  # ms
# Column, words, colour, and whether steps are dots because most of them are left out.
SERIES = [("none_ms", "no broad phase", "#6a6f76", True), ("cones_ms", "published broad phase", "#b08a00", True),
          ("boxes_ms", "boxes", "#1f6fb4", False), ("spheres_ms", "spheres", "#2f9e58", False),
          ("medial_ms", "spheres, cones and slabs", "#c8321e", False)]
DEVICE_SERIES = [("medial_ms", "one thread", "#c8321e", False), ("all_ms", "16 cores", "#1f6fb4", False),
                 ("device_ms", "GPU", "#2f9e58", False)]


def read(path):
    """The series of the file, and by scene: by column a list of (step, ms)."""
    scenes = {}
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        series = DEVICE_SERIES if "device_ms" in rows.fieldnames else SERIES
        for row in rows:
            own = scenes.setdefault(row["scene"], {name: [] for name, *_ in series})
            for name in own:
                if row[name]:
                    own[name].append((int(row["step"]), float(row[name])))
    return series, scenes


def text(x, y, words, anchor="middle", size=12, colour="#222"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">'
            f"{words}</text>")


def height(ms):
    share = math.log(min(max(ms, LOW), HIGH) / LOW) / math.log(HIGH / LOW)
    return PANEL[1] * (1 - share)


def graph(series, name, columns, left, top):
    steps = max(step for points in columns.values() for step, _ in points) + 1
    ms = [value for _, value in columns["medial_ms"]]
    yield text(left, top - 8, f"<tspan font-weight='bold'>{name}</tspan>, mean {sum(ms) / len(ms):.2f} ms", "start")
    for power in range(math.ceil(math.log10(LOW)), math.floor(math.log10(HIGH)) + 1):
        y = top + height(10.0 ** power)
        yield f'<line x1="{left}" x2="{left + PANEL[0]}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        yield text(left - 6, y + 4, f"{10.0 ** power:,g}", "end", 11, "#555")
    for step in range(0, steps + 1, 100):
        x = left + PANEL[0] * step / steps
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top + PANEL[1]}" y2="{top + PANEL[1] + 4}" stroke="#555"/>'
        yield text(x, top + PANEL[1] + 16, step, size=11, colour="#555")
    yield f'<rect x="{left}" y="{top}" width="{PANEL[0]}" height="{PANEL[1]}" fill="none" stroke="#999"/>'
    for column, _, colour, dots in series:
        page = [(left + PANEL[0] * (step + 0.5) / steps, top + height(value)) for step, value in columns[column]]
        if dots:
            yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>' for x, y in page)
        else:
            corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in page)
            yield f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="1.2"/>'


def main():
    series, scenes = read(sys.argv[1])
    where = ", one thread" if series is SERIES else ""
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
             '<rect width="100%" height="100%" rx="6" fill="#fff"/>',
             text(20, 22, f"Milliseconds of each step (logarithmic){where}", "start", 14)]
    x = 24
    for _, words, colour, dots in series:
        lines.append(f'<circle cx="{x + 9}" cy="40" r="3.2" fill="{colour}"/>' if dots else
                     f'<line x1="{x}" x2="{x + 18}" y1="40" y2="40" stroke="{colour}" stroke-width="3"/>')
        lines.append(text(x + 24, 44, words, "start"))
        x += 50 + 6.3 * len(words)
    for i, (name, columns) in enumerate(scenes.items()):
        lines += graph(series, name, columns, LEFT + i % 2 * (PANEL[0] + GAP[0]), TOP + i // 2 * (PANEL[1] + GAP[1]))
    lines.append(text(WIDTH / 2, HEIGHT - 8, "step", colour="#555"))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["</svg>"]) + "\n")


if __name__ == "__main__":
    main()
