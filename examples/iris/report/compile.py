"""Puts the exported figures into report.html, each with the run that made it."""

import html
import os
import re
import sys

FIGURES = (
    ("exports/summary_iris/bins/histograms.svg", "The measurements of three species."),
    ("exports/knn_iris/accuracy.svg", "How well the nearest other flowers tell the species."),
)


def note_on(figure):
    """Describes the origin of a figure, according to Qanat."""
    with open(figure + ".qanat.txt", encoding="utf-8") as file:
        facts = dict(re.findall(r"^(\w+): (.*)$", file.read(), re.MULTILINE))
    return "Run %s of %s, commit %s." % (facts["run"], facts["experiment"], facts["commit"][:7])


def main():
    title = sys.argv[1] if len(sys.argv) > 1 else "The Iris data"
    parts = []
    for figure, caption in FIGURES:
        with open(figure, encoding="utf-8") as file:
            picture = re.sub(r"^<\?xml[^>]*>\s*", "", file.read())
        parts.append(
            "<figure>%s<figcaption>%s <small>%s</small></figcaption></figure>"
            % (picture, html.escape(caption), html.escape(note_on(figure)))
        )
    with open("report.html", "w", encoding="utf-8") as file:
        file.write(
            "<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>%s</title>\n<h1>%s</h1>\n%s\n</html>\n"
            % (html.escape(title), html.escape(title), "\n".join(parts))
        )
    print(os.path.abspath("report.html"))


if __name__ == "__main__":
    main()
