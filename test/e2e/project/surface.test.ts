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

/** The line of an option: how it is written, and what may stand behind it. */
function optionLine([name, flag]: [string, Declared]): string {
  const value = flag.type === 'boolean' ? '' : ` <${flag.options?.join('|') ?? 'value'}>${flag.multiple ? '…' : ''}`
  const remarks = [flag.default === undefined ? '' : `default ${flag.default}`, flag.hidden ? 'hidden' : '']
  return `  ${flag.char ? `-${flag.char} ` : ''}--${name}${value} ${remarks.filter(text => text !== '').join(', ')}`.trimEnd()
}

function argumentLine([name, { required, default: value }]: [string, Declared]): string {
  return required ? `  ${name}` : `  [${name}]${value === undefined ? '' : ` default ${value}`}`
}

async function surface(): Promise<string> {
  const texts = Object.entries(commands).map(async ([words, load]) => {
    const { args = {}, flags = {}, enableJsonFlag, strict } = (await load()).default
    const lines = [...Object.entries(args as object).map(argumentLine), ...(strict === false ? ['  …'] : [])]
    return [
      words,
      ...lines,
      ...Object.entries(flags as object).map(optionLine),
      ...(enableJsonFlag ? ['  --json'] : []),
    ]
  })
  const short = Object.entries(shortNames).map(([alias, words]) => `${alias} = ${words}`)
  return `\n${[...(await Promise.all(texts)).flat(), ...short].join('\n')}\n`
}

/** The keys of a JSON document with the types of their values; of a list those of its first item. */
/** What is known only of groups that take long enough, on some systems. */
const unsure = ['peak_memory_bytes', 'cpu_s']

function shape(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  if (Array.isArray(value)) return value.slice(0, 1).map(shape)
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, unsure.includes(key) ? 'number or null' : shape(inner)]),
  )
}

describe('the surface', () => {
  test('of commands, options and arguments is stable', async () => {
    expect(await surface()).toMatchSnapshot()
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
    const shapes: Record<string, unknown> = {}
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
      shapes[line] = shape(await project.json(...line.split(' ')))
    }
    expect(shapes).toMatchSnapshot()
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

  test('is not what the program shows by itself: it says where one is', async () => {
    const folder = await projectWith('true')
    const inside = await folder.qanat()
    expect([inside.code, inside.stdout]).toEqual([
      0,
      expect.stringContaining(`Project ${folder.path}\n1 experiment: it\nNo run yet`),
    ])
    const outside = await new Folder().qanat()
    expect([outside.code, outside.stdout]).toEqual([0, expect.stringContaining('  qanat init ')])
  })

  test('is not shown where the database is damaged: the error names it', async () => {
    const folder = await projectWith('true')
    folder.write('.qanat/database.db', 'no database')
    expectError(await folder.qanat(), 1, 'database', 'qanat doctor')
  })

  test.each(Object.keys(topics))('of the topic %s names its commands', async topic => {
    const folder = new Folder()
    const { stdout, code } = await folder.qanat(topic)
    expect(code).toBe(0)
    for (const words of Object.keys(commands).filter(words => words.startsWith(`${topic} `)))
      expect(stdout).toContain(words)
    expect((await folder.qanat('help', topic)).stdout).toBe(stdout)
  })

  test('after the name of an experiment is passed to the experiment', async () => {
    const project = await projectWith('echo "$@"')
    expect((await project.qanat('run', 'it', '--', '--help')).stdout).toContain('\n--help --storage_path ')
    expect((await project.qanat('run', '--help', 'it')).stdout).toContain('USAGE')
  })
})

test('--version prints it', async () => {
  const folder = new Folder()
  const outcome = await folder.qanat('--version')
  expect(outcome).toEqual({ stdout: expect.stringMatching(/^qanat\/\d+\.\d+\.\d+ /), stderr: '', code: 0 })
  expect(await folder.qanat('-v')).toEqual(outcome)
})

test.each([
  ['statsu', 'status'],
  ['run_shw it 1', 'run_show'],
  ['experiment stauts it', 'experiment status'],
  ['experiment lst', 'experiment list'],
  ['experment list', 'experiment list'],
  ['datset', 'dataset'],
  ['confg get logging', 'config get'],
  ['help statsu', 'status'],
  ['logs 1.3', 'run_logs'],
  ['show', 'run_show'],
])('the unknown command %j suggests %s', async (line, meant) => {
  const outcome = await new Folder().qanat(...line.split(' '))
  expectError(outcome, 2, `Did you mean 'qanat ${meant}'?`, 'qanat --help')
})

test.each(['constructor', '__proto__ x', 'experiment toString'])('%j is no command', async line => {
  expectError(await new Folder().qanat(...line.split(' ')), 2, 'no command', 'qanat --help')
})

test('a command without a near match suggests nothing', async () => {
  const outcome = await new Folder().qanat('frobnicate')
  expectError(outcome, 2, "no command 'frobnicate'", 'qanat --help')
  expect(outcome.stderr).not.toContain('Did you mean')
})

test.each([
  [['status', '--size'], '--size'],
  [['dataset', 'new', '--josn'], '--josn'],
  [['experiment', 'status'], 'NAME is missing'],
  [['experiment', 'status', 'a', 'b'], 'b'],
  [['dataset', 'new', '-f'], '--file'],
])('wrong usage (%j) is an error with exit code 2', async (args, text) => {
  const project = await projectWith('true')
  expectError(await project.qanat(...args), 2, text, '--help')
})

test.each([
  [['experiment', 'status'], 'qanat experiment status summary_iris'],
  [['collect', 'it'], 'qanat collect digits -o digits.csv'],
])('where something is missing (%j), the error shows a whole line', async (args, line) => {
  const project = await projectWith('true')
  expectError(await project.qanat(...args), 2, 'is missing', `for example: ${line}\n`)
})

test.each(['run', 'experiment run'])('the help of %s shows how it is typed', async words => {
  const { stdout } = await new Folder().qanat(...words.split(' '), '--help')
  expect(stdout).toContain(`$ qanat ${words} [OPTIONS] NAME`)
})
