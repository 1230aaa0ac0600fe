#!/bin/sh
# uv 0.13.9: `uv run` in a second checkout whose .venv is a link to that of the first makes the first import the second.
#
# Two checkouts of one project have one environment: .venv of the second is a symbolic link to that of the first. Any
# `uv run` in the second synchronises the environment, which installs the project editable from the second checkout. From
# then on the first imports the code of the second, also without uv, until something synchronises it there.
# UV_NO_SYNC=1 leaves the environment as it is; then the second imports the first.
#
# Seen on 2026-11-27 with Python 3.11:
#   UV_NO_SYNC=1 uv run in second: first
#   .venv/bin/python in first: first
#   uv run in second: second
#   .venv/bin/python in first: second
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
work=$(pwd -P)
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
uv() { VIRTUAL_ENV='' "$work/tool/bin/uv" --quiet "$@"; }
export UV_CACHE_DIR="$work/cache"

uv init --package --name app --vcs none first
(cd first && uv sync)
cp -R first/src first/pyproject.toml first/uv.lock first/README.md .
mkdir second
mv src pyproject.toml uv.lock README.md second
ln -s "$work/first/.venv" second/.venv

# Which checkout the package is imported from.
where='import app, pathlib; print(pathlib.Path(app.__file__).parts[-4])'
unsynced=$(cd second && UV_NO_SYNC=1 uv run python -c "$where")
before=$(cd first && .venv/bin/python -c "$where")
second=$(cd second && uv run python -c "$where")
after=$(cd first && .venv/bin/python -c "$where")

echo "UV_NO_SYNC=1 uv run in second: $unsynced"
echo ".venv/bin/python in first: $before"
echo "uv run in second: $second"
echo ".venv/bin/python in first: $after"
[ "$unsynced $before $second $after" = 'first first second second' ]
