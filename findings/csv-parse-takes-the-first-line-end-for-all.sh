#!/bin/sh
# csv-parse 7.0.3: in a file with line ends of two kinds, the first one counts for the whole file, and rows become one.
#
# A table of metrics is begun on one machine and continued on another, so that its header ends with CR LF and its rows with LF. Both
# are valid line ends, and without `record_delimiter` the parser finds out by itself. It takes what it finds first: the rows that
# end otherwise are not separated, and the columns of one are told to be too many; with `relax_column_count` the rows are one
# record without a word.
#
# Seen on 2026-11-28 with Node 20.20.2:
#   strict: Invalid Record Length: columns length is 2, got 3 on line 3
#   relaxed: [{"step":"1","loss":"0.5\n2"}]
#   with LF alone: [{"step":"1","loss":"0.5"},{"step":"2","loss":"0.25"}]
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{}' >package.json
npm install --silent --no-audit --no-fund csv-parse@7.0.3
cat >read.mjs <<'SCRIPT'
import { parse } from 'csv-parse/sync'
const [kind, header] = process.argv.slice(2)
const text = `step,loss${header === 'crlf' ? '\r\n' : '\n'}1,0.5\n2,0.25\n`
try {
  const rows = parse(text, { columns: true, relax_column_count: kind === 'relaxed' })
  console.log(JSON.stringify(rows))
} catch (error) {
  console.log(error.message)
}
SCRIPT
strict=$(node read.mjs strict crlf)
relaxed=$(node read.mjs relaxed crlf)
alone=$(node read.mjs strict lf)
printf 'strict: %s\n' "$strict"
printf 'relaxed: %s\n' "$relaxed"
printf 'with LF alone: %s\n' "$alone"
[ "$strict" = 'Invalid Record Length: columns length is 2, got 3 on line 3' ]
[ "$relaxed" = '[{"step":"1","loss":"0.5\n2"}]' ]
[ "$alone" = '[{"step":"1","loss":"0.5"},{"step":"2","loss":"0.25"}]' ]
