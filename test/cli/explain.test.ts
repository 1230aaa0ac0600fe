import { expect, test } from 'vitest'
import { usageText } from '../../src/cli/explain.js'

const error = 'The following error occurred:\n  '

test.each([
  [
    'Parsing --limit \n\tExpected an integer greater than or equal to 1 but received: 0',
    "--limit: expected a whole number greater than or equal to 1, not '0'",
  ],
  [`${error}--json=true cannot also be provided when using --csv`, '--json and --csv cannot be given together'],
  [`${error}All of the following must be provided when using --rtol: --verify`, '--rtol needs --verify'],
  ['Nonexistent flag: --nope', 'unknown option --nope'],
  ['Nonexistent flags: --a, -b', 'unknown options --a, -b'],
  ['Unexpected arguments: a, b', 'unexpected arguments: a, b'],
  ['Flag --output expects a value', '--output needs a value'],
  ['Expected --kind=a=b to be one of: points, bars', "--kind: expected one of points, bars, not 'a=b'"],
  [`${error}Missing required flag output`, '--output is missing'],
])('%j is said as %j', (message, text) => {
  expect(usageText(`${message}\nSee more help with --help`)).toBe(text)
})
