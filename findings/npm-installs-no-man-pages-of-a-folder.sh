#!/bin/sh
# npm 11.6.2: `npm install -g` installs no man pages of a package that names their folder in `directories.man`.
#
# The documentation of package.json calls `directories.man` sugar that makes the list `man` of the files in a folder, and
# npm reads `directories.bin` in this way. The page of a package that lists its file in `man` is in share/man. Neither
# `npm pack` nor `npm install` says anything.
#
# Seen on 2026-11-27 with Node.js 20.20.2:
#   "man": ["man/listed.1"]: installed
#   "directories": {"man": "man"}: not installed
#   "directories": {"bin": "bin"}: installed
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --prefix tool npm@11.6.2
pinned() { node "$work/tool/node_modules/npm/bin/npm-cli.js" --silent "$@"; }

# Packs a package with a program and a man page, and installs it. $1: its name, $2: what its package.json says of them
package() {
  mkdir -p "$1/man" "$1/bin"
  echo ".TH $1 1" >"$1/man/$1.1"
  printf '#!/bin/sh\n' >"$1/bin/$1"
  echo "{\"name\": \"$1\", \"version\": \"1.0.0\", $2}" >"$1/package.json"
  tarball=$(cd "$1" && pinned pack)
  pinned install --global --prefix "$work/prefix" "./$1/$tarball"
}

# Whether a file is there, behind what the package says.
seen() { echo "$1: $([ -e "prefix/$2" ] && echo installed || echo not installed)"; }

package listed '"bin": "bin/listed", "man": ["man/listed.1"]'
package folder '"bin": "bin/folder", "directories": {"man": "man"}'
package program '"directories": {"bin": "bin"}'
all="$(seen '"man": ["man/listed.1"]' share/man/man1/listed.1)
$(seen '"directories": {"man": "man"}' share/man/man1/folder.1)
$(seen '"directories": {"bin": "bin"}' bin/program)"
echo "$all"
[ "$all" = '"man": ["man/listed.1"]: installed
"directories": {"man": "man"}: not installed
"directories": {"bin": "bin"}: installed' ]
