#!/bin/sh
# pandas 3.1.1: read_json gives numbers other last digits than the file has, and than read_csv and Python's json give.
#
# 0.1234567890123456 is a double that Python prints with these digits. `read_json(lines=True)`, by its own fast parser, reads another
# one; `precise_float=True` reads the right one. A mean of metrics, or a comparison with the file, differs from then on.
#
# Seen on 2026-11-28 with Python 3.11.2:
#   read_json: 0.12345678901234501
#   read_json, precise_float: 0.1234567890123456
#   read_csv: 0.1234567890123456
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check pandas==3.1.1
cat >read.py <<'SCRIPT'
import io

import pandas

lines = '{"loss": 0.1234567890123456}\n'
print("read_json:", repr(float(pandas.read_json(io.StringIO(lines), lines=True)["loss"][0])))
print("read_json, precise_float:", repr(float(pandas.read_json(io.StringIO(lines), lines=True, precise_float=True)["loss"][0])))
print("read_csv:", repr(float(pandas.read_csv(io.StringIO("loss\n0.1234567890123456\n"))["loss"][0])))
SCRIPT
seen=$(tool/bin/python read.py)
echo "$seen"
[ "$seen" = 'read_json: 0.12345678901234501
read_json, precise_float: 0.1234567890123456
read_csv: 0.1234567890123456' ]
