#!/bin/sh
# npm 11.6.2: `npm ci` empties the folder to which a link named node_modules leads, in whatever project that is.
#
# Two projects share their packages: node_modules of the second is a symbolic link to that of the first. `npm install` in
# the second replaces the link by a folder of its own and leaves the first alone. `npm ci` in the second removes the
# packages of the first, then makes a folder of its own, too, and says nothing of it.
#
# Seen on 2026-11-27 with Node.js 20.20.2:
#   after npm install: first has ms 2.1.2, second is a folder with ms 2.1.3
#   after npm ci: first has nothing, second is a folder with ms 2.1.3
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --prefix tool npm@11.6.2
pinned() { node "$work/tool/node_modules/npm/bin/npm-cli.js" --silent "$@"; }

mkdir first second
echo '{"name": "first", "version": "1.0.0", "dependencies": {"ms": "2.1.2"}}' >first/package.json
echo '{"name": "second", "version": "1.0.0", "dependencies": {"ms": "2.1.3"}}' >second/package.json
(cd first && pinned install)

# What a project has: the version of ms, and whether node_modules is a folder.
state() {
  version=$(sed -n 's/.*"version": "\(.*\)".*/\1/p' "$1/node_modules/ms/package.json" 2>/dev/null || :)
  echo "$1: ${version:-nothing}, $([ -L "$1/node_modules" ] && echo link || echo folder)"
}
link() { rm -rf second/node_modules && ln -s ../first/node_modules second/node_modules; }

link
(cd second && pinned install)
installed="$(state first); $(state second)"
link
(cd second && pinned ci)
cleaned="$(state first); $(state second)"

echo "after npm install: $installed"
echo "after npm ci: $cleaned"
[ "$installed" = 'first: 2.1.2, folder; second: 2.1.3, folder' ]
[ "$cleaned" = 'first: nothing, folder; second: 2.1.3, folder' ]
