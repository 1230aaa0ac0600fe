import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type Folder, projectWith } from '../project.js'

const numbered = (number: number) => `while [ "$1" != --storage_path ]; do shift; done
echo '{"acc": 0.${number}}' >"$2/metrics.json"
`

/** Registers the experiment `it` with these lines, in addition to its name. */
async function changed(folder: Folder, ...lines: string[]): Promise<void> {
  folder.write('it.yaml', `name: it\n${lines.join('\n')}\n`)
  folder.commit()
  const { code, stderr } = await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  expect([code, stderr]).toEqual([0, ''])
}

/** A project with a document that was made of run 1. */
async function withDocument(): Promise<Folder> {
  const folder = await projectWith(numbered(1), 'sh')
  folder.write('other.sh', numbered(2))
  folder.write('paper/compile.sh', '')
  // The path of one is the end of that of the other.
  for (const [name, path] of [
    ['one', 'old/data'],
    ['two', 'data'],
  ]) {
    folder.write(`${path}/file`, name!)
    folder.write(`${name}.yaml`, `name: ${name}\npath: ${path}\n`)
  }
  folder.write(
    'paper.yaml',
    `name: paper
path: paper
compile_script: compile.sh
compile_script_command: sh
experiment_dependencies:
  - {experiment_name: it, files: [metrics.json]}
`,
  )
  for (const name of ['one', 'two']) await folder.qanat('dataset', 'new', '-f', `${name}.yaml`)
  await changed(folder, 'executable: it.sh', 'executable_command: sh', 'datasets: [one]')
  await folder.qanat('document', 'new', '-f', 'paper.yaml')
  expect((await folder.qanat('document', 'compile', 'paper')).code).toBe(0)
  expect((await folder.qanat('document', 'status', 'paper')).stdout).toContain('up to date')
  return folder
}

test.each([
  {
    what: 'runs another script',
    now: ['executable: other.sh', 'executable_command: sh', 'datasets: [one]'],
    why: 'run 1 ran sh it.sh, and it runs sh other.sh now',
    column: 'executable',
    difference: /executable +sh it\.sh +sh other\.sh/,
  },
  {
    what: 'runs its script by another command',
    now: ['executable: it.sh', 'executable_command: sh -e', 'datasets: [one]'],
    why: 'run 1 ran sh it.sh, and it runs sh -e it.sh now',
    column: 'executable',
    difference: /executable +sh it\.sh +sh -e it\.sh/,
  },
  {
    what: 'reads another dataset',
    now: ['executable: it.sh', 'executable_command: sh', 'datasets: [two]'],
    why: 'run 1 read one, and it reads two now',
    column: 'dataset',
    difference: / one +read by run 1 only\n +two +read by run 2 only/,
  },
])(
  'an experiment that $what is another one for documents, comparisons and whence',
  async ({ now, why, column, difference }) => {
    const folder = await withDocument()
    await changed(folder, ...now)
    const status = (await folder.qanat('document', 'status', 'paper')).stdout
    expect(status).toContain('stale')
    expect(status).toContain(why)
    expect((await folder.qanat('whence', 'paper/exports/it/metrics.json')).stdout).toContain(
      `no longer up to date: ${why}`,
    )
    expect((await folder.qanat('document', 'compile', 'paper')).code).toBe(0)
    expect((await folder.qanat('document', 'status', 'paper')).stdout).toMatch(/up to date +2 /)
    const { parameters, cells } = await folder.json('compare', 'it', '--json')
    expect(parameters).toEqual([column])
    expect(cells.map(({ groups }: { groups: string[] }) => groups)).toEqual([['1.0'], ['2.0']])
    expect((await folder.qanat('diff', '1', '2')).stdout).toMatch(difference)
    // What was read may not be known.
    const database = new Database(`${folder.path}/.qanat/database.db`)
    database.exec('DELETE FROM run_data')
    database.close()
    expect((await folder.qanat('diff', '1', '2')).stdout).toMatch(difference)
  },
)

test('an experiment is the same for documents if only its description or the name of its dataset is another one', async () => {
  const folder = await withDocument()
  await changed(folder, 'executable: it.sh', 'executable_command: sh', 'datasets: [one]', 'description: New words')
  folder.write('one.yaml', 'name: first\npath: old/data\n')
  await folder.qanat('dataset', 'update', 'one', '-f', 'one.yaml')
  expect((await folder.json('experiment', 'list', '--json')).experiments).toMatchObject([{ datasets: ['first'] }])
  expect((await folder.qanat('document', 'status', 'paper')).stdout).toMatch(/up to date +1 /)
  folder.commit()
  await folder.qanat('run', 'it')
  expect((await folder.json('compare', 'it', '--json')).parameters).toEqual([])
  expect((await folder.json('diff', '1', '2', '--json')).data).toMatchObject([{ dataset: 'first', read_by: [1, 2] }])
  folder.write('old/data/file', 'changed')
  const { stdout } = await folder.qanat('document', 'status', 'paper')
  expect(stdout).toContain('dataset first changed since run 2: 1 file changed')
  folder.write('old/data/file', 'one')
})

test('runs keep their data, whatever names datasets get afterwards', async () => {
  const folder = await projectWith('true', 'sh')
  for (const name of ['one', 'two']) {
    folder.write(`data/${name}/file`, name)
    folder.write(`${name}.yaml`, `name: ${name}\npath: data/${name}\n`)
    await folder.qanat('dataset', 'new', '-f', `${name}.yaml`)
  }
  const renamed = async (from: string, to: string) => {
    folder.write('.qanat/name.yaml', `name: ${to}\n`)
    expect((await folder.qanat('dataset', 'update', from, '-f', '.qanat/name.yaml')).stdout).toContain(
      `Dataset ${from} updated. Its name is ${to} now.`,
    )
  }
  await changed(folder, 'executable: it.sh', 'executable_command: sh', 'datasets: [one]')
  await folder.qanat('run', 'it')
  // The names are swapped, and then a dataset is deleted whose name another one gets.
  for (const [from, to] of [
    ['one', 'other'],
    ['two', 'one'],
    ['other', 'two'],
  ]) {
    await renamed(from!, to!)
  }
  await folder.qanat('dataset', 'delete', 'one', '--yes')
  await renamed('two', 'one')
  await renamed('one', 'final')
  await folder.qanat('run', 'it')
  expect((await folder.json('compare', 'it', '--json')).parameters).toEqual([])
  expect((await folder.qanat('diff', '1', '2')).stdout).not.toContain('read by')
  for (const run of ['1', '2']) {
    expect((await folder.qanat('dataset', 'verify', 'final', run)).stdout).toContain(
      `Dataset final is as run ${run} read it`,
    )
  }
  folder.write('data/one/file', 'other')
  expect((await folder.qanat('run_show', 'it', '1')).stdout).toContain(
    'Data now: final, formerly one, changed since: 1 file changed: qanat dataset diff final 1\n',
  )
  expect((await folder.qanat('dataset', 'verify', 'final')).stdout).toContain('changed since run 2')
  // The files that a run has read tell even if the dataset is deleted.
  await changed(folder, 'executable: it.sh', 'executable_command: sh')
  await folder.qanat('dataset', 'delete', 'final', '--yes')
  expect((await folder.qanat('run_show', 'it', '1')).stdout).toContain('Data now: one changed since: 1 file changed\n')
})
