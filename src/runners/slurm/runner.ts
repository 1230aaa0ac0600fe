import { mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import { launchFolder } from '../../domain/runs/run-plan.js'
import { OperationError, SchedulerError } from '../../errors.js'
import { cancelFile, forgetCancellation, recordsFolder } from '../../runfolder/layout.js'
import { atomicWrite } from '../../system/files.js'
import { pause } from '../../system/pause.js'
import { indexAt, locator, markOf } from '../scheduler/locate.js'
import { begunSubmissions, submitWith } from '../scheduler/submission.js'
import type { GroupSpan, JobHandle, Prepared, PreparedSubmission, Runner, SubmissionIntent } from '../types.js'
import { askSlurm, notAnswering, requireSlurm, slurmEnvironment, slurmFacts, submitPatience } from './calls.js'
import { explainSlurm } from './explain.js'
import { type SlurmOptions, slurmOptions } from './options.js'
import { byCluster, clusterWords, pollSlurm } from './poll.js'
import { prepareSlurm, previousJob, slurmLogs } from './submission.js'

/** Groups are the tasks of a job array. */
export const slurmRunner: Runner<SlurmOptions> = {
  name: 'slurm',
  isScheduler: true,
  usualLimits: { identity: '', groupsPerSubmission: 1001 },
  parseOptions: slurmOptions,

  async probe() {
    requireSlurm()
    const { clusterName, maxArraySize } = await slurmFacts()
    if (maxArraySize < 1) throw new SchedulerError('this Slurm takes no job arrays (MaxArraySize is 0)')
    return { identity: clusterName, groupsPerSubmission: maxArraySize }
  },

  prepare: prepareSlurm,

  async *submit(prepared, warn) {
    forgetCancellation(prepared.plan.storagePath)
    makeFolders(prepared)
    let previous = ''
    for (const [number, submission] of prepared.submissions.entries()) {
      const handle = await submitArray(prepared, number, afterJob(submission, previous), warn)
      previous = handle.id
      yield handle
    }
  },

  async find(intent, grace) {
    const begun = begunSubmissions(intent)
    if (begun.length === 0) return { handles: [], final: true }
    const { clusterName } = await slurmFacts()
    const read = begun.map(submission => ({ submission, array: parseArray(submission.stdout) }))
    const handles = read.flatMap(({ submission: { span, begun: at }, array }) =>
      array ? [handleOf(intent, span, array, clusterName, at)] : [],
    )
    const silent = read.find(({ array }) => array === null)?.submission
    if (!silent) return { handles, final: true }
    const ids = handles.map(({ id }) => id)
    const id = (await arraysOf(markOf(intent))).find(candidate => !ids.includes(candidate))
    if (id === undefined) return { handles, final: Date.now() - silent.begun >= grace }
    const found = handleOf(intent, silent.span, { id, remote: null }, clusterName, silent.begun)
    return { handles: [...handles, found], final: true }
  },

  poll: pollSlurm,

  async cancel(handles) {
    for (const { storagePath } of handles) atomicWrite(`${storagePath}/${cancelFile}`, `${new Date().toISOString()}\n`)
    for (const [cluster, ofCluster] of byCluster(handles)) {
      const result = await askSlurm(['scancel', ...clusterWords(ofCluster[0]!), ...ofCluster.map(({ id }) => id)])
      if (result.exitCode === 0) continue
      if (result.ending !== 'exit') throw notAnswering('scancel', result)
      throw new SchedulerError(`scancel (cluster ${cluster}): ${result.stderr.trim()}`, 'try again in a moment')
    }
  },

  settle: (_handle, milliseconds, stop) => pause(milliseconds, stop),

  describe: handles => `Slurm job ${handles.map(({ id, count }) => `${id} (array 0-${count - 1})`).join(', ')}`,

  async explain(handles, index) {
    const location = locator(handles)(index)
    if (!location) return { witnesses: [], release: null }
    const witnesses = await explainSlurm(location.handle, location.task)
    return { witnesses, release: `scontrol release ${location.handle.id}_${location.task}` }
  },

  logFiles: (handles, group) =>
    handles.flatMap(handle =>
      Array.from({ length: handle.count }, (_, task) => task)
        .filter(task => group === null || indexAt(handle, task) === group)
        .map(task => ({
          title: `Slurm job ${handle.id}_${task}`,
          path: `${handle.storagePath}/${slurmLogs}/${handle.id}_${task}.log`,
        })),
    ),
}

/** sbatch does not make the folder that its log goes to: each job would fail without a word. */
function makeFolders({ plan, options }: Prepared<SlurmOptions>): void {
  mkdirSync(`${plan.storagePath}/${slurmLogs}`, { recursive: true })
  mkdirSync(`${plan.storagePath}/${recordsFolder}`, { recursive: true })
  if (options.output === null) return
  const folder = dirname(options.output).replaceAll('%x', plan.jobName).replaceAll('%u', userInfo().username)
  if (!folder.includes('%')) mkdirSync(resolve(plan.projectRoot, folder), { recursive: true })
}

function afterJob(submission: PreparedSubmission, previous: string): PreparedSubmission {
  const command = submission.command.map(word =>
    word.startsWith('--dependency=') ? word.replace(previousJob, previous) : word,
  )
  return { ...submission, command }
}

async function submitArray(
  { plan, limits }: Prepared<SlurmOptions>,
  number: number,
  submission: PreparedSubmission,
  warn: (message: string) => void,
): Promise<JobHandle> {
  const options = { environment: slurmEnvironment(), cwd: plan.projectRoot, timeout: submitPatience }
  const folder = `${plan.storagePath}/${launchFolder(plan.attempt)}`
  const output = await submitWith(folder, number, submission, options, warn)
  const array = parseArray(output)
  if (array === null) throw new OperationError(`sbatch printed no job id: ${output.trim() || 'nothing'}`)
  return handleOf(plan, submission, array, limits.identity, Date.now())
}

function handleOf(
  { token, storagePath, groupCount, jobName, attempt, indices }: SubmissionIntent,
  { first, count }: GroupSpan,
  { id, remote }: SlurmArray,
  cluster: string,
  submitted: number,
): JobHandle {
  const data = { cluster: remote ?? cluster, isRemote: Number(remote !== null), submitted }
  return { token, storagePath, groupCount, jobName, attempt, indices, first, count, id, data }
}

/** Ids of the arrays that were submitted with that comment. */
async function arraysOf(mark: string): Promise<string[]> {
  const format = '--Format=ArrayJobID:32,Comment:40'
  const result = await askSlurm(['squeue', '--noheader', '--states=all', `--user=${userInfo().username}`, format])
  if (result.exitCode !== 0) throw notAnswering('squeue', result)
  const lines = result.stdout.split('\n').map(line => line.trim().split(/\s+/))
  return [...new Set(lines.filter(([, comment]) => comment === mark).map(([id]) => id!))]
}

/** An array, and the cluster that has it where that is not the one here. */
interface SlurmArray {
  readonly id: string
  readonly remote: string | null
}

/** The line `id` or `id;cluster` among whatever else a site prints. */
export function parseArray(output: string): SlurmArray | null {
  const match = /^(\d+)(?:;(\S+))?$/m.exec(output.replaceAll('\r', ''))
  return match ? { id: match[1]!, remote: match[2] ?? null } : null
}
