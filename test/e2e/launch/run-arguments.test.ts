import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { expectError } from '../expectations.js'
import { type Folder, projectWith, quote } from '../project.js'

/** Words that a shell, a reader of options or one of YAML would like to take for something else. */
const hostile = [
  ...[
    '',
    'a b',
    "it's",
    '$(touch pwned)',
    'two\nlines\n',
    '\n',
    'tab\tcr\r',
    'ünïcödé ☃ 🧪',
    '#no comment',
    '; exit 7',
  ],
  ...['"$QANAT_NEWLINE"', '\u0001\u007f\u001b[31m', '\u0085\u2028\ufeff', '\\', 'back\\slash\\n'],
  ...'"quoted" `id` * $HOME ${IFS} ~ !! %s%n null 007'.split(' '),
]
const dashed = ['-x', '--', '-', '--flag=a b', '-.5', '.5e3', '-.inf']

const prints = 'for word; do printf "%s\\0" "$word"; done'

/** What the script was given in a group, without the storage path behind it. */
function given(project: Folder, group: number): string[] {
  const words = project.read(`results/it/run_1/group_${group}/stdout.txt`).split('\0').slice(0, -1)
  expect(words.splice(-2)).toEqual(['--storage_path', `${project.path}/results/it/run_1/group_${group}`])
  return words
}

/** How it is recorded, and that any other words arrive, is tried in test/faults/arguments.test.ts. */
describe('the script gets byte for byte', () => {
  test('the words of each -g, split as a shell splits them', async () => {
    const project = await projectWith(prints)
    const words = [...hostile, ...dashed]
    const { code } = await project.qanat('run', 'it', '-g', words.map(quote).join(' '), '-g', String.raw`a\ b"c d"'e'`)
    expect(code).toBe(0)
    expect([given(project, 0), given(project, 1)]).toEqual([words, ['a bc de']])
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

  test('the values of a parameter file', async () => {
    const project = await projectWith(prints)
    const values = (words: string[]) => words.map(value => ({ value }))
    const file = {
      fixed_args: { positional: { ...values([...hostile, ...dashed]) }, options: { '--text': { value: 'a\nb' } } },
      varying_args: {
        groups: [{ options: { '--list': ['1', 'x y'], '--flag': '' } }],
        range: { options: { '--n': { values: values(hostile) } } },
      },
    }
    project.write('.qanat/grid.yaml', stringify(file))
    expect(await project.qanat('run', 'it', '-f', '.qanat/grid.yaml')).toMatchObject({ code: 0, stderr: '' })
    const fixed = [...hostile, ...dashed, '--text', 'a\nb', '--list', '1', '--list', 'x y', '--flag', '--n']
    expect(hostile.map((_, group) => given(project, group))).toEqual(hostile.map(word => [...fixed, word]))
  })
})
