"""Summary statistics of the Iris data, of all rows and of each species.

Writes into the storage path:
  summary.json     moments, quantiles, 95% bootstrap interval of the mean, correlation matrix
  histograms.json  counts by species, on bins shared by all species
  progress.txt     how far it is, as Qanat reads it
"""

import argparse
import bisect
import csv
import json
import math
import os
import random
import statistics
import sys

VARIABLES = ("sepal_length", "sepal_width", "petal_length", "petal_width")
STATISTICS = ("mean", "std", "min", "q25", "median", "q75", "max")


class Progress:
    """A file with the number of steps, then a number for each step done."""

    def __init__(self, path, total):
        self.file = open(path, "w", encoding="utf-8")
        self.write("count_total=%d" % total)

    def write(self, line):
        # Flushed, because the file is read while the experiment runs.
        self.file.write(line + "\n")
        self.file.flush()

    def step(self):
        self.write("1")

    def finish(self):
        self.write("finished")
        self.file.close()


def parse_arguments():
    parser = argparse.ArgumentParser(description="Summary statistics of the Iris data", allow_abbrev=False)
    parser.add_argument("--storage_path", required=True, help="folder for the results")
    parser.add_argument("--dataset_path", required=True, help="iris.csv, or the folder that holds it")
    parser.add_argument("--bins", type=int, default=10, help="bins of each histogram (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap (default: 0)")
    parser.add_argument("--n_samples", type=int, default=200, help="bootstrap resamples (default: 200)")
    parser.add_argument("--species", help="only this species (default: all)")
    arguments = parser.parse_args()
    if arguments.bins < 1:
        raise ValueError("--bins must be at least 1, not %d" % arguments.bins)
    if arguments.n_samples < 1:
        raise ValueError("--n_samples must be at least 1, not %d" % arguments.n_samples)
    return arguments


def read_rows(path):
    """Rows of the CSV file: a species and a number for each variable, in cm."""
    if os.path.isdir(path):
        path = os.path.join(path, "iris.csv")
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        missing = [name for name in (*VARIABLES, "species") if name not in (reader.fieldnames or ())]
        if missing:
            raise ValueError("%s: no column %s" % (path, ", ".join(missing)))
        rows = []
        for row in reader:
            try:
                numbers = {name: float(row[name]) for name in VARIABLES}
            except (TypeError, ValueError):
                numbers = {}
            if not numbers or not all(map(math.isfinite, numbers.values())):
                raise ValueError("%s:%d: a measurement is missing or is not a number" % (path, reader.line_num))
            rows.append({**numbers, "species": row["species"]})
    if not rows:
        raise ValueError("%s: no rows" % path)
    return rows


def by_species(rows):
    subsets = {}
    for row in rows:
        subsets.setdefault(row["species"], []).append(row)
    for species, members in subsets.items():
        if len(members) < 2:
            raise ValueError("species '%s' has one row: a standard deviation needs two" % species)
    return subsets


def quantile(ordered, q):
    """Linear interpolation between the order statistics, as R (type 7) and NumPy do by default."""
    position = q * (len(ordered) - 1)
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


def bootstrap_interval(values, n_samples, generator):
    """95% percentile interval of the mean."""
    means = sorted(statistics.fmean(generator.choices(values, k=len(values))) for _ in range(n_samples))
    return [quantile(means, 0.025), quantile(means, 0.975)]


def correlation(x, y):
    """Pearson's coefficient, or None where a variable is constant."""
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    covariance = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    scale = math.sqrt(math.fsum((a - mean_x) ** 2 for a in x) * math.fsum((b - mean_y) ** 2 for b in y))
    return covariance / scale if scale > 0 else None


def describe(values, interval):
    ordered = sorted(values)
    return {
        "mean": statistics.fmean(values),
        "std": statistics.stdev(values),
        "min": ordered[0],
        "q25": quantile(ordered, 0.25),
        "median": quantile(ordered, 0.5),
        "q75": quantile(ordered, 0.75),
        "max": ordered[-1],
        "mean_ci95": interval,
    }


def summarise(name, rows, arguments, progress):
    # One generator for each subset, so that a species has the same interval with and without --species.
    generator = random.Random("%d/%s" % (arguments.seed, name))
    columns = {variable: [row[variable] for row in rows] for variable in VARIABLES}
    variables = {}
    for variable, values in columns.items():
        variables[variable] = describe(values, bootstrap_interval(values, arguments.n_samples, generator))
        progress.step()
    matrix = {a: {b: correlation(columns[a], columns[b]) for b in VARIABLES} for a in VARIABLES}
    return {"n": len(rows), "variables": variables, "correlation": matrix}


def histogram(variable, species_rows, bins):
    """Counts of each species on equal bins over the range of all; the last bin includes its right edge."""
    values = {species: [row[variable] for row in rows] for species, rows in species_rows.items()}
    low, high = min(map(min, values.values())), max(map(max, values.values()))
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges = [low + (high - low) * i / bins for i in range(bins)] + [high]
    counts = {species: [0] * bins for species in values}
    for species, numbers in values.items():
        for number in numbers:
            counts[species][min(bisect.bisect_right(edges, number), bins) - 1] += 1
    return {"edges": edges, "counts": counts}


def print_tables(summaries, arguments):
    print("Iris, in cm; 95%% intervals of the mean from %d resamples, seed %d" % (arguments.n_samples, arguments.seed))
    for name, summary in summaries.items():
        print("\n%-16s" % ("%s (%d)" % (name, summary["n"])) + "".join("%8s" % s for s in STATISTICS) + "  95% interval")
        for variable, figures in summary["variables"].items():
            numbers = "".join("%8.2f" % figures[statistic] for statistic in STATISTICS)
            print("%-16s%s  %.2f to %.2f" % (variable, numbers, *figures["mean_ci95"]))
    name, summary = next(iter(summaries.items()))
    print("\n%-16s" % "correlation" + "".join("%14s" % variable for variable in VARIABLES) + "  (%s)" % name)
    for variable, row in summary["correlation"].items():
        print("%-16s" % variable + "".join("%14s" % ("-" if r is None else "%.2f" % r) for r in row.values()))


def write_json(folder, name, content):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
        file.write("\n")


def main():
    arguments = parse_arguments()
    rows = read_rows(arguments.dataset_path)
    species_rows = by_species(rows)
    subsets = {"all": rows, **species_rows}
    if arguments.species is not None:
        if arguments.species not in species_rows:
            raise ValueError("no species '%s': there are %s" % (arguments.species, ", ".join(species_rows)))
        subsets = species_rows = {arguments.species: species_rows[arguments.species]}

    os.makedirs(arguments.storage_path, exist_ok=True)
    progress = Progress(os.path.join(arguments.storage_path, "progress.txt"), len(subsets) * len(VARIABLES))
    summaries = {name: summarise(name, members, arguments, progress) for name, members in subsets.items()}
    histograms = {variable: histogram(variable, species_rows, arguments.bins) for variable in VARIABLES}

    settings = {"unit": "cm", "bins": arguments.bins, "seed": arguments.seed, "n_samples": arguments.n_samples}
    write_json(arguments.storage_path, "summary.json", {**settings, "summaries": summaries})
    write_json(arguments.storage_path, "histograms.json", {"unit": "cm", "variables": histograms})
    print_tables(summaries, arguments)
    progress.finish()


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit("iris.py: %s: %s" % (error.filename, error.strerror))
    except ValueError as error:
        sys.exit("iris.py: %s" % error)
