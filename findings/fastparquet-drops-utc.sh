#!/bin/sh
# fastparquet 2026.9.0: a column of times in UTC has no zone any more once it is read, where pyarrow keeps it.
#
# The file says isAdjustedToUTC. With fastparquet, the times cannot be compared with others that have a zone (pandas raises a
# TypeError), and `tz_localize` with the zone of the machine moves them by hours.
#
# Seen on 2026-11-28 with Python 3.11.7, pandas 3.1.1, pyarrow 26.0.1:
#   pyarrow: datetime64[ms, UTC]
#   fastparquet: datetime64[ms]
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check fastparquet==2026.9.0 pandas==3.1.1 pyarrow==26.0.1
cat >read.py <<'SCRIPT'
import pandas
import pyarrow
import pyarrow.parquet

started = pyarrow.array([1795855761000], pyarrow.timestamp("ms", tz="UTC"))
pyarrow.parquet.write_table(pyarrow.table({"started": started}), "t.parquet")
for engine in ["pyarrow", "fastparquet"]:
    print(f"{engine}:", pandas.read_parquet("t.parquet", engine=engine)["started"].dtype)
SCRIPT
seen=$(tool/bin/python -W ignore read.py)
echo "$seen"
[ "$seen" = 'pyarrow: datetime64[ms, UTC]
fastparquet: datetime64[ms]' ]
