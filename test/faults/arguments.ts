import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Outcome, quote } from '../e2e/project.js'
import { seed } from './seed.js'

/** Shell code of an experiment that prints every word it is given, with a NUL behind each. */
export const prints = 'for word; do printf "%s\\0" "$word"; done\n'

/** A project, here or on a cluster. */
export interface Place {
  /** Absolute. */
  readonly root: string
  qanat(...args: string[]): Promise<Outcome>
  write(path: string, text: string): void
}

/** Words that a shell, a reader of options or one of YAML would like to take for something else. */
const tricky = [
  ...[
    '',
    ' ',
    '--flag=a b',
    '\n',
    '\r\n',
    '\t',
    '`touch pwned`',
    '$(touch pwned)',
    '# none',
    '| cat',
    '> pwned',
    '--- |',
  ],
  ...String.raw`- -- --- -x --runner -g = -.5 \ \n ' " $HOME ~ * ? [a-z] !! ; & %s%n \0 \xff %00`.split(' '),
  ...'null true 007 0x1f 1e3 .inf << *alias &anchor !!binary "$QANAT_NEWLINE"'.split(' '),
  ...['{a: b}', '${IFS}', '\u009b2J', ...'\ufffd\uffff\ufeff\u0085\u2028\u202e'],
]

const word = fc.oneof(
  { arbitrary: fc.constantFrom(...tricky), weight: 20 },
  {
    arbitrary: fc.string({ unit: fc.constantFrom(...'\'"\\$` \n\t\r=-~#*é☃\u0001\u001b\u007f\u0085\u2028🧪x1.:') }),
    weight: 20,
  },
  { arbitrary: fc.string({ unit: 'binary' }), weight: 20 },
  { arbitrary: fc.string({ unit: 'grapheme', minLength: 500, maxLength: 2000, size: 'max' }), weight: 1 },
)

/** Random argument vectors: all of unicode but NUL, which no program can be given. */
export function argumentVectors(count: number): string[][] {
  const vector = fc.array(
    word.map(text => text.replaceAll('\0', '')),
    { maxLength: 8 },
  )
  return fc.sample(vector, { seed, numRuns: count })
}

/**
 * Runs the experiment `it` (which must print what it is given, see {@link prints}) with a group for each vector, half
 * of them from a file and half from `-g`, and holds that every one arrived byte for byte, and that all records agree.
 * @param options of `qanat run`, before the name
 */
export async function runGroups(place: Place, options: readonly string[], vectors: readonly string[][]): Promise<void> {
  const half = Math.floor(vectors.length / 2)
  const inFile = vectors.slice(0, half).map(words => ({ positional: { ...words.map(value => ({ value })) } }))
  // Quoted, in one line each: the library splits characters in two where it folds lines, and blanks are lost in blocks.
  const format = { lineWidth: 0, blockQuote: false, defaultStringType: 'QUOTE_DOUBLE' } as const
  place.write('.qanat/grid.yaml', stringify({ varying_args: { groups: inFile } }, format))
  const onLine = vectors.slice(half).flatMap(words => ['-g', words.map(quote).join(' ')])
  const run = await launch(place, [...options, 'it', '-f', '.qanat/grid.yaml', ...onLine])
  expectGiven(place, run, vectors)
}

/** The same with a run of its own, and the words behind `--`. */
export async function runAlone(place: Place, options: readonly string[], vector: readonly string[]): Promise<void> {
  expectGiven(place, await launch(place, [...options, 'it', '--', ...vector]), [vector])
}

interface Shown {
  readonly id: number
  readonly status: string
  readonly storage_path: string
  readonly group_list: readonly { readonly command: string[]; readonly parameters: unknown }[]
}

async function launch(place: Place, args: readonly string[]): Promise<Shown> {
  const { code, stderr, stdout } = await place.qanat('run', '--json', ...args)
  expect(code, stderr).toBe(0)
  const { id } = JSON.parse(stdout) as Shown
  return JSON.parse((await place.qanat('run_show', 'it', String(id), '--json')).stdout) as Shown
}

function expectGiven({ root }: Place, run: Shown, vectors: readonly (readonly string[])[]): void {
  const folderOf = (group: number) => join(root, run.storage_path, vectors.length === 1 ? '' : `group_${group}`)
  const given = vectors.map((words, group) => [...words, '--storage_path', folderOf(group)])
  for (const [group, words] of given.entries()) {
    const bytes = readFileSync(join(folderOf(group), 'stdout.txt'))
    expect(bytes.equals(Buffer.from(words.map(text => `${text}\0`).join(''))), JSON.stringify(words)).toBe(true)
  }
  expect(run.group_list.map(({ command }) => command)).toEqual(given.map(words => ['sh', 'it.sh', ...words]))
  const parameters = run.group_list.map(group => group.parameters)
  const info = parse(readFileSync(join(root, run.storage_path, 'info.yaml'), 'utf8'))
  const infos = vectors.map((_, group) => parse(readFileSync(join(folderOf(group), 'group_info.yaml'), 'utf8')))
  expect(info.groups_of_parameters).toEqual(parameters)
  expect(infos.map(group => group.parameters)).toEqual(parameters)
  expect(infos.map(group => group.command)).toEqual(info.commands)
  const printed = execFileSync('sh', ['-s'], {
    input: info.commands.map((command: string) => `printf '%s\\0' ${command}\n`).join(''),
    maxBuffer: 1e9,
  })
  expect(printed.toString().split('\0').slice(0, -1)).toEqual(given.flatMap(words => ['sh', 'it.sh', ...words]))
}
