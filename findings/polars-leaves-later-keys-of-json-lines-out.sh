#!/bin/sh
# Polars 2.1.0: read_ndjson leaves out, without a word, every key that no one of the first hundred lines has.
#
# A training script writes its loss at each step, and the accuracy only at the end of an epoch: a key that comes later than line 100.
# `polars.read_ndjson` and `scan_ndjson` learn the columns from the first 100 lines, and leave the accuracy out of the table; with
# `infer_schema_length=None` it is there. Nothing is said, although the same reader of CSV raises an error where a later value does not
# fit. Of the same lines, pandas and pyarrow read all keys.
#
# Seen on 2026-11-28 with pandas 3.1.1 and pyarrow 26.0.1:
#   polars.read_ndjson: step loss
#   polars.scan_ndjson: step loss
#   polars.read_ndjson, infer_schema_length=None: step loss accuracy
#   pandas: step loss accuracy
#   pyarrow: step loss accuracy
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check polars==2.1.0 pandas==3.1.1 pyarrow==26.0.1
cat >columns.py <<'END'
import json
import pandas, polars, pyarrow.json

with open('metrics.jsonl', 'w') as file:
    for step in range(100):
        print(json.dumps({'step': step, 'loss': 1 / (step + 1)}), file=file)
    print(json.dumps({'step': 100, 'loss': 0.01, 'accuracy': 0.9}), file=file)
print('polars.read_ndjson:', *polars.read_ndjson('metrics.jsonl').columns)
print('polars.scan_ndjson:', *polars.scan_ndjson('metrics.jsonl').collect().columns)
everything = polars.read_ndjson('metrics.jsonl', infer_schema_length=None)
print('polars.read_ndjson, infer_schema_length=None:', *everything.columns)
print('pandas:', *pandas.read_json('metrics.jsonl', lines=True).columns)
print('pyarrow:', *pyarrow.json.read_json('metrics.jsonl').column_names)
END
seen=$(tool/bin/python columns.py)
echo "$seen"
[ "$seen" = 'polars.read_ndjson: step loss
polars.scan_ndjson: step loss
polars.read_ndjson, infer_schema_length=None: step loss accuracy
pandas: step loss accuracy
pyarrow: step loss accuracy' ]
