import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { cases } from '../cases.js'
import { outcomeOf } from '../e2e/program.js'
import { type Folder, projectWith, quote } from '../e2e/project.js'
import { seed, tell } from './seed.js'

/** Words that a shell, a reader of options or one of YAML would like to take for something else. */
const tricky = [
  ...['', ' ', '--flag=a b', '\n', '\r\n', '\t', '`touch pwned`', '$(touch pwned)', '# none', '| cat', '> pwned'],
  ...String.raw`- -- --- -x --runner -g = -.5 \ \n ' " $HOME ~ * ? [a-z] !! ; & %s%n \0 \xff %00`.split(' '),
  ...'null true 007 0x1f 1e3 .inf << *alias &anchor !!binary "$QANAT_NEWLINE"'.split(' '),
  ...['--- |', '{a: b}', '${IFS}', '\u009b2J', ...'\ufffd\uffff\ufeff\u0085\u2028\u202e'],
]
const special = fc.constantFrom(...'\'"\\$` \n\t\r=-~#*é☃\u0001\u001b\u007f\u0085\u2028🧪x1.:')

/** All of unicode but NUL, which no program can be given. */
const word = fc.oneof(
  { arbitrary: fc.constantFrom(...tricky), weight: 20 },
  { arbitrary: fc.string({ unit: special }), weight: 20 },
  { arbitrary: fc.string({ unit: 'binary' }).map(text => text.replaceAll('\0', '')), weight: 20 },
  { arbitrary: fc.string({ unit: 'grapheme', minLength: 500, maxLength: 2000, size: 'max' }), weight: 1 },
)

const groupsOfARun = 195

test('argument vectors reach a script byte for byte, and are recorded so', async () => {
  const vectors = fc.sample(fc.array(word, { maxLength: 8 }), { seed, numRuns: cases(2000) })
  const alone = vectors.splice(0, cases(50))
  tell(vectors.length + alone.length, 'argument vectors')
  const folder = await projectWith('for word; do printf "%s\\0" "$word"; done\n')
  for (const vector of alone) await arrive(folder, [vector], ['--', ...vector])
  while (vectors.length > 0) {
    const some = vectors.splice(0, groupsOfARun)
    const half = Math.floor(some.length / 2)
    const inFile = some.slice(0, half).map(words => ({ positional: { ...words.map(value => ({ value })) } }))
    // Quoted, in one line each: the library splits characters in two where it folds lines, and blanks are lost in blocks.
    const format = { lineWidth: 0, blockQuote: false, defaultStringType: 'QUOTE_DOUBLE' } as const
    folder.write('.qanat/grid.yaml', stringify({ varying_args: { groups: inFile } }, format))
    const onLine = some.slice(half).flatMap(words => ['-g', words.map(quote).join(' ')])
    await arrive(folder, some, ['-f', '.qanat/grid.yaml', '--n_threads', '2', ...onLine])
  }
  expect(folder.has('pwned')).toBe(false)
})

/** Launches a run with a group for each vector: every one arrives byte for byte, and all records agree. */
async function arrive(folder: Folder, vectors: readonly string[][], words: readonly string[]): Promise<void> {
  // In a process of its own, which gets its words as from a shell.
  const { code, stderr, stdout } = await outcomeOf(folder.start(['run', '--json', 'it', ...words]))
  expect(code, stderr).toBe(0)
  const { group_list, storage_path } = await folder.show(JSON.parse(stdout).id)
  const run = join(folder.path, storage_path)
  const folders = vectors.map((_, group) => (vectors.length === 1 ? run : join(run, `group_${group}`)))
  const given = vectors.map((vector, group) => [...vector, '--storage_path', folders[group]!])
  for (const [group, each] of given.entries()) {
    const bytes = readFileSync(join(folders[group]!, 'stdout.txt'))
    expect(bytes.equals(Buffer.from(each.map(text => `${text}\0`).join(''))), JSON.stringify(each)).toBe(true)
  }
  const commands = given.map(each => ['sh', 'it.sh', ...each])
  const parameters = group_list.map((group: any) => group.parameters)
  expect(group_list.map(({ command }: any) => command)).toEqual(commands)
  const info = parse(readFileSync(join(run, 'info.yaml'), 'utf8'))
  const infos = folders.map(path => parse(readFileSync(join(path, 'group_info.yaml'), 'utf8')))
  expect(info.groups_of_parameters).toEqual(parameters)
  expect(infos.map(each => each.parameters)).toEqual(parameters)
  expect(infos.map(each => each.command)).toEqual(info.commands)
  const input = info.commands.map((command: string) => `printf '%s\\0' ${command}\n`).join('')
  const printed = execFileSync('sh', ['-s'], { input, encoding: 'utf8', maxBuffer: 1e9 })
  expect(printed.split('\0').slice(0, -1)).toEqual(commands.flat())
}
