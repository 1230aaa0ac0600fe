import { basename, dirname } from 'node:path'
import type { JobEnvironment } from '../../domain/job-environment.js'
import { jobsOf, spanOf } from '../../domain/runs/launch.js'
import { launchFolder, type RunPlan } from '../../domain/runs/run-plan.js'
import { OperationError, SchedulerError } from '../../errors.js'
import { slurmLog } from '../../runfolder/evidence/slurm-log.js'
import { begunSubmissions } from '../../runfolder/evidence/submissions.js'
import { recordsFolder, slurmLogs } from '../../runfolder/layout.js'
import type { Answers, Site } from '../../sites/site.js'
import { pause } from '../../system/pause.js'
import { shellOnTerminal } from '../job-script.js'
import type { SingleJobParts } from '../outside-runs.js'
import { type JobNews, jobNews, lastLocation } from '../scheduler/evidence.js'
import { packedPart, packSize, tasksFor } from '../scheduler/locate.js'
import { firstSubmission, submitWith } from '../scheduler/submission.js'
import type {
  JobHandle,
  LaterSubmission,
  PlannedSubmission,
  PolledRun,
  Prepared,
  PreparedSubmission,
  Runner,
  RunnerKind,
  RunWithNews,
  Seat,
  SubmissionIntent,
} from '../types.js'
import { byCluster, clusterWords, furtherQueries, queuedHandles, queueQueries, slurmEvidence } from './ask.js'
import {
  askSlurm,
  notAnswering,
  parseFacts,
  requireSlurm,
  slurmConfig,
  slurmEnvironment,
  submitPatience,
} from './calls.js'
import { explainSlurm } from './explain.js'
import { type SlurmOptions, slurmDialect } from './options.js'
import { isOurs } from './ours.js'
import { longestJob, slurmRemarks } from './remarks.js'
import { earlierJobs, laterCommand, prepareSlurm, scriptOf, singleSlurm } from './submission.js'

/** Groups are the tasks of a job array. */
export const slurmKind: RunnerKind<SlurmOptions> = {
  name: 'slurm',
  traits: new Set(['lags', 'polledRarely', 'hasScheduler', 'requeuesEnded', 'waitsForJobs']),
  programs: ['sbatch'],
  version: ['sbatch', '--version'],
  usualLimits: { identity: '', groupsPerSubmission: 1001 },
  template: slurmDialect,
  at: site => new SlurmRunner(site),
}

class SlurmRunner implements Runner<SlurmOptions> {
  readonly kind = slurmKind
  readonly prepare = prepareSlurm
  readonly furtherQueries = furtherQueries

  constructor(readonly site: Site) {}

  queries(runs: readonly PolledRun[]) {
    return queueQueries(runs, !this.site.isHere)
  }

  async probe(environment: JobEnvironment, options: SlurmOptions | null) {
    await requireSlurm(this.site)
    const config = await slurmConfig(this.site)
    const { clusterName, maxArraySize } = parseFacts(config)
    if (maxArraySize < 1) throw new SchedulerError('this Slurm takes no job arrays (MaxArraySize is 0)')
    const remarks = options ? await slurmRemarks(this.site, config, environment, options) : []
    const isLimited = options !== null && environment.pack !== null && environment.resources.time !== undefined
    const longest = isLimited ? await longestJob(this.site, options) : null
    return { identity: clusterName, groupsPerSubmission: maxArraySize, longest, remarks }
  }

  async *submit(prepared: Prepared<SlurmOptions>, warn: (message: string) => void) {
    await makeLogFolder(this.site, prepared)
    const earlier: string[] = []
    for (const [number, submission] of prepared.submissions.entries()) {
      const handle = await submitArray(this.site, prepared, number, afterJobs(submission, earlier), warn)
      earlier.push(handle.id)
      yield handle
    }
  }

  async submitLater(
    handle: JobHandle,
    { number, jobs, projectRoot }: LaterSubmission,
    warn: (message: string) => void,
  ): Promise<JobHandle> {
    const { span, command } = firstSubmission(handle)
    const later = { ...span, jobs, command: laterCommand(command, jobs, number) }
    const options = { environment: slurmEnvironment, cwd: projectRoot, timeout: submitPatience }
    const array = arrayIn(await submitWith(this.site, { plan: handle }, number, later, options, warn))
    return handleOf(handle, later, number, array, String(handle.data.cluster), Date.now())
  }

  async find(intent: SubmissionIntent, grace: number) {
    const begun = begunSubmissions(intent.place.here, intent.attempt)
    if (begun.length === 0) return { handles: [], final: true }
    const { clusterName } = parseFacts(await slurmConfig(this.site))
    const read = begun.map((submission, number) => ({ submission, number, array: parseArray(submission.stdout) }))
    const handles = read.flatMap(({ submission: { span, begun: at }, number, array }) =>
      array ? [handleOf(intent, span, number, array, clusterName, at)] : [],
    )
    // What sbatch has refused before was found out then.
    const last = read.at(-1)!
    const silent = last.array === null ? last.submission : null
    if (!silent) return { handles, final: true }
    const ids = handles.map(({ id }) => id)
    const id = (await arraysOf(this.site, intent)).find(candidate => !ids.includes(candidate))
    if (id === undefined) return { handles, final: Date.now() - silent.begun >= grace }
    const found = handleOf(intent, silent.span, last.number, { id, remote: null }, clusterName, silent.begun)
    return { handles: [...handles, found], final: true }
  }

  news(run: PolledRun) {
    return jobNews(run)
  }

  read(polled: readonly RunWithNews<JobNews>[], answers: Answers) {
    return slurmEvidence(polled, answers)
  }

  async cancel(handles: readonly JobHandle[], _now: boolean, agreed: (handles: readonly JobHandle[]) => void) {
    const queued = await queuedHandles(this.site, handles)
    // Nothing is left of their jobs but groups that wait for later ones.
    const over = handles.filter(handle => packSize(handle) !== null && !queued.includes(handle))
    if (over.length > 0) agreed(over)
    for (const [cluster, ofCluster] of byCluster(queued)) {
      const ids = ofCluster.map(({ id }) => id)
      const result = await askSlurm(this.site, ['scancel', ...clusterWords(ofCluster[0]!), ...ids])
      if (result.exitCode === 0) agreed(ofCluster)
      else if (result.ending !== 'exit') throw notAnswering('scancel', result)
      else throw new SchedulerError(`scancel (cluster ${cluster}): ${result.stderr.trim()}`, 'try again in a moment')
    }
  }

  onTerminal(plan: RunPlan, seat: Seat, { words }: SlurmOptions) {
    const own = () => words.filter(word => !forBatch.test(word))
    const place = seat.inside === null ? own() : ['--overlap', `--jobid=${seat.inside}`]
    return shellOnTerminal(plan, seat, ['srun', '--pty', ...place])
  }

  singleJob(parts: SingleJobParts, options: SlurmOptions) {
    return { environment: slurmEnvironment, ...singleSlurm(parts, options) }
  }

  async waitForChange(_handle: JobHandle | null, milliseconds: number, stop: AbortSignal) {
    await pause(milliseconds, stop)
  }

  describe(handles: readonly JobHandle[]) {
    return `Slurm job ${handles.map(handle => `${handle.id} (array ${arrayOf(handle)})`).join(', ')}`
  }

  slotsCommand(handles: readonly JobHandle[], slots: number) {
    const command = ({ id }: JobHandle) =>
      slots === 0 ? `scontrol hold ${id}` : `scontrol update JobId=${id} ArrayTaskThrottle=${slots}`
    return handles.map(command).join('; ')
  }

  async explain(handles: readonly JobHandle[], index: number) {
    const location = lastLocation(handles, index)
    if (!location) return { witnesses: [], release: null }
    const witnesses = await explainSlurm(this.site, location)
    return { witnesses, release: `scontrol release ${location.handle.id}_${location.task}` }
  }

  scripts(handles: readonly JobHandle[]) {
    const folders = new Set(handles.map(({ place, attempt }) => `${place.here}/${launchFolder(attempt)}`))
    return [...folders].flatMap(folder =>
      ['slurm.sh', 'settings.sh'].map(name => ({ title: `${basename(folder)}/${name}`, path: `${folder}/${name}` })),
    )
  }

  logFiles(handles: readonly JobHandle[], group: number | null) {
    return handles.flatMap(handle =>
      tasksFor(handle, group).map(task => ({
        title: `Slurm job ${handle.id}_${task}`,
        path: slurmLog(handle.place.here, `${handle.id}_${task}`),
      })),
    )
  }
}

/** Options of sbatch that srun does not have, or that would take the terminal away. */
const forBatch =
  /^(-[eoi]|--(error|output|input|open-mode|requeue|no-requeue|signal|mail-type|mail-user|parsable|wrap)(=|$))/

/** The numbers of the tasks of an array. */
function arrayOf(handle: JobHandle): string {
  const span = spanOf(handle)
  return span.jobs?.join(',') ?? `0-${jobsOf(span).length - 1}`
}

/** sbatch does not make the folder of its log: without it, each job would fail silently. */
const folders = [{ make: slurmLogs }, { make: recordsFolder }]

/** Makes the folder of the log that a template names. */
async function makeLogFolder(site: Site, { plan, options }: Prepared<SlurmOptions>): Promise<void> {
  if (options.output === null) return
  const { user } = await site.probe()
  const folder = dirname(options.output).replaceAll('%x', plan.jobName).replaceAll('%u', user)
  if (folder.includes('%')) return
  const words = ['mkdir', '-p', '--', folder]
  const { exitCode, stderr } = await site.run(words, { cwd: plan.projectRoot, timeout: submitPatience })
  if (exitCode !== 0) throw new OperationError(stderr.trim(), 'choose another folder for output in the submit template')
}

function afterJobs(submission: PreparedSubmission, earlier: readonly string[]): PreparedSubmission {
  const command = submission.command.map(word =>
    word.startsWith('--dependency=') ? word.replace(earlierJobs, earlier.join(':')) : word,
  )
  return { ...submission, command }
}

async function submitArray(
  site: Site,
  prepared: Prepared<SlurmOptions>,
  number: number,
  submission: PreparedSubmission,
  warn: (message: string) => void,
): Promise<JobHandle> {
  const { plan, limits } = prepared
  const options = { environment: slurmEnvironment, cwd: plan.projectRoot, timeout: submitPatience }
  const output = await submitWith(site, prepared, number, submission, options, warn, folders)
  return handleOf(plan, submission, number, arrayIn(output), limits.identity, Date.now())
}

/** The array that sbatch has made. @throws OperationError if it does not say which */
function arrayIn(output: string): SlurmArray {
  const array = parseArray(output)
  if (array === null) throw new OperationError(`sbatch printed no job id: ${output.trim() || 'nothing'}`)
  return array
}

function handleOf(
  intent: SubmissionIntent,
  submission: PlannedSubmission,
  number: number,
  { id, remote }: SlurmArray,
  cluster: string,
  submitted: number,
): JobHandle {
  const { token, runId, place, groupCount, jobName, attempt, indices } = intent
  const { first, count, data: packed } = packedPart(intent, submission, number)
  const data = { cluster: remote ?? cluster, isRemote: Number(remote !== null), submitted, ...packed }
  return { token, runId, place, groupCount, jobName, attempt, indices, first, count, id, data }
}

/**
 * Ids of the arrays of an attempt: they have its mark, or, where the site replaces comments, its name and its script. Other
 * projects of the user may have arrays of the same name.
 */
async function arraysOf(site: Site, intent: SubmissionIntent): Promise<string[]> {
  const { user } = await site.probe()
  const words = ['--noheader', '--states=all', `--user=${user}`, '--format=%F|%j|%o|%k']
  const result = await askSlurm(site, ['squeue', ...words])
  const isUnderstood = result.stdout.trim() === '' || /^\d+\|/m.test(result.stdout)
  if (result.exitCode !== 0 || !isUnderstood) throw notAnswering('squeue', result)
  const ids = result.stdout.split('\n').flatMap(line => {
    const id = line.slice(0, line.indexOf('|'))
    const own = `${id}|${intent.jobName}|${scriptOf(intent)}`
    // The arguments of the script may follow.
    const isOwn = line.startsWith(`${own} `) || line.startsWith(`${own}|`)
    // Names and scripts of others may contain a bar, too: then all of the line is searched for the mark.
    const comment = isOwn ? line.slice(line.indexOf('|', own.length) + 1) : line
    return isOurs(intent, isOwn ? intent.jobName : '', comment) ? [id] : []
  })
  return [...new Set(ids)]
}

/** An array, and its cluster if that is not the local one. */
interface SlurmArray {
  readonly id: string
  readonly remote: string | null
}

/** Finds the line `id` or `id;cluster` among other output of a site. */
export function parseArray(output: string): SlurmArray | null {
  const match = /^(\d+)(?:;(\S+))?$/m.exec(output.replaceAll('\r', ''))
  return match ? { id: match[1]!, remote: match[2] ?? null } : null
}
