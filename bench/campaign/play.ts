// Plays a campaign on Slurm in a project, run by bench/campaign.js: through the store and the operations of the program,
// with a Slurm of programs that print what they are told. Of a launch there is only what it stores: no folder of a group.
import { openWorkspace } from '../../src/cli/context.js'
import { inspectTree, type TreeState } from '../../src/code/tree-state.js'
import { createRun } from '../../src/operations/launch/record/run-record.js'
import { resolveRequest } from '../../src/operations/launch/resolve.js'
import { refreshRuns } from '../../src/operations/refresh/refresh-runs.js'
import { storeHandle, submissionsOf } from '../../src/operations/refresh/submissions.js'
import type { Workspace } from '../../src/operations/workspace.js'
import type { JobHandle } from '../../src/runners/types.js'
import { answer, hour, PlayedArray } from './slurm.js'

/** Runs that live at a time, and groups of each. */
const together = 20
const groups = 1000

const [project = '', programs = '', first = '', last = ''] = process.argv.slice(2)
void play(await openWorkspace(project), Number(first), Number(last))

/** Launches runs `first` to `last`, and plays until all have ended but the last one, which is left half-way. */
async function play(workspace: Workspace, first: number, last: number): Promise<void> {
  const state = await inspectTree(workspace.project.root)
  const days = ((last - first) / together + 1) * 6 * hour
  let clock = Date.now() - days
  Date.now = () => clock
  const { runs } = workspace.store
  const submitted = await Promise.all(runs.live().map(run => submissionsOf(workspace, run)))
  let live = submitted.map(({ handles }) => new PlayedArray(handles[0]!))
  for (let next = first; next < last || live.length > 0; ) {
    while (live.length < together && next < last) live.push(new PlayedArray(await launch(workspace, state, next++)))
    clock += hour
    for (const array of live) array.pass(clock)
    await refresh(workspace, live)
    const names = new Set(runs.live().map(({ experiment, id }) => `${experiment}_${id}`))
    live = live.filter(({ handle }) => names.has(handle.jobName))
  }
  const lasting = new PlayedArray(await launch(workspace, state, last))
  for (let hours = 0; hours < 2; hours++) {
    clock += hour
    lasting.pass(clock)
  }
  lasting.leaveRecords()
  await refresh(workspace, [lasting])
  workspace.store.close()
}

async function refresh(workspace: Workspace, arrays: readonly PlayedArray[]): Promise<void> {
  answer(programs, arrays)
  await refreshRuns(workspace, workspace.store.runs.live(), 0)
}

/** What a launch stores; one run in ten has the learning rate that is searched for. */
async function launch(workspace: Workspace, state: TreeState, number: number): Promise<JobHandle> {
  const experimentArguments = ['--lr', `0.${(number % 10) + 1}`]
  const options = { runner: 'slurm', range_param: [`--seed 0 ${groups} 1`], tag: [`week_${Math.ceil(number / 100)}`] }
  const resolved = await resolveRequest(workspace, { experiment: 'noop', experimentArguments, options })
  const frozen = { folder: '.qanat/cache/played', workingDirectory: workspace.project.root, links: [] }
  const code = { state, commit: state.head, patch: null }
  const { workingDirectory } = frozen
  const paths = { commit: state.head, workingDirectory, datasetPaths: resolved.datasetPaths, copied: null }
  const { id, storagePath } = createRun(workspace, { resolved, code, codeUsed: null, frozen, host: null, paths })
  const intent = {
    token: resolved.plan.token,
    runId: id,
    place: { here: storagePath, there: storagePath },
    groupCount: groups,
    jobName: `noop_${id}`,
    attempt: 1,
  }
  const data = { cluster: 'played', isRemote: 0, submitted: Date.now() }
  const handle = { ...intent, indices: null, first: 0, count: groups, id: String(100_000 + id), data }
  storeHandle(workspace, id, handle)
  return handle
}
