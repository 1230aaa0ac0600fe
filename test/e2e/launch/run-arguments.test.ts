import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { expectError } from '../expectations.js'
import { type Folder, projectWith, quote } from '../project.js'

const hostile = [
  'a b',
  "it's",
  '"quoted"',
  '$(touch pwned)',
  '`id`',
  '*',
  'two\nlines\n',
  '\n',
  'tab\tcr\r',
  'ünïcödé ☃ 🧪',
  '',
  '\\',
  'back\\slash\\n',
  '$HOME',
  '${IFS}',
  '~',
  '!!',
  '#no comment',
  '; exit 7',
  '"$QANAT_NEWLINE"',
  '\u0001\u007f\u001b[31m',
  '\u0085\u2028\ufeff',
  '%s%n',
  'null',
  '007',
]
const dashed = ['-x', '--', '-', '--flag=a b', '-.5', '.5e3', '-.inf']

const prints = 'for word; do printf "%s\\0" "$word"; done'

/** What the script was given in a group, without the storage path behind it. */
function given(project: Folder, group: number): string[] {
  const words = project.read(`results/it/run_1/group_${group}/stdout.txt`).split('\0').slice(0, -1)
  expect(words.splice(-2)).toEqual(['--storage_path', `${project.path}/results/it/run_1/group_${group}`])
  return words
}

describe('the script gets byte for byte', () => {
  test('the words of each -g, split as a shell splits them', async () => {
    const project = await projectWith(prints)
    const words = [...hostile, ...dashed]
    const { code } = await project.qanat('run', 'it', '-g', words.map(quote).join(' '), '-g', String.raw`a\ b"c d"'e'`)
    expect(code).toBe(0)
    expect(given(project, 0)).toEqual(words)
    expect(given(project, 1)).toEqual(['a bc de'])
    await expectRecorded(project, [words, ['a bc de']])
    expect(project.has('pwned')).toBe(false)
  })

  test.runIf(process.platform === 'linux')('no word that is not UTF-8, which is refused', async () => {
    const project = await projectWith(prints)
    const run = (word: string) => project.shell(`qanat run it "$(printf '${word}')"`)
    expectError(await run('a\\351'), 2, 'an argument is not UTF-8', 'write it in UTF-8')
    expect((await project.json('runs', '--json')).runs).toEqual([])
    // The character that stands for such bytes may be meant.
    expect((await run('a\\357\\277\\275')).stdout).toContain('a\ufffd\0--storage_path\0')
  })

  test('every value of -V', async () => {
    const project = await projectWith(prints)
    const { code } = await project.qanat('run', '-V', `--x ${hostile.map(quote).join(' ')}`, 'it', 'first')
    expect(code).toBe(0)
    expect(hostile.map((_, group) => given(project, group))).toEqual(hostile.map(word => ['first', '--x', word]))
  })

  test('the numbers of -R, as written', async () => {
    const project = await projectWith(prints)
    await project.qanat('run', 'it', '-R', '--lr 0.1 0.4 0.1')
    expect([0, 1, 2].map(group => given(project, group)[1])).toEqual(['0.1', '0.2', '0.3'])
  })

  test('the values of a parameter file', async () => {
    const project = await projectWith(prints)
    const value = (word: string) => ({ value: word })
    const file = {
      fixed_args: {
        positional: Object.fromEntries([...hostile, ...dashed].map((word, at) => [at, value(word)])),
        options: { '--text': value('a\nb') },
      },
      varying_args: {
        groups: [{ options: { '--list': ['1', 'x y'], '--flag': '' } }],
        range: { options: { '--n': { values: hostile.map(value) } } },
      },
    }
    project.write('.qanat/grid.yaml', stringify(file))
    const { code, stderr } = await project.qanat('run', 'it', '-f', '.qanat/grid.yaml')
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(hostile.map((_, group) => given(project, group))).toEqual(
      hostile.map(word => [
        ...hostile,
        ...dashed,
        ...['--text', 'a\nb', '--list', '1', '--list', 'x y', '--flag', '--n', word],
      ]),
    )
  })

  test('any words, and every file and page of the run shows the same words', async () => {
    const word = fc.oneof(
      fc.constantFrom(...hostile, ...dashed),
      fc.string({ unit: fc.constantFrom(...'\'"\\$` \n\t\r=-~#*é☃\u0001\u0085\u2028🧪x1.:') }),
      fc.string({ unit: 'binary' }).map(text => text.replaceAll('\0', '')),
    )
    const vectors = fc.array(fc.array(word, { minLength: 1, maxLength: 8 }), { minLength: 30, maxLength: 40 })
    const property = fc.asyncProperty(vectors, async lists => {
      const project = await projectWith(prints)
      const inFile = lists.slice(10).map(words => ({
        positional: Object.assign(
          {},
          words.map(value => ({ value })),
        ),
      }))
      // A line of blanks alone does not survive in what the library writes as a block.
      project.write('.qanat/grid.yaml', stringify({ varying_args: { groups: inFile } }, { blockQuote: false }))
      const onLine = lists.slice(0, 10).flatMap(words => ['-g', words.map(quote).join(' ')])
      const { code, stderr } = await project.qanat('run', 'it', '-f', '.qanat/grid.yaml', ...onLine)
      expect(stderr).toBe('')
      expect(code).toBe(0)
      const ordered = [...lists.slice(10), ...lists.slice(0, 10)]
      expect(ordered.map((_, group) => given(project, group))).toEqual(ordered)
      await expectRecorded(project, ordered)
    })
    await fc.assert(property, { numRuns: 1, endOnFailure: true })
  })
})

/** run_show, info.yaml and the group_info.yaml of each group name the words that the script was given. */
async function expectRecorded(project: Folder, lists: readonly string[][]): Promise<void> {
  const { group_list: groups } = await project.show()
  const folder = (group: number) => `results/it/run_1/group_${group}`
  const commands = lists.map((words, at) => [
    'sh',
    'it.sh',
    ...words,
    '--storage_path',
    `${project.path}/${folder(at)}`,
  ])
  expect(groups.map((group: any) => group.command)).toEqual(commands)
  const files = lists.map((_, group) => parse(project.read(`${folder(group)}/group_info.yaml`)))
  const info = parse(project.read('results/it/run_1/info.yaml'))
  expect(files.map(file => file.parameters)).toEqual(groups.map((group: any) => group.parameters))
  expect(info.groups_of_parameters).toEqual(groups.map((group: any) => group.parameters))
  expect(info.commands).toEqual(files.map(file => file.command))
  const script = info.commands.map((command: string) => `printf '%s\\0' ${command}`).join('\n')
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(commands.flat())
}
