import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDocument, visit } from 'yaml'
import { cases } from '../cases.js'
import { paths } from '../e2e/expectations.js'
import { Folder, type Outcome, projectWith } from '../e2e/project.js'
import { files, lines } from './bases.js'
import { brokenFile, brokenLine } from './mutations.js'
import { seed, tell } from './seed.js'

/** A file that is put somewhere, if any, and the command that has to do with it. */
interface Case {
  readonly file?: { readonly path: string; readonly bytes: Buffer }
  readonly command: readonly string[]
}

const inFile = (text: string, path: string, ...commands: string[]): fc.Arbitrary<Case> =>
  fc.record({ bytes: brokenFile(text), command: fc.constantFrom(...commands) }).map(({ bytes, command }) => ({
    file: { path, bytes },
    command: command.split(' '),
  }))
const given = (name: keyof typeof files, ...commands: string[]) => inFile(files[name], 'given.yaml', ...commands)
const template = (runner: 'slurm' | 'htcondor') =>
  given(runner, `run --dry_run --runner ${runner} --submit_template given.yaml it`)
const ofConfig = [
  ...['experiment status it', 'config show', 'config get result_dir', 'run --dry_run it x'],
  ...['-r local --submit_template gpu_box', '-r slurm --submit_template gpu', '-r htcondor'].map(
    options => `run --dry_run ${options} it x`,
  ),
]
const onLine = fc
  .constantFrom(...lines)
  .chain(({ fixed, words }) => brokenLine(words).map(broken => ({ command: [...fixed, ...broken] })))

const anyCase: fc.Arbitrary<Case> = fc.oneof(
  inFile(files.config, '.qanat/config.yaml', ...ofConfig),
  given('experiment', 'experiment new --json -f given.yaml'),
  given('dataset', 'dataset new --json -f given.yaml'),
  given('parameters', 'run --dry_run --json it -f given.yaml', 'run it --n_threads 2 -f given.yaml'),
  fc.oneof(template('slurm'), template('htcondor')),
  { arbitrary: onLine, weight: 3 },
)

test('broken files and command lines: done right, or one clear error that leaves nothing behind', async () => {
  const base = await makeBase()
  const queue = fc.sample(anyCase, { seed, numRuns: cases(1000) })
  tell(queue.length, 'broken files and command lines')
  const wrong: string[] = []
  const work = async () => {
    const folder = new Folder()
    renew(base, folder)
    for (let one = queue.pop(); one; one = queue.pop()) {
      try {
        await tryCase(base, folder, one)
      } catch (error) {
        wrong.push(`${(error as Error).message}\n${(error as { diff?: string }).diff ?? ''}`)
        renew(base, folder)
      }
    }
  }
  await Promise.all([work(), work()])
  expect(wrong.length, wrong.slice(0, 20).join('\n\n')).toBe(0)
})

async function tryCase(base: Folder, folder: Folder, { file, command }: Case): Promise<void> {
  if (file) writeFileSync(join(folder.path, file.path), file.bytes)
  const before = stateOf(folder)
  const outcome = await folder.qanat(...command)
  const shown = JSON.stringify({ command, file: file?.bytes.toString('latin1').slice(0, 3000), outcome }, null, 1)
  expectClear(outcome, shown)
  const after = stateOf(folder)
  const isChanged = JSON.stringify(after) !== JSON.stringify(before)
  const hasLaunched =
    /^Run \d+ (finished|failed|lost|cancelled)/m.test(outcome.stdout) || outcome.stdout.startsWith('{\n  "id"')
  if (outcome.code !== 0 && !hasLaunched) expect(after, shown).toEqual(before)
  if (command.includes('--dry_run')) expect(isChanged, shown).toBe(false)
  expect(folder.has('pwned'), shown).toBe(false)
  if (outcome.code === 0 && file) expectRead(file.bytes, command, outcome, shown)
  if (isChanged || file?.path.startsWith('.qanat')) renew(base, folder)
  else if (file) rmSync(join(folder.path, file.path))
}

const bare =
  /QANAT_DEBUG|^ {4}at |\b(Type|Range|Reference|Syntax|Sqlite)Error\b|undefined|\[object |Cannot (read|convert)|is not (a function|iterable)|Unexpected token|call stack/m

/** An exit code that means something; where that is no success one error that fits a screen, and nothing of ours in it. */
function expectClear({ code, stdout, stderr }: Outcome, shown: string): void {
  expect([0, 1, 2, 3, 4], shown).toContain(code)
  expect(stderr, shown).not.toMatch(bare)
  expect(stdout, shown).not.toMatch(bare)
  const isJson = stdout.startsWith('{\n  "error"')
  const errors = isJson ? 1 : stderr.split(/^Error: ./m).length - 1
  const isOutcome = /^Run \d+ (failed|lost|cancelled)/m.test(stdout) || stdout.startsWith('{\n  "id"')
  expect(errors, shown).toBe(code === 0 || (code === 1 && isOutcome) ? 0 : 1)
  expect(stderr.length, shown).toBeLessThan(4000)
}

/** What was read is what the file says, as far as another reader of YAML can tell. */
function expectRead(bytes: Buffer, command: readonly string[], { stdout }: Outcome, shown: string): void {
  if (!command.includes('--json')) return
  const document = parseDocument(bytes.toString().replace(/^\ufeff/, ''), { schema: 'failsafe', merge: true })
  const told = JSON.parse(stdout)
  if (command[0] === 'run') {
    const words = new Set(['sh', 'it.sh', '--storage_path', '--dataset_path', ''])
    visit(document, { Scalar: (_, { value, source }) => void words.add(String(value)).add(source ?? '') })
    for (const { command: given } of told.groups) {
      const strange = given.filter((word: string) => !words.has(word) && !/^-?[\d.e+-]+$|^\//.test(word))
      expect(strange, shown).toEqual([])
    }
    return
  }
  const { name, description, tags } = document.toJS()
  const listed = tags === undefined || tags === '' || tags === '~' ? [] : [tags].flat()
  expect([told.name, told.description], shown).toEqual([name, description ?? ''])
  if (!listed.includes('null')) expect(told.tags, shown).toEqual([...new Set(listed)])
}

async function makeBase(): Promise<Folder> {
  const folder = await projectWith('exit 0\n')
  folder.write('words.txt', '')
  folder.write('words.yaml', 'name: words\npath: words.txt\n')
  const action = '{name: plot, executable: it.sh, executable_command: sh}'
  folder.write('it.yaml', `name: it\nexecutable: it.sh\nexecutable_command: sh\nactions: [${action}]\n`)
  folder.write('grid.yaml', files.parameters)
  folder.write('.gitignore', `${folder.read('.gitignore')}given.yaml\n`)
  folder.write('.qanat/config.yaml', files.config)
  folder.commit()
  await folder.qanat('dataset', 'new', '-f', 'words.yaml')
  await folder.qanat('run', 'it', '--bins', '20')
  return folder
}

function renew(base: Folder, folder: Folder): void {
  rmSync(folder.path, { recursive: true, force: true, maxRetries: 5 })
  cpSync(base.path, folder.path, { recursive: true })
}

/** Every file but git's own, every row of what a user has registered and run, the settings. */
function stateOf(folder: Folder): unknown[] {
  const database = new Database(join(folder.path, '.qanat/database.db'), { readonly: true })
  const columns = { experiments: 'name, definition', datasets: 'name, definition', runs: '*' }
  const rows = Object.entries(columns).map(([name, each]) => database.prepare(`SELECT ${each} FROM ${name}`).all())
  // When a run or a definition was last looked at is nothing that a command leaves.
  for (const row of rows.flat() as Record<string, unknown>[]) delete row.as_of
  database.close()
  const names = paths(folder).filter(name => !name.startsWith('.git/'))
  return [names, rows, readFileSync(join(folder.path, '.qanat/config.yaml'), 'latin1')]
}
