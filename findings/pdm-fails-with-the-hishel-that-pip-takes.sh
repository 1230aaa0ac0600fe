#!/bin/sh
# PDM 2.29.4: installed by pip, it takes hishel 2.0.0, which it accepts and does not work with. With hishel below 2 it works.
#
# PDM asks for hishel without an upper bound. hishel 2 has no SyncSqliteStorage any more, and `pdm lock` ends with an
# AttributeError for any project with a dependency. `pdm --version` and commands that fetch nothing work.
#
# Seen on 2026-11-27 with Python 3.11:
#   hishel 2.0.0: AttributeError: module 'hishel' has no attribute 'SyncSqliteStorage'
#   hishel below 2: locked six 1.16.0
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME="$work" PIP_DISABLE_PIP_VERSION_CHECK=1
cat >pyproject.toml <<'END'
[project]
name = "app"
version = "0.1.0"
requires-python = ">=3.9"
dependencies = ["six==1.16.0"]
END
python3 -m venv tool
tool/bin/pip install --quiet pdm==2.29.4 hishel==2.0.0
if tool/bin/pdm lock >output 2>&1; then with=locked; else with=$(grep -o 'AttributeError.*' output | tr -d '[]'); fi
tool/bin/pip install --quiet 'hishel<2'
tool/bin/pdm lock >output 2>&1
without="$(sed -n 's/^name = "\(six\)"/\1/p' pdm.lock) $(sed -n 's/^version = "\(.*\)"/\1/p' pdm.lock | head -n 1)"

echo "hishel 2.0.0: $with"
echo "hishel below 2: locked $without"
[ "$with" = "AttributeError: module 'hishel' has no attribute 'SyncSqliteStorage'" ]
[ "$without" = 'six 1.16.0' ]
