"""Draws the histograms of a run: histograms.svg beside each histograms.json."""

import argparse
import glob
import json
import math
import os
import sys
import xml.etree.ElementTree as ElementTree

# Colours of Okabe and Ito, which colour-blind readers can distinguish, too.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
INK, MUTED, GRID = "#222222", "#666666", "#e4e4e4"

WIDTH, HEIGHT = 760, 600  # all lengths in pixels
PANEL_WIDTH, PANEL_HEIGHT = 290, 180
LEFT, TOP = 64, 84
COLUMN_STEP, ROW_STEP = 370, 254


def add(parent, tag, content=None, **attributes):
    names = {name.rstrip("_").replace("_", "-"): str(value) for name, value in attributes.items()}
    element = ElementTree.SubElement(parent, tag, names)
    element.text = content
    return element


def text(parent, x, y, content, size=12, fill=INK, anchor="middle", **attributes):
    return add(parent, "text", content, x=round(x, 2), y=round(y, 2), font_size=size, fill=fill,
               text_anchor=anchor, **attributes)


def line(parent, x1, y1, x2, y2, stroke):
    add(parent, "line", x1=round(x1, 2), y1=round(y1, 2), x2=round(x2, 2), y2=round(y2, 2), stroke=stroke)


def ticks(low, high, most):
    """At most `most` + 1 round numbers (1, 2 or 5 times a power of ten apart) from low to high."""
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def draw_axes(panel, variable, unit, x_of, y_of, edges, tallest):
    for value in ticks(0, tallest, 5):
        if value == round(value):
            line(panel, 0, y_of(value), PANEL_WIDTH, y_of(value), GRID if value else MUTED)
            text(panel, -8, y_of(value) + 4, "%d" % value, size=11, fill=MUTED, anchor="end")
    for value in ticks(edges[0], edges[-1], 7):
        line(panel, x_of(value), PANEL_HEIGHT, x_of(value), PANEL_HEIGHT + 5, MUTED)
        text(panel, x_of(value), PANEL_HEIGHT + 18, "%g" % round(value, 9), size=11, fill=MUTED)
    text(panel, PANEL_WIDTH / 2, PANEL_HEIGHT + 38, "%s (%s)" % (variable.replace("_", " "), unit), size=13)
    middle = PANEL_HEIGHT / 2
    text(panel, -38, middle, "flowers", size=12, fill=MUTED, transform="rotate(-90 -38 %g)" % middle)


def draw_bars(panel, colours, histogram, x_of, y_of):
    edges, counts = histogram["edges"], histogram["counts"]
    gap = 1 if PANEL_WIDTH / (len(edges) - 1) > 4 else 0
    for index, (start, end) in enumerate(zip(edges, edges[1:])):
        below = 0
        for species, numbers in counts.items():
            count = numbers[index]
            if count == 0:
                continue
            bar = add(panel, "rect", x=round(x_of(start) + gap / 2, 2), y=round(y_of(below + count), 2),
                      width=round(x_of(end) - x_of(start) - gap, 2), height=round(y_of(below) - y_of(below + count), 2),
                      fill=colours[species])
            add(bar, "title", "%s, %.2f to %.2f: %d" % (species, start, end, count))
            below += count


def draw_panel(svg, colours, variable, histogram, unit, position):
    edges = histogram["edges"]
    tallest = max(map(sum, zip(*histogram["counts"].values())))
    left, top = LEFT + COLUMN_STEP * (position % 2), TOP + ROW_STEP * (position // 2)
    panel = add(svg, "g", id=variable, class_="panel", transform="translate(%d %d)" % (left, top))

    def x_of(value):
        return PANEL_WIDTH * (value - edges[0]) / (edges[-1] - edges[0])

    def y_of(count):
        return PANEL_HEIGHT * (1 - count / tallest)

    draw_axes(panel, variable, unit, x_of, y_of, edges, tallest)
    draw_bars(panel, colours, histogram, x_of, y_of)


def draw(histograms):
    """The SVG element: a panel for each variable, the species stacked."""
    variables = histograms["variables"]
    first = next(iter(variables.values()))
    colours = {species: COLOURS[index % len(COLOURS)] for index, species in enumerate(first["counts"])}
    flowers = sum(map(sum, first["counts"].values()))

    svg = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 %d %d" % (WIDTH, HEIGHT),
                                      "width": str(WIDTH), "height": str(HEIGHT),
                                      "font-family": "Helvetica, Arial, DejaVu Sans, sans-serif"})
    add(svg, "title", "Histograms of the Iris data")
    add(svg, "rect", width="100%", height="100%", fill="white")
    text(svg, LEFT, 36, "Iris: %d flowers, %d bins" % (flowers, len(first["edges"]) - 1), size=18, anchor="start",
         font_weight="bold")
    # The legend ends at the right edge of the panels, 110 px an entry.
    right = LEFT + COLUMN_STEP + PANEL_WIDTH
    for index, (species, colour) in enumerate(colours.items()):
        x = right - 110 * (len(colours) - index) + 20
        add(svg, "rect", x=x, y=25, width=12, height=12, fill=colour)
        text(svg, x + 18, 36, species, size=13, anchor="start", font_style="italic")
    for position, (variable, histogram) in enumerate(variables.items()):
        draw_panel(svg, colours, variable, histogram, histograms["unit"], position)
    return svg


def find_histograms(storage_path):
    """histograms.json of a group, or of every group of a run."""
    own = os.path.join(glob.escape(storage_path), "histograms.json")
    return glob.glob(own) or sorted(glob.glob(os.path.join(glob.escape(storage_path), "group_*", "histograms.json")))


def main():
    parser = argparse.ArgumentParser(description="Histograms of a run as SVG", allow_abbrev=False)
    parser.add_argument("--storage_path", required=True, help="folder of a run or of one of its groups")
    storage_path = parser.parse_args().storage_path
    found = find_histograms(storage_path)
    if not found:
        sys.exit("plot.py: no histograms.json in %s or its groups" % storage_path)
    for path in found:
        with open(path, encoding="utf-8") as file:
            svg = draw(json.load(file))
        target = os.path.join(os.path.dirname(path), "histograms.svg")
        ElementTree.ElementTree(svg).write(target, encoding="utf-8", xml_declaration=True)
        print(target)


if __name__ == "__main__":
    main()
