import { jobsOf, spanOf } from '../../domain/runs/launch.js'
import { OperationError, SchedulerError, UserError } from '../../errors.js'
import { eventEnd, firstEvents } from '../../runfolder/evidence/event-log.js'
import { begunSubmissions } from '../../runfolder/evidence/submissions.js'
import { condorErrors, eventLog, recordsFolder } from '../../runfolder/layout.js'
import type { Answers, Site } from '../../sites/site.js'
import { pause } from '../../system/pause.js'
import type { SingleJobParts } from '../outside-runs.js'
import { lastLocation } from '../scheduler/evidence.js'
import { markOf, packedPart, packSize, tasksFor } from '../scheduler/locate.js'
import { firstSubmission, submitWith } from '../scheduler/submission.js'
import type {
  JobHandle,
  LaterSubmission,
  PlannedSubmission,
  PolledRun,
  Prepared,
  Runner,
  RunnerKind,
  RunWithNews,
  SubmissionIntent,
} from '../types.js'
import { type CondorNews, condorEvidence, condorNews, historyQueries, queueQueries } from './ask.js'
import { askCondor, notAnswering, requireHTCondor, scheddName, submitPatience } from './calls.js'
import { eventOf } from './events.js'
import { explainCondor } from './explain.js'
import { type CondorOptions, htcondorDialect } from './options.js'
import { constraintOf, jobIdOf, procOf } from './queue.js'
import { laterFile, prepareCondor, singleCondor } from './submission.js'

/** Groups are the jobs of one cluster. */
export const htcondorKind: RunnerKind<CondorOptions> = {
  name: 'htcondor',
  traits: new Set(['lags', 'polledRarely', 'hasScheduler']),
  programs: ['condor_submit'],
  version: ['condor_version'],
  pathSetting: 'getenv: [PATH, HOME]',
  usualLimits: { identity: '', groupsPerSubmission: Number.POSITIVE_INFINITY },
  template: htcondorDialect,
  at: site => new CondorRunner(site),
}

class CondorRunner implements Runner<CondorOptions> {
  readonly kind = htcondorKind
  readonly prepare = prepareCondor
  readonly queries = queueQueries

  constructor(readonly site: Site) {}

  async probe() {
    await requireHTCondor(this.site)
    return { identity: await scheddName(this.site), groupsPerSubmission: Number.POSITIVE_INFINITY }
  }

  async *submit(prepared: Prepared<CondorOptions>, warn: (message: string) => void) {
    const { plan, limits, submissions } = prepared
    const folders = [{ make: condorErrors(plan.groupCount) }, { make: recordsFolder }]
    const options = { cwd: plan.projectRoot, timeout: submitPatience }
    const cluster = clusterIn(await submitWith(this.site, prepared, 0, submissions[0]!, options, warn, folders))
    yield handleOf(plan, submissions[0]!, 0, cluster, limits.identity, Date.now())
  }

  async submitLater(
    handle: JobHandle,
    { number, jobs, projectRoot }: LaterSubmission,
    warn: (message: string) => void,
  ): Promise<JobHandle> {
    const { span, command } = firstSubmission(handle)
    const file = laterFile(handle, jobs, number)
    await this.site.put(handle.place, [file])
    const later = { ...span, jobs, command: [...command.slice(0, -1), `${handle.place.there}/${file.path}`] }
    const options = { cwd: projectRoot, timeout: submitPatience }
    const cluster = clusterIn(await submitWith(this.site, { plan: handle }, number, later, options, warn))
    return handleOf(handle, later, number, cluster, String(handle.data.schedd), Date.now())
  }

  async find(intent: SubmissionIntent, grace: number) {
    const begun = begunSubmissions(intent.place.here, intent.attempt)
    const last = begun.at(-1)
    if (!last) return { handles: [], final: true }
    const schedd = await scheddName(this.site)
    const clusterAt = (stdout: string, number: number) =>
      parseCluster(stdout) ?? (number === 0 ? firstCluster(intent) : null)
    const handles = begun.flatMap(({ span, stdout, begun: at }, number) => {
      const cluster = clusterAt(stdout, number)
      return cluster === null ? [] : [handleOf(intent, span, number, cluster, schedd, at)]
    })
    const number = begun.length - 1
    // What condor_submit has refused before was found out then.
    if (clusterAt(last.stdout, number) !== null) return { handles, final: true }
    const others = handles.map(({ id }) => ` && ClusterId != ${id}`).join('')
    const cluster = await clusterOf(this.site, `QanatToken == "${markOf(intent)}"${others}`)
    if (cluster === null) return { handles, final: Date.now() - last.begun >= grace }
    return { handles: [...handles, handleOf(intent, last.span, number, cluster, schedd, last.begun)], final: true }
  }

  news(run: PolledRun) {
    return condorNews(run)
  }

  furtherQueries(polled: readonly RunWithNews<CondorNews>[], answers: Answers) {
    return historyQueries(polled, answers)
  }

  read(polled: readonly RunWithNews<CondorNews>[], answers: Answers) {
    return condorEvidence(polled, answers)
  }

  async cancel(handles: readonly JobHandle[], _now: boolean, agreed: (handles: readonly JobHandle[]) => void) {
    if (handles.length === 0) return
    const schedd = await scheddName(this.site)
    const elsewhere = handles.find(({ data }) => data.schedd !== schedd)
    if (elsewhere) throw new OperationError(`its jobs belong to the schedd ${elsewhere.data.schedd}`, 'cancel it there')
    const constraint = handles.map(constraintOf).join(' || ')
    const result = await askCondor(this.site, ['condor_rm', '-constraint', constraint])
    if (result.ending !== 'exit') throw notAnswering('condor_rm', result)
    // Jobs that have ended in the meantime, or that are being removed already, are not an error.
    if (result.exitCode !== 0 && !/Couldn't find/i.test(result.stderr)) {
      throw new SchedulerError(`condor_rm: ${result.stderr.trim()}`, 'try again in a moment')
    }
    if (result.exitCode === 0 || (await clusterOf(this.site, constraint)) !== null) agreed(handles)
    // Nothing is left of their jobs but groups that wait for later ones.
    else agreed(handles.filter(handle => packSize(handle) !== null))
  }

  refuseShell(jobId: string | null) {
    const hint =
      jobId === null
        ? 'condor_submit -interactive        opens one on a node, without the environment of the group'
        : `condor_ssh_to_job ${jobId}        opens one beside the group, where its job was submitted`
    return new UserError('htcondor opens no shells with the environment of a group', hint)
  }

  singleJob(parts: SingleJobParts, options: CondorOptions) {
    return { environment: {}, ...singleCondor(parts, options) }
  }

  async waitForChange(_handle: JobHandle | null, milliseconds: number, stop: AbortSignal) {
    await pause(milliseconds, stop)
  }

  describe(handles: readonly JobHandle[]) {
    return handles
      .map(handle => {
        const [{ id }, last] = [handle, jobsOf(spanOf(handle)).length - 1]
        return `HTCondor cluster ${id} (jobs ${id}.0${last > 0 ? ` to ${id}.${last}` : ''})`
      })
      .join(', ')
  }

  /** How many jobs of a cluster may run at a time is decided when it is submitted. */
  slotsCommand(handles: readonly JobHandle[], slots: number) {
    if (slots > 0) return null
    return handles.map(({ id }) => `condor_hold -constraint 'ClusterId == ${id} && JobStatus == 1'`).join('; ')
  }

  async explain(handles: readonly JobHandle[], index: number) {
    const location = lastLocation(handles, index)
    if (!location) return { witnesses: [], release: null }
    const witnesses = await explainCondor(this.site, location)
    return { witnesses, release: `condor_release ${jobIdOf(location.handle, location.task)}` }
  }

  logFiles(handles: readonly JobHandle[], group: number | null) {
    return handles.flatMap(handle => {
      const { id, place, attempt } = handle
      const path = `${place.here}/${eventLog(attempt)}`
      if (group === null) return [{ title: `HTCondor cluster ${id}`, path }]
      return tasksFor(handle, group).map(task => {
        const only = { pattern: eventOf(id, procOf(handle, task)), end: eventEnd }
        return { title: `HTCondor job ${jobIdOf(handle, task)}`, path, only }
      })
    })
  }
}

function handleOf(
  intent: SubmissionIntent,
  submission: PlannedSubmission,
  number: number,
  id: string,
  schedd: string,
  submitted: number,
): JobHandle {
  const { token, runId, place, groupCount, jobName, attempt, indices } = intent
  const identity = { token, runId, place, groupCount, jobName, attempt, indices }
  const { first, count, data } = packedPart(intent, submission, number)
  return { ...identity, first, count, id, data: { schedd, submitted, ...data } }
}

/** The cluster that condor_submit has made. @throws OperationError if it does not say which */
function clusterIn(output: string): string {
  const cluster = parseCluster(output)
  if (cluster === null) throw new OperationError(`condor_submit printed no job id: ${output.trim() || 'nothing'}`)
  return cluster
}

/** Finds the line `C.P - C.P` in the output. */
export function parseCluster(output: string): string | null {
  return /^(\d+)\.\d+ - \1\.\d+\s*$/m.exec(output)?.[1] ?? null
}

/** Each attempt has its own event log, so the cluster in it belongs to the attempt. */
function firstCluster({ place, attempt }: SubmissionIntent): string | null {
  return /^\d{3} \(0*(\d+)\./m.exec(firstEvents(place.here, attempt))?.[1] ?? null
}

/** The cluster of the first job in the queue for which an expression is true. */
async function clusterOf(site: Site, constraint: string): Promise<string | null> {
  const command = ['condor_q', '-format', '%d\n', 'ClusterId', '-constraint', constraint]
  const result = await askCondor(site, command)
  const cluster = /^\d+$/m.exec(result.stdout)?.[0] ?? null
  if (result.exitCode !== 0 || (cluster === null && result.stdout !== '')) throw notAnswering('condor_q', result)
  return cluster
}
