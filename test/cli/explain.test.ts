import { expect, test } from 'vitest'
import { usageText } from '../../src/cli/explain.js'

test.each([
  [
    'Parsing --limit \n\tExpected an integer greater than or equal to 1 but received: 0\nSee more help with --help',
    "--limit: expected a whole number greater than or equal to 1, not '0'",
  ],
  [
    'Missing 1 required arg:\nname  the experiment\n\nNote: --param allow multiple values. Because of this …\nAlternatively, you can use "--" …\nSee more help with --help',
    'NAME is missing: the experiment',
  ],
  [
    'Missing 2 required args:\nkey    the setting\nvalue  YAML: 60\nSee more help with --help',
    'arguments are missing\nKEY    the setting\nVALUE  YAML: 60',
  ],
  [
    'The following error occurred:\n  --json=true cannot also be provided when using --csv\nSee more help with --help',
    '--json and --csv cannot be given together',
  ],
  [
    'The following error occurred:\n  All of the following must be provided when using --rtol: --verify\nSee more help with --help',
    '--rtol needs --verify',
  ],
  ['Nonexistent flag: --nope\nSee more help with --help', 'unknown option --nope'],
  ['Nonexistent flags: --a, -b\nSee more help with --help', 'unknown options --a, -b'],
  ['Unexpected arguments: a, b\nSee more help with --help', 'unexpected arguments: a, b'],
  ['Flag --output expects a value', '--output needs a value'],
  [
    'Expected --kind=a=b to be one of: points, bars\nSee more help with --help',
    "--kind: expected one of points, bars, not 'a=b'",
  ],
  ['The following error occurred:\n  Missing required flag output\nSee more help with --help', '--output is missing'],
])('%j is said as %j', (message, text) => {
  expect(usageText(message)).toBe(text)
})
