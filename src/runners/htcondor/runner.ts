import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { launchedCount, launchFolder } from '../../domain/runs/run-plan.js'
import { OperationError, SchedulerError } from '../../errors.js'
import { cancelFile, forgetCancellation, recordsFolder } from '../../runfolder/layout.js'
import { atomicWrite } from '../../system/files.js'
import { pause } from '../../system/pause.js'
import { locator, markOf } from '../scheduler/locate.js'
import { begunSubmissions, submitWith } from '../scheduler/submission.js'
import type { JobHandle, Runner, SubmissionIntent } from '../types.js'
import { askCondor, notAnswering, requireHTCondor, scheddName, submitPatience } from './calls.js'
import { explainCondor } from './explain.js'
import { type CondorOptions, condorOptions } from './options.js'
import { pollCondor } from './poll.js'
import { eventLog, jobErrors, prepareCondor } from './submission.js'

/** Groups are the jobs of one cluster. */
export const htcondorRunner: Runner<CondorOptions> = {
  name: 'htcondor',
  isScheduler: true,
  usualLimits: { identity: '', groupsPerSubmission: Number.POSITIVE_INFINITY },
  parseOptions: condorOptions,

  async probe() {
    requireHTCondor()
    return { identity: await scheddName(), groupsPerSubmission: Number.POSITIVE_INFINITY }
  },

  prepare: prepareCondor,

  async *submit({ plan, limits, submissions: [submission] }, warn) {
    forgetCancellation(plan.storagePath)
    for (const folder of [jobErrors, recordsFolder]) mkdirSync(`${plan.storagePath}/${folder}`, { recursive: true })
    const options = { environment: process.env, cwd: plan.projectRoot, timeout: submitPatience }
    const output = await submitWith(`${plan.storagePath}/${launchFolder(plan.attempt)}`, 0, submission!, options, warn)
    const cluster = parseCluster(output)
    if (cluster === null) throw new OperationError(`condor_submit printed no job id: ${output.trim() || 'nothing'}`)
    yield handleOf(plan, cluster, limits.identity)
  },

  async find(intent, grace) {
    const [begun] = begunSubmissions(intent)
    if (!begun) return { handles: [], final: true }
    const schedd = await scheddName()
    const cluster = parseCluster(begun.stdout) ?? firstCluster(intent) ?? (await clusterOf(markOf(intent)))
    if (cluster !== null) return { handles: [handleOf(intent, cluster, schedd)], final: true }
    return { handles: [], final: Date.now() - begun.begun >= grace }
  },

  poll: pollCondor,

  async cancel(handles) {
    if (handles.length === 0) return
    for (const { storagePath } of handles) atomicWrite(`${storagePath}/${cancelFile}`, `${new Date().toISOString()}\n`)
    const schedd = await scheddName()
    const elsewhere = handles.find(({ data }) => data.schedd !== schedd)
    if (elsewhere) throw new OperationError(`its jobs are of the schedd ${elsewhere.data.schedd}`, 'cancel it there')
    const result = await askCondor(['condor_rm', ...handles.map(({ id }) => id)])
    if (result.ending !== 'exit') throw notAnswering('condor_rm', result)
    // Jobs that have ended meanwhile are no failure.
    if (result.exitCode !== 0 && !/Couldn't find/i.test(result.stderr)) {
      throw new SchedulerError(`condor_rm: ${result.stderr.trim()}`, 'try again in a moment')
    }
  },

  settle: (_handle, milliseconds, stop) => pause(milliseconds, stop),

  describe: handles =>
    handles
      .map(({ id, count }) => `HTCondor cluster ${id} (jobs ${id}.0${count > 1 ? ` to ${id}.${count - 1}` : ''})`)
      .join(', '),

  async explain(handles, index) {
    const location = locator(handles)(index)
    if (!location) return { witnesses: [], release: null }
    const witnesses = await explainCondor(location.handle, location.task)
    return { witnesses, release: `condor_release ${location.handle.id}.${location.task}` }
  },

  logFiles: handles =>
    handles.map(({ id, storagePath, attempt }) => ({
      title: `HTCondor cluster ${id}`,
      path: `${storagePath}/${eventLog(attempt)}`,
    })),
}

function handleOf(intent: SubmissionIntent, id: string, schedd: string): JobHandle {
  const { token, storagePath, groupCount, jobName, attempt, indices } = intent
  const identity = { token, storagePath, groupCount, jobName, attempt, indices }
  return { ...identity, first: 0, count: launchedCount(intent), id, data: { schedd } }
}

/** The line `C.P - C.P` among whatever else is printed. */
export function parseCluster(output: string): string | null {
  return /^(\d+)\.\d+ - \1\.\d+\s*$/m.exec(output)?.[1] ?? null
}

/** A launch has an event log of its own: what stands in it is its cluster. */
function firstCluster({ storagePath, attempt }: SubmissionIntent): string | null {
  const file = `${storagePath}/${eventLog(attempt)}`
  return existsSync(file) ? (/^\d{3} \(0*(\d+)\./m.exec(readFileSync(file, 'utf8'))?.[1] ?? null) : null
}

/** The cluster that was submitted with that token. */
async function clusterOf(mark: string): Promise<string | null> {
  const result = await askCondor(['condor_q', '-format', '%d\n', 'ClusterId', '-constraint', `QanatToken == "${mark}"`])
  if (result.exitCode !== 0) throw notAnswering('condor_q', result)
  return /^\d+$/m.exec(result.stdout)?.[0] ?? null
}
