import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { type Folder, groups, shellProject, until } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

const leaves = (acc: number) => `echo '{"acc": ${acc}}' >"$QANAT_STORAGE_PATH/metrics.json"`

/** Three runs: the best one, one that failed, and one without metrics; and a run of an experiment that declares nothing. */
const withRuns = madeOnce(async () => {
  const folder = await shellProject({ PAGER: 'cat', NO_COLOR: '1' })
  folder.write('good.yaml', 'name: good\nexecutable: it.sh\nexecutable_command: sh\nbest: {acc: max}\n')
  folder.commit()
  await folder.qanat('experiment', 'new', '-f', 'good.yaml')
  await folder.qanat('run', 'good', ...groups(leaves(0.5), leaves(0.97214), leaves(0.75)))
  await folder.qanat('run', 'good', ...groups(leaves(0.25), 'exit 1'))
  await folder.qanat('run', 'good', 'true')
  await folder.qanat('run', 'it', leaves(1))
  await allRead(folder)
  return folder
})

/** A list may have no time to read all metrics. */
const allRead = (folder: Folder) =>
  until(
    () => folder.json('runs', '--json'),
    ({ runs }) => runs.every(({ best }: { best: unknown }) => best !== null),
  )

test('lists show the best metric of runs, and are sorted and filtered by it', async () => {
  const folder = await withRuns()
  const status = (...options: string[]) => folder.qanat('experiment', 'status', 'good', ...options)
  const shown = (await status()).stdout
  expect(shown).toMatch(/Progress +Varied +Best +Runner/)
  expect(shown).toMatch(/\n1 +finished +3\/3 .* acc 0\.9721 +local/)
  expect(shown).toMatch(/\n3 +finished +1\/1 +local/)
  const ids = async (...options: string[]) =>
    (await folder.json('experiment', 'status', 'good', '--json', ...options)).runs.map(({ id }: { id: number }) => id)
  expect(await ids('--sort', '-acc')).toEqual([1, 2, 3])
  expect(await ids('--sort', 'acc')).toEqual([2, 1, 3])
  expect(await ids('--where', 'acc < 0.5')).toEqual([2])
  expect((await folder.json('runs', '--json')).runs.map(({ best }: { best: unknown }) => best)).toEqual([
    ...[{}, {}],
    { acc: { value: 0.25, group: 0 } },
    { acc: { value: 0.97214, group: 1 } },
  ])
  expect((await folder.qanat('runs', '--csv')).stdout).toMatch(/,progress,best_acc,groups_total,.*(\n.*)*,0\.97214,/)
  const unknown = await status('--where', 'loss < 1')
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    'Error: --where loss < 1: no experiment says when loss is best\n  the metrics that are declared as best: acc\n',
  ])
})

test('run_show shows the group with the best metric, also after another declaration', async () => {
  const folder = await withRuns()
  const line = async (id: string) => /Best: .*/.exec((await folder.qanat('run_show', 'good', id)).stdout)?.[0]
  expect(await line('1')).toBe('Best: acc 0.9721 (group 1)')
  expect(await line('3')).toBeUndefined()
  folder.write('good.yaml', 'name: good\nexecutable: it.sh\nexecutable_command: sh\nbest: {acc: min}\n')
  expect((await folder.qanat('experiment', 'update', 'good', '-f', 'good.yaml')).code).toBe(0)
  await allRead(folder)
  expect(await line('1')).toBe('Best: acc 0.5 (group 0)')
  folder.write('good.yaml', 'name: good\nexecutable: it.sh\nexecutable_command: sh\nbest: {acc: max}\n')
  expect((await folder.qanat('experiment', 'update', 'good', '-f', 'good.yaml')).code).toBe(0)
  await allRead(folder)
})

test('an experiment that declares nothing shows nothing of metrics', async () => {
  const folder = await withRuns()
  expect((await folder.qanat('experiment', 'status', 'it')).stdout).not.toContain('Best')
  expect((await folder.qanat('run_show', 'it', '4')).stdout).not.toContain('Best')
})

test('metrics of a run whose folder is not there now are not known, and are read when it is there again', async () => {
  const folder = await shellProject()
  folder.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\nbest: {acc: max}\n')
  folder.commit()
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  await folder.qanat('run', 'it', leaves(0.5))
  const best = async () => (await folder.json('runs', '--json')).runs[0].best
  const [results, elsewhere] = [join(folder.path, 'results'), join(folder.path, 'elsewhere')]
  renameSync(results, elsewhere)
  expect(await best()).toBeNull()
  renameSync(elsewhere, results)
  await allRead(folder)
  expect(await best()).toEqual({ acc: { value: 0.5, group: 0 } })
})

describe.skipIf(!hasTerminal)('run_explore', () => {
  test('shows the best metric, is sorted and filtered by it, and finds its text', async () => {
    const screen = new Screen(await withRuns(), "qanat run_explore good --sort acc --where 'acc > 0'")
    await screen.shows('acc 0.25', 'acc 0.9721', 'Best: acc 0.25 (group 0)', 'q: leave')
    screen.press('/')
    screen.press('C-u')
    screen.type("'acc 0.97'\r")
    await screen.shows('1 of 3', 'Best: acc 0.9721 (group 1)')
    screen.press('Enter')
    await screen.shows('Run 1 of experiment good', 'Best: acc 0.9721 (group 1)', 'q: back')
    screen.type('qq')
    expect(await screen.exitCode()).toBe(0)
  })
})
