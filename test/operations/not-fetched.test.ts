import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWorkspace } from '../../src/cli/context.js'
import { printLogs } from '../../src/cli/follow/follow-logs.js'
import { groupLog } from '../../src/operations/browse/group-log.js'
import { exportCrate } from '../../src/operations/crate/export-crate.js'
import { isEndNew } from '../../src/operations/data/data-at-end.js'
import { runFolder } from '../../src/operations/folder/run-files.js'
import { findOrigins } from '../../src/operations/origins/find-origins.js'
import { changesSince } from '../../src/operations/outputs/changes-since.js'
import { completeOutputs, keepOutputs } from '../../src/operations/outputs/keep-outputs.js'
import { rebuildRuns } from '../../src/operations/project/rebuild-runs.js'
import { resultFindings } from '../../src/operations/project/result-findings.js'
import { compareExperiment } from '../../src/operations/results/compare/compare-experiment.js'
import { readAgain } from '../../src/operations/results/index-metrics.js'
import { runDetails } from '../../src/operations/runs/run-details.js'
import { whyRun } from '../../src/operations/runs/why-run.js'
import { verifyRun } from '../../src/operations/verify/verify-run.js'
import type { Workspace } from '../../src/operations/workspace.js'
import { forgetOutputs } from '../../src/project/data/outputs.js'
import { here } from '../../src/sites/here.js'
import { madeOnce } from '../e2e/made-once.js'
import { type Folder, groups, shellProject } from '../e2e/project.js'

const writes = (value: number) =>
  `cd "$QANAT_STORAGE_PATH" && echo '{"acc": ${value}}' > metrics.json && echo said && echo words >&2`

/** Run 1 has two groups, of which each has written metrics, an output and an error; run 2 repeats it. */
const twice = madeOnce(async () => {
  const folder = await shellProject()
  await folder.qanat('run', ...groups(writes(1), writes(2)), 'it')
  await folder.qanat('rerun', '1', '--verify')
  return folder
})

/** The project after run 1 has got another site, of whose folder here is a mirror. @param absent what the mirror lacks */
async function elsewhere(...absent: string[]): Promise<{ folder: Folder; workspace: Workspace; warnings: string[] }> {
  const folder = await twice()
  folder.inDatabase(database => database.exec("UPDATE runs SET site = 'elsewhere' WHERE id = 1"))
  for (const path of absent) rmSync(join(folder.path, 'results/it/run_1', path), { recursive: true })
  const opened = await openWorkspace(folder.path, true)
  onTestFinished(() => opened.store.close())
  const warnings: string[] = []
  const workspace: Workspace = {
    ...opened,
    findSite: name => ({ ...here, name }),
    warn: message => warnings.push(message),
  }
  return { folder, workspace, warnings }
}

const firstRun = ({ store }: Workspace) => store.runs.get(1)
const _never = new AbortController().signal

test('a folder that is not fetched is no folder that is gone', async () => {
  const { workspace } = await elsewhere('')
  const run = firstRun(workspace)
  expect(() => runFolder(workspace, run)).toThrow('run 1: results/it/run_1 is not fetched from elsewhere')
  expect(runDetails(workspace, run, 10).folder).toBe('not fetched')
  const findings = resultFindings(workspace).map(({ state, text }) => `${state}: ${text}`)
  expect(findings).toContain('ok: the folder is not fetched: run 1')
  expect(findings).toContain('ok: every run has its folder, and every folder its run')
  expect(isEndNew(workspace, run)).toBe(false)
})

test('a repair takes a copy of a folder that is not fetched for no folder that was moved', async () => {
  const { folder, workspace } = await elsewhere()
  cpSync(join(folder.path, 'results/it/run_1'), join(folder.path, 'results/it/run_7'), { recursive: true })
  rmSync(join(folder.path, 'results/it/run_1'), { recursive: true })
  expect((await rebuildRuns(workspace, [])).moved).toEqual([])
  expect(firstRun(workspace).storagePath).toBe('results/it/run_1')
})

test('metrics that are not fetched are neither forgotten nor missing', async () => {
  const { workspace, warnings } = await elsewhere('group_1/metrics.json')
  readAgain(workspace, [firstRun(workspace)])
  const request = { by: null, over: null, metrics: null, sort: null, top: null, repeats: true, parameterFile: null }
  await compareExperiment(workspace, { ...request, experiment: 'it', runs: ['1'] })
  expect(warnings).toEqual([
    'metrics of 1 group cannot be read now: not fetched from elsewhere (qanat run_fetch 1 --all), as in results/it/run_1/group_1; the next command tries again',
  ])
  const bare = await elsewhere('')
  bare.workspace.store.transaction(() => bare.workspace.store.readings.forget(1, { gone: [], unreadable: [] }))
  const { notes } = await compareExperiment(bare.workspace, { ...request, experiment: 'it', runs: ['1'] })
  expect(notes).toContain('2 finished groups have no metrics: the folder of run 1 is not fetched')
})

test('the outputs of a run are never those of its mirror', async () => {
  const { workspace } = await elsewhere('group_1/metrics.json')
  const run = firstRun(workspace)
  expect(await changesSince(workspace, run)).toBe('1 not fetched from elsewhere')
  forgetOutputs(workspace.project, workspace.store.runs.token(1))
  expect(keepOutputs(workspace, run)).toBe('wholly')
  expect(await completeOutputs(workspace, run, true)).toBe(null)
})

test('a file that is not fetched is neither missing from a run nor different from that of another run', async () => {
  const { workspace } = await elsewhere('group_1/metrics.json')
  const again = workspace.store.runs.get(2)
  const verified = await verifyRun(workspace, again, firstRun(workspace), { rtol: 0, ignore: [] })
  expect(verified.files.filter(({ verdict }) => verdict !== 'identical')).toEqual([
    { group: 1, name: 'metrics.json', verdict: 'not_fetched' },
  ])
  expect(verified.isReproduced).toBe(false)
})

test('a search for the origin of a file says which runs it has not seen', async () => {
  const { folder, workspace } = await elsewhere('group_1/metrics.json')
  folder.write('copy.json', '{"acc": 2}\n')
  const runs = [firstRun(workspace)]
  const { origins, notes } = await findOrigins(workspace, 'copy.json', runs, () => null)
  expect(origins.map(({ doubt }) => doubt)).toEqual([
    'it was there at the end of the run, and is not fetched from elsewhere',
  ])
  expect(notes).toContain('files of run 1 that are not fetched were not looked at')
})

test('a crate names what was not fetched', async () => {
  const { workspace } = await elsewhere('group_1')
  const { missing } = await exportCrate(workspace, firstRun(workspace), 'crate')
  expect(missing).toContain('1.1 ran, and its folder is not fetched')
  expect(missing).toContain('the files of the run that are not fetched from elsewhere')
})

test('logs that are not fetched are not empty', async () => {
  const { workspace, warnings } = await elsewhere('group_1/stdout.txt', 'group_1/stderr.txt')
  const run = firstRun(workspace)
  await printLogs(workspace, run, { group: '1', stderr: false, scheduler_log: false }, false)
  expect(warnings).toEqual([expect.stringMatching(/^these logs are not fetched: .*\/group_1\/stdout.txt$/)])
  expect(() => groupLog(workspace, run, 1, 'stdout', null)).toThrow('stdout.txt is not fetched from elsewhere')
  const { lastWords } = await whyRun(workspace, run, '1')
  expect(lastWords).toEqual({ stream: 'stdout', lines: [], fetched: false })
})
