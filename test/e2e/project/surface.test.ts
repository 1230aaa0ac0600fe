import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { commands, shortNames, topics } from '../../../src/commands/index.js'
import { expectError } from '../expectations.js'
import { Folder, projectWith } from '../project.js'

/** What oclif declares of an option or an argument, as far as a user depends on it. */
interface Declared {
  readonly type?: string
  readonly char?: string
  readonly required?: boolean
  readonly multiple?: boolean
  readonly hidden?: boolean
  readonly default?: unknown
  readonly options?: readonly string[]
}

/** How an option is written: `-f,--file=<>…` for one with values, a default in brackets, `?` where help hides it. */
function optionText([name, flag]: [string, Declared]): string {
  const value = flag.type === 'boolean' ? '' : `=<${flag.options?.join('|') ?? ''}>${flag.multiple ? '…' : ''}`
  const preset = flag.default === undefined ? '' : `(${flag.default})`
  return `${flag.char ? `-${flag.char},` : ''}--${name}${value}${preset}${flag.hidden ? '?' : ''}`
}

function argumentText([name, { required, default: value }]: [string, Declared]): string {
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
  return [...(await Promise.all(texts)), ...Object.entries(shortNames).map(([alias, words]) => `${alias} = ${words}`)]
}

/** What is known only of groups that take long enough, on some systems. */
const unsure = ['peak_memory_bytes', 'cpu_s']

/** The keys of a JSON document with the types of their values; of a list those of its first item. */
function shape(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  if (Array.isArray(value)) return value.slice(0, 1).map(shape)
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, unsure.includes(key) ? 'number or null' : shape(inner)]),
  )
}

describe('the surface', () => {
  test('of commands, options and arguments is stable', async () => {
    expect((await surface()).join('\n')).toMatchSnapshot()
  })

  test('of JSON is stable', async () => {
    const project = await projectWith(
      'echo \'{"acc": 1}\' >"$QANAT_STORAGE_PATH/metrics.json"; [ "$2" != 3 ] || exit 3',
    )
    project.write('.qanat/data.yaml', 'name: data\npath: it.sh\ntags: [a]\n')
    project.write(
      '.qanat/it.yaml',
      'name: it\nexecutable: it.sh\nexecutable_command: sh\ndatasets: data\ntags: b\nactions: [{plot: {executable: it.sh}}]\n',
    )
    const shapes: string[] = []
    for (const line of [
      'dataset new .qanat/data.yaml --json',
      'dataset list --json',
      'experiment update it -f .qanat/it.yaml --json',
      'run --json it --n 1 --tag t --submit_template two_cpus',
      'run_wait it 1 --json',
      'run_show it 1 --json',
      'run --json --dry_run it --n 1',
      'experiment list --json',
      'experiment status it --json',
      'run --json it --n 3',
      'compare it --ci --json',
      'compare it 1.0 2.0 --json',
      'diff 1 2 --patch --json',
      'failures it --json',
      'groups it --json',
      'sql --json',
      'status --json',
      'status --sizes --json',
      'config get logging --json',
      'experiment status nope --json',
    ]) {
      const options = { depth: null, sorted: true, compact: 99, breakLength: Infinity }
      const text = inspect(shape(await project.json(...line.split(' '))), options)
      const earlier = shapes.find(known => known.endsWith(`\n${text}`))?.split('\n')[0]
      shapes.push(earlier ? `${line} = ${earlier}` : `${line}\n${text}`)
    }
    const written = shapes.join('\n').replaceAll("'", '').replaceAll(': ', ':')
    expect(written.split('\n').map(wrapped).join('\n')).toMatchSnapshot()
  })
})

describe('help', () => {
  test('of every command shows how it is called, with an example', async () => {
    const folder = new Folder()
    for (const words of [...Object.keys(commands), 'run']) {
      const { stdout, stderr, code } = await folder.qanat(...words.split(' '), '--help')
      expect([words, code, stderr]).toEqual([words, 0, ''])
      const usage = /USAGE\n {2}\$ qanat (.*)/.exec(stdout)![1]!
      expect(usage).toMatch(new RegExp(`^(${words}|experiment ${words})(?! run )( [[A-Z-].*)?$`))
      expect(stdout).toMatch(/EXAMPLES\n(?:.*\n)*? +\$ qanat /)
    }
  })

  test.each([[['--help']], [['-h']], [['help']]])('of the program (%j) names all topics and commands', async args => {
    const { stdout, stderr, code } = await new Folder().qanat(...args)
    expect([code, stderr]).toEqual([0, ''])
    const own = Object.keys(commands).filter(words => !words.includes(' '))
    for (const word of [...own, ...Object.keys(shortNames), ...Object.keys(topics)]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${word} +\\S`, 'm'))
    }
  })

  test.each(Object.keys(topics))('of the topic %s names its commands', async topic => {
    const folder = new Folder()
    const { stdout, code } = await folder.qanat(topic)
    expect(code).toBe(0)
    for (const words of Object.keys(commands).filter(words => words.startsWith(`${topic} `)))
      expect(stdout).toContain(words)
    expect((await folder.qanat('help', topic)).stdout).toBe(stdout)
  })
})

test.each<[string, string, ...string[]]>([
  ['statsu', "Did you mean 'qanat status'?", 'qanat --help'],
  ['run_shw it 1', "Did you mean 'qanat run_show'?", 'qanat --help'],
  ['experiment stauts it', "Did you mean 'qanat experiment status'?", 'qanat --help'],
  ['experiment lst', "Did you mean 'qanat experiment list'?", 'qanat --help'],
  ['experment list', "Did you mean 'qanat experiment list'?", 'qanat --help'],
  ['datset', "Did you mean 'qanat dataset'?", 'qanat --help'],
  ['confg get logging', "Did you mean 'qanat config get'?", 'qanat --help'],
  ['help statsu', "Did you mean 'qanat status'?", 'qanat --help'],
  ['logs 1.3', "Did you mean 'qanat run_logs'?", 'qanat --help'],
  ['show', "Did you mean 'qanat run_show'?", 'qanat --help'],
  ['constructor', 'no command', 'qanat --help'],
  ['__proto__ x', 'no command', 'qanat --help'],
  ['experiment toString', 'no command', 'qanat --help'],
  ['frobnicate', "Error: no command 'frobnicate'\n", 'qanat --help'],
  ['status --size', '--size', '--help'],
  ['dataset new --josn', '--josn', '--help'],
  ['experiment status a b', 'b', '--help'],
  ['dataset new -f', '--file', '--help'],
  ['experiment status', 'NAME is missing', 'for example: qanat experiment status summary_iris\n', '--help'],
  ['collect it', 'is missing', 'for example: qanat collect digits -o digits.csv\n'],
])('%j is refused: %s', async (line, ...texts) => {
  expectError(await new Folder().qanat(...line.split(' ')), 2, ...texts)
})
