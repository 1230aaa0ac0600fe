import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unknownCommand } from '../../src/cli/unknown-command.js'
import { commands, shortNames, topics } from '../../src/commands/index.js'

const known = { commands: [...Object.keys(commands), ...Object.keys(shortNames)], topics: Object.keys(topics) }
const letters = fc.string({ unit: fc.constantFrom(...'abcdeilmnrstuw_') })

/** A command with a part of it replaced, so that it may look like any other. */
const slips = fc
  .tuple(fc.constantFrom(...known.commands, ...known.topics), fc.nat(20), fc.nat(6), letters)
  .map(([name, at, count, put]) => `${name.slice(0, at)}${put}${name.slice(at + count)}`)
const lines = fc.tuple(fc.oneof(slips, letters), fc.array(fc.oneof(fc.constantFrom(...known.commands), letters)))

test('what is proposed is a command, and never one that deletes', () => {
  const property = fc.property(lines, ([slip, others]) => {
    const words = [slip, ...others].join(' ').split(' ')
    fc.pre(![words[0]!, words.slice(0, 2).join(' ')].some(name => known.commands.includes(name)))
    const { message, hint } = unknownCommand(words, known)
    for (const [, line] of [...hint!.matchAll(/^qanat (.*)/gm), ...message.matchAll(/Did you mean 'qanat (.*)'/g)]) {
      const isOf = (name: string) => line === name || line!.startsWith(`${name} `)
      const named = known.commands.filter(isOf)
      expect([words, line, named.length > 0 || /^([a-z]+ )?--help /.test(line!)]).toEqual([words, line, true])
      expect([words, named.filter(name => /delete|empty|clean|unset/.test(name))]).toEqual([words, []])
    }
  })
  fc.assert(property, { numRuns: 2_000 })
})

test.each([
  ['experiment rename train', "no command 'experiment rename'", 'qanat experiment --help        shows its commands'],
  ['delete 4', "no command 'delete'", 'qanat --help        shows all commands'],
  ['experiment delet train', "no command 'experiment delet'", 'qanat experiment --help        shows its commands'],
  ['statsu --sizes', "no command 'statsu'. Did you mean 'qanat status'?", 'qanat status --sizes\n'],
  ['experment lst', "no command 'experment'. Did you mean 'qanat experiment list'?", 'qanat experiment list\n'],
  ['train run --lr 1', "no command 'train': the command comes first", 'qanat run train --lr 1\n'],
])('%s', (line, message, hint) => {
  const error = unknownCommand(line.split(' '), known)
  expect([error.message, error.hint!.slice(0, hint.length)]).toEqual([message, hint])
})
