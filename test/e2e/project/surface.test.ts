import { describe, expect, test } from 'vitest'
import { commandPage } from '../../../src/cli/help/command-page.js'
import { commands, shortNames, topics } from '../../../src/commands/index.js'
import { expectError } from '../expectations.js'
import { Folder } from '../project.js'

/** How an option is written: `-f,--file=<>…` for one with values, a default in brackets, `?` where help hides it. */
function optionText([name, flag]: [string, any]): string {
  const value = flag.type === 'boolean' ? '' : `=<${flag.options?.join('|') ?? ''}>${flag.multiple ? '…' : ''}`
  const preset = flag.default === undefined ? '' : `(${flag.default})`
  return `${flag.char ? `-${flag.char},` : ''}--${name}${value}${preset}${flag.hidden ? '?' : ''}`
}

function argumentText([name, { required, default: value }]: [string, any]): string {
  return required ? name : `[${name}${value === undefined ? '' : `=${value}`}]`
}

/** A text in lines that fit on a page, of which all but the first are indented. */
function wrapped(text: string): string {
  return text.replace(/(?=.{117})(.{0,116}) /g, '$1\n    ')
}

async function surface(): Promise<string[]> {
  const texts = Object.entries(commands).map(async ([words, load]) => {
    const { args = {}, flags = {}, enableJsonFlag, strict } = (await load()).default
    const written = [
      `${words}:`,
      ...Object.entries(args as object).map(argumentText),
      ...(strict === false ? ['…'] : []),
      ...Object.entries(flags as object).map(optionText),
      ...(enableJsonFlag ? ['--json'] : []),
    ]
    return wrapped(written.join(' '))
  })
  const aliases = Object.entries(shortNames).map(([alias, words]) => `${alias} = ${words}`)
  return [...(await Promise.all(texts)), wrapped(aliases.join(', '))]
}

test('the surface of commands, options and arguments is stable', async () => {
  expect((await surface()).join('\n')).toMatchSnapshot()
})

describe('help', () => {
  test('of every command shows how it is called, with an example', async () => {
    const folder = new Folder()
    for (const words of [...Object.keys(commands), 'run']) {
      const { stdout, stderr, code } = await folder.qanat(...words.split(' '), '--help')
      expect([words, code, stderr]).toEqual([words, 0, ''])
      const usage = /USAGE\n {2}\$ qanat (.*)/.exec(stdout)![1]!
      expect(usage).toMatch(new RegExp(`^${words}( [[A-Z-].*)?$`))
      expect(stdout).toMatch(/EXAMPLES\n(?:.*\n)*? +\$ qanat /)
      // The texts beside options and arguments begin in the same column, and nothing but an example is wide.
      const columns = [...stdout.matchAll(/^ {2}(?:-\w, |[A-Z ]{4})\S.*? {2,}(?=\S)/gm)].map(
        ([before]) => before.length,
      )
      expect([words, new Set(columns).size]).toEqual([words, 1])
      expect(stdout.split('\n').filter(line => line.length > 80 && !/^ {2}[$a-z]/.test(line))).toEqual([])
    }
  })

  test('has summaries of one line, and a name for every value', async () => {
    for (const [words, load] of Object.entries(commands)) {
      const page = commandPage(words, (await load()).default)
      expect([words, page.summary.length <= 50]).toEqual([words, true])
      expect(JSON.stringify(page)).not.toMatch(/<value>|undefined/)
    }
  })

  test.each(['--help', '-h', 'help'])('of the program (%s) names all topics and commands', async word => {
    const { stdout, stderr, code } = await new Folder().qanat(word)
    expect([code, stderr]).toEqual([0, ''])
    const own = Object.keys(commands).filter(words => !words.includes(' '))
    for (const word of [...own, ...Object.keys(shortNames), ...Object.keys(topics)]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${word} +\\S`, 'm'))
    }
  })
})

test.each<[string, string, ...string[]]>([
  ['statsu', "Did you mean 'qanat status'?", 'qanat --help'],
  ['experiment stauts it', "Did you mean 'qanat experiment status'?", 'qanat --help'],
  ['experment list', "Did you mean 'qanat experiment list'?", 'qanat --help'],
  ['help statsu', "Did you mean 'status'?", 'qanat help status'],
  ['logs 1.3', "Did you mean 'qanat run_logs'?", 'qanat --help'],
  ['experiment toString', 'no command', 'qanat experiment --help'],
  ['__proto__ x', "Error: no command '__proto__", 'qanat --help'],
  ['status --size', '--size', '--help'],
  ['dataset new -f', '--file', '--help'],
  ['experiment status', 'which experiment?', 'for example: qanat experiment status summary_iris\n', '--help'],
])('%j is refused: %s', async (line, ...texts) => {
  expectError(await new Folder().qanat(...line.split(' ')), 2, ...texts)
})
