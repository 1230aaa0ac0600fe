"""Leave-one-out accuracy of k nearest neighbours on the Iris data.

Writes into the storage path:
  accuracy.json  the accuracy for every k
  accuracy.svg   the same as a curve
"""

import argparse
import csv
import json
import math
import os
import sys
from collections import Counter

VARIABLES = ("sepal_length", "sepal_width", "petal_length", "petal_width")


def read_flowers(path):
    """Pairs of measurements in cm and species."""
    if os.path.isdir(path):
        path = os.path.join(path, "iris.csv")
    with open(path, encoding="utf-8", newline="") as file:
        return [([float(row[name]) for name in VARIABLES], row["species"]) for row in csv.DictReader(file)]


def accuracies(flowers, largest):
    """Fraction of flowers whose k nearest neighbours are mostly of the same species; the nearest one decides a tie."""
    correct = [0] * (largest + 1)
    for index, (measures, species) in enumerate(flowers):
        others = flowers[:index] + flowers[index + 1 :]
        nearest = sorted(others, key=lambda other: math.dist(measures, other[0]))[:largest]
        for k in range(1, largest + 1):
            votes = Counter(name for _, name in nearest[:k])
            correct[k] += votes.most_common(1)[0][0] == species
    return {k: correct[k] / len(flowers) for k in range(1, largest + 1)}


def draw(accuracy):
    """The curve as SVG; lengths in pixels."""
    width, height, left, top = 560, 260, 60, 46
    low = math.floor(20 * min(accuracy.values()) - 1e-9) / 20
    largest = max(accuracy)

    def place(k, value):
        x = left + (width - left - 30) * (k - 1) / max(1, largest - 1)
        return x, top + (height - top - 50) * (1 - (value - low) / (1 - low))

    parts = []
    for step in range(5):
        value = low + (1 - low) * step / 4
        _, y = place(1, value)
        parts.append(f'<path d="M{left} {y:.1f}H{width - 30}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#666">{value:.3f}</text>')
    points = [place(k, value) for k, value in accuracy.items()]
    parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="none" stroke="#0072b2"/>')
    for k, (x, y) in zip(accuracy, points):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#0072b2"><title>k = {k}: {accuracy[k]:.3f}</title></circle>')
        if k == 1 or k % 5 == 0:
            parts.append(f'<text x="{x:.1f}" y="{height - 28}" text-anchor="middle" fill="#666">{k}</text>')
    parts.append(f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">neighbours</text>')
    parts.append(f'<text x="{left}" y="24" font-size="15" font-weight="bold">Iris: leave-one-out accuracy</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n'
    )


def main():
    parser = argparse.ArgumentParser(description="k nearest neighbours on the Iris data", allow_abbrev=False)
    parser.add_argument("--storage_path", required=True, help="folder for the results")
    parser.add_argument("--dataset_path", required=True, help="iris.csv, or the folder that holds it")
    parser.add_argument("--largest", type=int, default=20, help="largest number of neighbours (default: 20)")
    arguments = parser.parse_args()
    flowers = read_flowers(arguments.dataset_path)
    if not 1 <= arguments.largest < len(flowers):
        sys.exit("knn.py: --largest must be from 1 to %d, not %d" % (len(flowers) - 1, arguments.largest))
    accuracy = accuracies(flowers, arguments.largest)
    with open(os.path.join(arguments.storage_path, "accuracy.json"), "w", encoding="utf-8") as file:
        json.dump(accuracy, file, indent=2)
    with open(os.path.join(arguments.storage_path, "accuracy.svg"), "w", encoding="utf-8") as file:
        file.write(draw(accuracy))
    best = max(accuracy, key=accuracy.get)
    print("%d flowers; best with %d neighbours: %.1f %%" % (len(flowers), best, 100 * accuracy[best]))


if __name__ == "__main__":
    main()
