#!/bin/sh
# Meson 1.12.1: in a copy of a project with its build folder, ninja builds the copy, until meson.build changes: then, the original.
#
# A project is copied with `cp -R`, and its source is edited in the copy. `ninja` there compiles the source of the copy, since
# Meson writes paths relative to the build folder. After any edit of meson.build in the copy, or if only its time is new, ninja
# lets Meson write these paths again. Meson takes the source folder from what it has kept, and from then on the copy's builds
# use the source and the meson.build of the original. Nothing says so, and ninja ends with 0.
#
# Seen on 2026-11-27 with ninja 1.13.2:
#   ninja in the copy: copy
#   after meson.build was touched there: original
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check meson==1.12.1 ninja==1.13.2
PATH=$work/tool/bin:$PATH

write_source() { printf '#include <stdio.h>\nint main(void) { puts("%s"); return 0; }\n' "$2" >"$1/sim.c"; }
mkdir original
printf "project('sim', 'c')\nexecutable('sim', 'sim.c')\n" >original/meson.build
write_source original original
meson setup original/build original >log
ninja -C original/build >>log
cp -pR original copy
sleep 1.1
write_source copy copy
ninja -C copy/build >>log
first=$(copy/build/sim)
sleep 1.1
touch copy/meson.build
ninja -C copy/build >>log
second=$(copy/build/sim)
echo "ninja in the copy: $first"
echo "after meson.build was touched there: $second"
[ "$first" = copy ]
[ "$second" = original ]
