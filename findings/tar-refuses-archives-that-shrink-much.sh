#!/bin/sh
# The npm package tar 7.5.23 does not unpack an archive that gzip has made a thousand times smaller, which GNU tar unpacks.
#
# The log of a program that prints the same line for hours, or an array of zeros, compresses that well. Two logs are packed by
# `tar -czf`, one of 20 MB with a line of zeros, one of 20 MB with numbers. `tar.extract` of the package ends with an error at the
# first one, since its option `maxDecompressionRatio` is 1000 unless one says otherwise. `tar -xzf` unpacks both.
#
# Seen on 2026-11-28 with Node 20.20.2 and GNU tar 1.34:
#   zeros: Error, TAR_ABORT: max decompression ratio exceeded: 1000.34 > 1000
#   numbers: unpacked
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >log
npm install --silent --no-audit --no-fund tar@7.5.23 >>log
head -c 20000000 /dev/zero | tr '\0' '0' >zeros
seq 1 2700000 >numbers
for name in zeros numbers; do tar -czf "$name.tgz" "$name"; done
cat >unpack.mjs <<'END'
import { mkdirSync } from 'node:fs'
import { extract } from 'tar'

const name = process.argv[2]
mkdirSync(`${name}.out`)
try {
  await extract({ file: `${name}.tgz`, cwd: `${name}.out` })
  console.log('unpacked')
} catch (error) {
  console.log(`${error.name}, ${error.code}: ${error.message}`)
}
END
for name in zeros numbers; do
  mkdir "$name.gnu"
  tar -xzf "$name.tgz" -C "$name.gnu"
  cmp "$name" "$name.gnu/$name"
  node unpack.mjs "$name" >"$name.seen"
  echo "$name: $(cat "$name.seen")"
done
grep -q '^Error, TAR_ABORT: max decompression ratio exceeded: 1000' zeros.seen
[ "$(cat numbers.seen)" = unpacked ]
