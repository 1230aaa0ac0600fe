#!/bin/sh
# pandas 3.1.1, pyarrow 26.0.1, DuckDB 2.0.1 and Polars 2.1.0: a column of abbreviated commits is read as numbers, and 45e6123 as
# infinity. pandas does so with strings of JSON Lines, too.
#
# An abbreviated commit may consist of digits and one `e`, which is a number with an exponent: of seven characters, about one in fifty.
# All four readers of CSV find the type of a column by its values, and all of these look like numbers. Such an exponent is larger
# than any double has, which none of them takes for a sign that it is a text, or warns of: two commits become one, and a join by them
# joins all that are like them. In JSON Lines, a string is a string for Polars, DuckDB and pyarrow; pandas turns it into a number.
# Full commits are no numbers in practice. So a table should have these, or a reader be told: `dtype={'commit': str}`.
#
# Seen on 2026-11-28:
#   csv pandas [inf, inf, 9512638.0]
#   csv pandas, dtype ['45e6123', '81e0999', '9512638']
#   csv pyarrow [inf, inf, 9512638.0]
#   csv duckdb [inf, inf, 9512638.0]
#   csv polars [inf, inf, 9512638.0]
#   json pandas [inf, inf, 9512638.0]
#   json pyarrow ['45e6123', '81e0999', '9512638']
#   json duckdb ['45e6123', '81e0999', '9512638']
#   json polars ['45e6123', '81e0999', '9512638']
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check pandas==3.1.1 pyarrow==26.0.1 duckdb==2.0.1 polars==2.1.0
printf 'run,commit\n1,45e6123\n2,81e0999\n3,9512638\n' >runs.csv
printf '{"run": %s, "commit": "%s"}\n' 1 45e6123 2 81e0999 3 9512638 >runs.jsonl
cat >read.py <<'END'
import duckdb, pandas, polars
from pyarrow import csv, json

query = "select commit from '{}' order by run"
print('csv pandas', pandas.read_csv('runs.csv')['commit'].tolist())
print('csv pandas, dtype', pandas.read_csv('runs.csv', dtype={'commit': str})['commit'].tolist())
print('csv pyarrow', csv.read_csv('runs.csv')['commit'].to_pylist())
print('csv duckdb', [commit for (commit,) in duckdb.sql(query.format('runs.csv')).fetchall()])
print('csv polars', polars.read_csv('runs.csv')['commit'].to_list())
print('json pandas', pandas.read_json('runs.jsonl', lines=True)['commit'].tolist())
print('json pyarrow', json.read_json('runs.jsonl')['commit'].to_pylist())
print('json duckdb', [commit for (commit,) in duckdb.sql(query.format('runs.jsonl')).fetchall()])
print('json polars', polars.read_ndjson('runs.jsonl')['commit'].to_list())
END
seen=$(tool/bin/python read.py)
echo "$seen"
numbers='[inf, inf, 9512638.0]'
texts="['45e6123', '81e0999', '9512638']"
[ "$seen" = "csv pandas $numbers
csv pandas, dtype $texts
csv pyarrow $numbers
csv duckdb $numbers
csv polars $numbers
json pandas $numbers
json pyarrow $texts
json duckdb $texts
json polars $texts" ]
