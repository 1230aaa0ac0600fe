#!/bin/sh
# pyarrow 26.0.1: read_csv takes `NaN` for a missing value, so that a loss which has diverged is one that was never written.
#
# Of three runs, the first has a loss, that of the second is NaN, and the third has left none: its field is empty. The column is
# of floating-point numbers, which have NaN, and `inf` beside it is read as infinity. Still, `NaN` is among the words that stand for
# null. DuckDB and Polars read NaN and null apart. With `null_values=['']` pyarrow does, too; `inf` and `NaN` are then both numbers.
#
# Seen on 2026-11-28 with DuckDB 2.0.1 and Polars 2.1.0:
#   pyarrow: [0.5, None, None, inf]
#   pyarrow, null_values=['']: [0.5, nan, None, inf]
#   duckdb: [0.5, nan, None, inf]
#   polars: [0.5, nan, None, inf]
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check pyarrow==26.0.1 duckdb==2.0.1 polars==2.1.0
printf 'run,loss\n1,0.5\n2,NaN\n3,\n4,inf\n' >losses.csv
cat >read.py <<'END'
import duckdb, polars
from pyarrow import csv

print('pyarrow:', csv.read_csv('losses.csv')['loss'].to_pylist())
words = csv.ConvertOptions(null_values=[''])
print("pyarrow, null_values=['']:", csv.read_csv('losses.csv', convert_options=words)['loss'].to_pylist())
print('duckdb:', [loss for (loss,) in duckdb.sql("select loss from 'losses.csv' order by run").fetchall()])
print('polars:', polars.read_csv('losses.csv')['loss'].to_list())
END
seen=$(tool/bin/python read.py)
echo "$seen"
[ "$seen" = "pyarrow: [0.5, None, None, inf]
pyarrow, null_values=['']: [0.5, nan, None, inf]
duckdb: [0.5, nan, None, inf]
polars: [0.5, nan, None, inf]" ]
