#!/bin/sh
# Ray Tune 2.60.0: progress.csv has the columns of the first result alone. What a later result has besides is in no row.
#
# A trial that evaluates at every second step, as RLlib does by `evaluation_interval=2`, reports other names then. result.json has
# them; the table beside it, which looks whole, has no such column, and no message tells.
#
# Seen on 2026-11-28 with Python 3.11.7:
#   result.json: 2 of 2 results of step 2 and 4 with val
#   progress.csv: columns loss step, val is missing
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check 'ray[tune]==2.60.0'
cat >tune.py <<'SCRIPT'
import csv, glob, json, os

import ray
from ray import tune

ray.init(num_cpus=1, include_dashboard=False, logging_level="ERROR")


def trial(config):
    for step in range(1, 5):
        tune.report({"step": step, "loss": 1 / step, **({"val": 2 / step} if step % 2 == 0 else {})})


tune.Tuner(trial, run_config=tune.RunConfig(storage_path=os.getcwd(), name="out", verbose=0)).fit()
(json_file,), (csv_file,) = (glob.glob("out/*/" + name) for name in ("result.json", "progress.csv"))
even = [row for row in map(json.loads, open(json_file)) if row["step"] % 2 == 0]
print(f"result.json: {sum('val' in row for row in even)} of {len(even)} results of step 2 and 4 with val")
names = next(csv.reader(open(csv_file)))
print("progress.csv: columns", *sorted({"loss", "step", "val"} & set(names)), end="")
print("" if "val" in names else ", val is missing")
SCRIPT
seen=$(tool/bin/python tune.py 2>/dev/null | grep -E '^(result.json|progress.csv):')
echo "$seen"
[ "$seen" = 'result.json: 2 of 2 results of step 2 and 4 with val
progress.csv: columns loss step, val is missing' ]
