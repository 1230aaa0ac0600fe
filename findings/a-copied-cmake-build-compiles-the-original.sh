#!/bin/sh
# CMake 4.4.4: in a copy of a project with its build folder, ninja and make build the sources of the original.
#
# A project is copied with `cp -R`, as for a second variant, and its source is edited in the copy. What CMake has written into
# the build folder names the original's sources by absolute paths. `cmake` in the copy refuses to go on, as one would hope; but
# `ninja` and `make` compile the source of the original into the copy's program, and end with 0.
#
# Seen on 2026-11-27 with ninja 1.13.2 and GNU Make 4.3:
#   cmake in the copy: exit 1
#   ninja in the copy: exit 0, its program prints: original, again
#   make in the copy: exit 0, its program prints: original, again
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check cmake==4.4.4 ninja==1.13.2
PATH=$work/tool/bin:$PATH

# Makes a project, builds it, copies it, edits both, and runs a command for the copy: GENERATOR COMMAND
kind() {
  mkdir original
  printf 'cmake_minimum_required(VERSION 3.15)\nproject(sim C)\nadd_executable(sim sim.c)\n' >original/CMakeLists.txt
  write_source original original
  cmake -S original -B original/build -G "$1" >log
  cmake --build original/build >>log
  cp -pR original copy
  # make looks at seconds only where the file system does.
  sleep 1.1
  write_source original 'original, again'
  write_source copy copy
  code=0
  $2 >>log 2>&1 || code=$?
  echo "exit $code, its program prints: $(copy/build/sim)"
  rm -r original copy
}
write_source() { printf '#include <stdio.h>\nint main(void) { puts("%s"); return 0; }\n' "$2" >"$1/sim.c"; }
cmake=$(kind Ninja 'cmake -S copy -B copy/build')
ninja=$(kind Ninja 'ninja -C copy/build')
make=$(kind 'Unix Makefiles' 'make -C copy/build')
echo "cmake in the copy: $cmake"
echo "ninja in the copy: $ninja"
echo "make in the copy: $make"
[ "$cmake" = 'exit 1, its program prints: original' ]
[ "$ninja" = 'exit 0, its program prints: original, again' ]
[ "$make" = 'exit 0, its program prints: original, again' ]
