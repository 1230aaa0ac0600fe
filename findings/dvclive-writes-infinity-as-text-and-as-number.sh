#!/bin/sh
# DVCLive 3.49.1: an infinite metric is the text "inf" in its summary, and a bare inf in its table of steps.
#
# JSON has no infinity, so the summary in metrics.json has a text where other steps have a number. A program that takes numbers alone
# loses the metric of just the runs that diverged, without an error; plots/metrics/loss.tsv still has the number.
#
# Seen on 2026-11-28 with Python 3.11.7:
#   metrics.json: {"loss": "inf", "acc": 0.5}
#   loss.tsv: step loss 0 inf
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check dvclive==3.49.1
cat >log.py <<'SCRIPT'
import json

from dvclive import Live

with Live("out", save_dvc_exp=False, dvcyaml=None, report=None) as live:
    live.log_metric("loss", float("inf"))
    live.log_metric("acc", 0.5)
print("metrics.json:", json.dumps(json.load(open("out/metrics.json"))))
print("loss.tsv:", *open("out/plots/metrics/loss.tsv").read().split())
SCRIPT
seen=$(tool/bin/python log.py 2>/dev/null)
echo "$seen"
[ "$seen" = 'metrics.json: {"loss": "inf", "acc": 0.5}
loss.tsv: step loss 0 inf' ]
