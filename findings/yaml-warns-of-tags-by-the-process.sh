#!/bin/sh
# yaml 2.9.1: `parse` reports an unknown tag as a warning of the Node.js process, and keeps its value without a word to the caller.
#
# PyYAML writes a number of NumPy with a tag of Python. The program that parses the file prints (node:…) [TAG_RESOLVE_FAILED] on
# stderr, which its user cannot explain, and gets the arguments of the constructor as a list. `parseDocument(text,
# {logLevel: 'error'})` prints nothing, and has the tag of each node.
#
# Seen on 2026-11-28 with Node.js 20.20.2:
#   acc: object
#   warnings of the process: TAG_RESOLVE_FAILED
#   with logLevel error: none
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund yaml@2.9.1
cat >parse.mjs <<'SCRIPT'
import { parse } from 'yaml'

const text = 'acc: !!python/object/apply:numpy._core.multiarray.scalar\n- 0.9\n'
let seen = []
process.on('warning', warning => seen.push(warning.code ?? warning.name))
const told = () => new Promise(resolve => setImmediate(() => resolve(seen.join(' ') || 'none')))
console.log('acc:', typeof parse(text).acc)
console.log('warnings of the process:', await told())
seen = []
parse(text, { logLevel: 'error' })
console.log('with logLevel error:', await told())
SCRIPT
seen=$(NODE_NO_WARNINGS=1 node parse.mjs)
echo "$seen"
[ "$seen" = 'acc: object
warnings of the process: TAG_RESOLVE_FAILED
with logLevel error: none' ]
