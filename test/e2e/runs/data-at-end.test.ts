import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { type Folder, until } from '../project.js'
import { withData } from './flowers.js'

/** The notes on the data of a run. */
async function notesOf(folder: Folder, run = 1): Promise<string[]> {
  const { data } = await folder.show(run)
  return data.flatMap(({ notes }: { notes: string[] }) => notes)
}

/** The same, where no time of a file tells when it changed: on a busy machine, the run may have been over for seconds then. */
async function timelessNotesOf(folder: Folder, run = 1): Promise<string[]> {
  return (await notesOf(folder, run)).map(note => note.replace(' ran, or later: ', ' ran: '))
}

const made = `echo '{"acc": 1}' >"$QANAT_STORAGE_PATH/metrics.json"; cd "$QANAT_PROJECT/data"`

test('what is made of a run whose data changed while it ran says so, also after they were restored and after a repair', async () => {
  const folder = await withData('stat')
  const told = 'dataset flowers changed while run 1 ran: 1 file added, 1 changed'
  const { stderr } = await folder.qanat('run', 'it', `${made}; echo b >new; echo longer >b.csv`)
  expect(stderr).toContain(`Warning: ${told}\n`)
  folder.write('data/b.csv', 'b')
  rmSync(join(folder.path, 'data/new'))
  expect(await folder.qanat('dataset', 'verify', 'flowers')).toMatchObject({
    code: 1,
    stdout: `Dataset flowers, since run 1: 1 file maybe changed
  maybe changed (same size, another time):
    b.csv
  groups have perhaps read other data than were recorded:
    ${told}
`,
  })
  expect(await folder.json('dataset', 'diff', 'flowers', '1', '--json')).toMatchObject({
    changed: false,
    notes: [told],
  })
  rmSync(join(folder.path, '.qanat/database.db'))
  for (const words of [['init'], ['doctor', '--repair']]) await folder.qanat(...words)
  expect(await notesOf(folder)).toEqual([told])
  for (const words of [
    ['run_show', '1'],
    ['compare', 'it'],
    ['collect', 'it', '-o', '.git/t.csv'],
    ['whence', 'results/it/run_1/metrics.json'],
    ['export', '--crate', '1', '-o', '.git/crate'],
  ]) {
    const { stdout, stderr } = await folder.qanat(...words)
    expect([words, stdout + stderr]).toEqual([words, expect.stringContaining(told)])
  }
  await folder.qanat('report', 'it', '-o', '.git/report.html')
  expect(folder.read('.git/report.html')).toContain(told)
})

test('one sentence tells what is true of several runs', async () => {
  const folder = await withData('stat')
  for (const file of ['a', 'b', 'c']) await folder.qanat('run', 'it', `${made}; echo longer >${file}.csv`)
  expect((await folder.json('compare', 'it', '--json')).notes).toEqual([
    'dataset flowers changed while runs 1, 2 and 3 ran: 1 file changed',
  ])
})

test('data that are not looked at, and data that stay the same, are not told', async () => {
  const folder = await withData('off')
  await folder.qanat('run', 'it', 'rm data/a.csv')
  await folder.qanat('run', 'it', 'true')
  expect([...(await notesOf(folder)), ...(await notesOf(folder, 2))]).toEqual([])
})

test('other data that take the place of a dataset while a run runs are told, though they are older', async () => {
  const folder = await withData('stat')
  const [path, v1, v2] = ['data', '.git/v1', '.git/v2'].map(name => join(folder.path, name))
  renameSync(path!, v1!)
  mkdirSync(v2!)
  for (const name of ['a', 'b', 'c']) folder.write(`.git/v2/${name}.csv`, 'other')
  symlinkSync(v1!, path!)
  await folder.qanat('run', 'it', `ln -sfn "${v2}" data`)
  expect(await timelessNotesOf(folder)).toEqual(['dataset flowers changed while run 1 ran: 3 files changed'])
  await folder.qanat('run', 'it', 'rm data')
  expect(await timelessNotesOf(folder, 2)).toEqual(['dataset flowers changed while run 2 ran: 3 files gone'])
})

test('files of the same size have changed if their contents were recorded, and else only maybe', async () => {
  for (const [level, told] of [
    ['content', 'dataset flowers changed while run 1 ran: 1 file changed'],
    ['stat', 'dataset flowers may have changed while run 1 ran: 1 file maybe changed'],
  ] as const) {
    const folder = await withData(level)
    await folder.qanat('run', 'it', 'printf x >data/a.csv')
    expect(await notesOf(folder)).toEqual([told])
    await folder.qanat('run', 'it', 'true')
    expect(await notesOf(folder, 2)).toEqual([])
  }
})

test('what git tracks changes for a run in the tree, and not for one that reads its frozen copy', async () => {
  const folder = await withData('stat')
  await folder.qanat('run', 'it', 'echo longer >tracked/a.csv')
  expect(await notesOf(folder)).toEqual(['dataset tracked changed while run 1 ran: 1 file changed'])
  folder.commit()
  const change = 'cd "$QANAT_PROJECT"; echo still longer >tracked/a.csv; echo longer >data/a.csv'
  await folder.qanat('run', '--snapshot', 'always', 'it', change)
  expect(await notesOf(folder, 2)).toEqual(['dataset flowers changed while run 2 ran: 1 file changed'])
})

test('an attempt says what changed while it ran, and not again what had changed before', async () => {
  const folder = await withData('stat')
  await folder.qanat('run', 'it', '[ -e "$QANAT_PROJECT/data/late" ] && echo longer >"$QANAT_PROJECT/data/c.csv"')
  expect(await notesOf(folder)).toEqual([])
  rmSync(join(folder.path, 'data/a.csv'))
  const past = new Date('2001-01-01')
  utimesSync(join(folder.path, 'data/b.csv'), past, past)
  folder.write('data/late', '')
  await folder.qanat('run_retry', '1')
  expect(await notesOf(folder)).toEqual([
    'run 1, attempt 2: dataset flowers changed since run 1: 1 file gone, 1 added, 1 maybe changed',
    expect.stringMatching(/^dataset flowers changed while attempt 2 of run 1 ran: .*1.* changed/),
  ])
})

test('runs that were over long ago are not looked at again when the database is rebuilt', async () => {
  const folder = await withData('stat')
  await folder.qanat('run', 'it', 'true')
  rmSync(join(folder.path, 'data'), { recursive: true })
  rmSync(join(folder.path, '.qanat/database.db'))
  for (const words of [['init'], ['doctor', '--repair']]) await folder.qanat(...words)
  expect(await notesOf(folder)).toEqual([])
})

test('data that change while a run waits in the queue are told', async () => {
  const slurm = await FakeSlurm.start()
  const folder = await withData('stat', slurm.folder)
  await folder.qanat('run', '--runner', 'slurm', 'it', 'true')
  expect((await slurm.group()).status).toBe('pending')
  folder.write('data/a.csv', 'longer')
  // Clocks may differ by a second, so that later changes might have come after the start.
  const changed = Date.now()
  await until(() => Date.now() > changed + 1_500)
  slurm.queue('RUNNING')
  await slurm.runJob()
  slurm.queue('COMPLETED')
  await until(
    () => slurm.group(),
    ({ status }) => status === 'finished',
  )
  expect(await notesOf(folder)).toEqual(['dataset flowers changed while run 1 waited: 1 file changed'])
})

test('data of a run on Slurm are looked at once, also if more becomes known of its end later', async () => {
  const slurm = await FakeSlurm.start()
  const folder = await withData('stat', slurm.folder)
  await folder.qanat('run', '--runner', 'slurm', 'it', 'true')
  slurm.queue('RUNNING')
  expect((await slurm.group()).status).toBe('running')
  await slurm.runJob()
  expect((await slurm.group()).status).toBe('finished')
  slurm.queue('COMPLETED')
  expect((await slurm.group()).status).toBe('finished')
  const ends = join(folder.path, '.qanat/data/ends')
  expect(readdirSync(ends)).toEqual([])
  // What a killed program has left of runs that are gone.
  const past = new Date(Date.now() - 120_000)
  for (const name of ['99', '1.0123456789ab.new']) {
    folder.write(`.qanat/data/ends/${name}`, '')
    utimesSync(join(ends, name), past, past)
  }
  await folder.qanat('runs')
  expect(readdirSync(ends)).toEqual([])
  expect(await notesOf(folder)).toEqual([])
})
