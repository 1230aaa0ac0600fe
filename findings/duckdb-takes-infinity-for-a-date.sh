#!/bin/sh
# DuckDB 2.0.1: the CSV reader takes a column whose first values are all `inf` for dates, and one with `inf` before numbers for text.
#
# PostgreSQL's dates know infinity, and so do DuckDB's. Python writes an infinite number as `inf`: the column of a metric that has
# diverged in each run becomes one of dates, of which no mean can be computed. `dtype={'loss': 'DOUBLE'}` reads it as numbers.
#
# Seen on 2026-11-28 with Python 3.11.7:
#   inf, inf: DATE
#   inf, 0.5: VARCHAR
#   0.5, inf: DOUBLE
#   inf, inf, with a type: DOUBLE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check duckdb==2.0.1
cat >read.py <<'SCRIPT'
import duckdb


def seen(*cells, **options):
    with open("t.csv", "w") as file:
        file.write("\n".join(["loss", *cells]) + "\n")
    return duckdb.read_csv("t.csv", **options).types[0]


print("inf, inf:", seen("inf", "inf"))
print("inf, 0.5:", seen("inf", "0.5"))
print("0.5, inf:", seen("0.5", "inf"))
print("inf, inf, with a type:", seen("inf", "inf", dtype={"loss": "DOUBLE"}))
SCRIPT
seen=$(tool/bin/python read.py)
echo "$seen"
[ "$seen" = 'inf, inf: DATE
inf, 0.5: VARCHAR
0.5, inf: DOUBLE
inf, inf, with a type: DOUBLE' ]
