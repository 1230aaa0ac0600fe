import { expect, test } from 'vitest'
import { takeGlobals } from '../../../src/cli/parse/globals.js'

test.each([
  ['run it', {}, 'run it'],
  ['-q run it -q', { quiet: true }, 'run it -q'],
  ['--quiet --no-emoji runs', { quiet: true, no_emoji: true }, 'runs'],
  ['--no_emoji', { no_emoji: true }, ''],
  ['-qq run', {}, '-qq run'],
  ['-- -q', {}, '-- -q'],
])('the global options that %s begins with are %j', (line, globals, rest) => {
  expect(takeGlobals(line.split(' '))).toEqual({ globals, rest: rest.split(' ').filter(word => word !== '') })
})
