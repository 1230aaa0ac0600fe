#!/bin/sh
# uv 0.13.9: an environment made by `uv venv` carries CACHEDIR.TAG, so programs that skip caches skip it.
#
# Whoever tells what can be thrown away by CACHEDIR.TAG (tar --exclude-caches, many backup programs) leaves out a .venv
# made by uv, although it need not be possible to make it again. An environment made by `python -m venv` has no such file.
#
# Seen on 2026-11-27 with GNU tar 1.34:
#   by uv: Signature: 8a477f597d28d172789f06886806bc55; tar --exclude-caches keeps 2 entries
#   by venv: tar --exclude-caches keeps 1681 entries
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv by-venv
by-venv/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
by-venv/bin/uv --quiet venv by-uv

kept() { tar --exclude-caches -cf - "$1" | tar -tf - | wc -l; }
tagged=$(head -n 1 by-uv/CACHEDIR.TAG)
echo "by uv: $tagged; tar --exclude-caches keeps $(kept by-uv) entries"
echo "by venv: tar --exclude-caches keeps $(kept by-venv) entries"
[ "$tagged" = 'Signature: 8a477f597d28d172789f06886806bc55' ]
[ "$(kept by-uv)" -eq 2 ]
[ ! -e by-venv/CACHEDIR.TAG ]
[ "$(kept by-venv)" -gt 2 ]
