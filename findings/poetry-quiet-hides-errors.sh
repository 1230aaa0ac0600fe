#!/bin/sh
# Poetry 2.5.1: with --quiet, commands that fail say nothing at all, not even on stderr.
#
# `poetry install --quiet` (-q) is common in scripts and CI. If it fails, only the exit code tells: there is no message, so
# that a shell script without `set -e` goes on with an environment that is not complete. pip and uv print errors with --quiet.
#
# Seen on 2026-11-27 with Python 3.11:
#   poetry install: exit 1, 2 lines or more
#   poetry install --quiet: exit 1, 0 lines
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME="$work" POETRY_VIRTUALENVS_IN_PROJECT=true
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check poetry==2.5.1
cat >pyproject.toml <<'END'
[project]
name = "app"
version = "0.1.0"
requires-python = ">=3.9,<4"
dependencies = ["six==1.16.0"]
[tool.poetry]
package-mode = false
END
# A lock file of an earlier state of the project.
printf '# Lock file\npackage = []\n[metadata]\nlock-version = "2.1"\npython-versions = ">=3.9"\ncontent-hash = "0"\n' >poetry.lock

try() {
  code=0
  tool/bin/poetry --no-ansi install "$@" >output 2>&1 || code=$?
  echo "exit $code, $(grep -c . output || :) lines"
}
loud=$(try)
message=$(grep -m 1 -o 'pyproject.toml changed significantly' output || :)
quiet=$(try --quiet)
echo "poetry install: $loud ($message)"
echo "poetry install --quiet: $quiet"
[ "$message" = 'pyproject.toml changed significantly' ]
[ "$quiet" = 'exit 1, 0 lines' ]
