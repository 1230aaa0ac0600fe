import { expect, test } from 'vitest'
import { takeGlobals } from '../../../src/cli/parse/globals.js'

const words = (line: string) => line.split(' ').filter(word => word !== '')

test.each([
  ['run it', {}, 'run it'],
  ['-q run it -q', { quiet: true }, 'run it -q'],
  ['--quiet --no-emoji runs', { quiet: true, no_emoji: true }, 'runs'],
  ['--no_emoji', { no_emoji: true }, ''],
  ['-qq run', {}, '-qq run'],
  ['-- -q', {}, '-- -q'],
])('the global options that %s begins with are %j', (line, globals, rest) => {
  expect(takeGlobals(words(line))).toEqual({ globals, context: [], rest: words(rest) })
})

test.each([
  ['--context hpc run it', '--context hpc', 'run it'],
  ['-q --context=hpc run it', '--context=hpc', 'run it'],
  ['run --context hpc it', '', 'run --context hpc it'],
  ['--context', '', '--context'],
])('of %s, what is before the command is %s', (line, context, rest) => {
  expect(takeGlobals(words(line))).toMatchObject({ context: words(context), rest: words(rest) })
})
