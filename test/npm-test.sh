#!/bin/sh
# What npm test does: while vitest runs, with these words, types and style are checked, and what that says is printed last.
checked=$(mktemp)
trap 'rm -f "$checked"' EXIT
{ npm run --silent types && npm run --silent lint; } >"$checked" 2>&1 &
vitest run --exclude 'test/{e2e,macos,harm}/**' --exclude 'docs/**' "$@"
ran=$?
wait $!
code=$?
cat "$checked"
exit $((ran || code))
