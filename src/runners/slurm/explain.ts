import { memoryKill, slurmLog } from '../../runfolder/evidence/slurm-log.js'
import type { Site } from '../../sites/site.js'
import type { ProgramResult } from '../../system/programs.js'
import { recordWitnesses } from '../scheduler/evidence.js'
import type { Location } from '../scheduler/locate.js'
import type { JobHandle, Witness } from '../types.js'
import { wasSubmittedAs } from './accounting.js'
import { clusterWords } from './ask.js'
import { askSlurm, isWithoutAccounting, queueText, silenceOf } from './calls.js'
import { isOurs } from './ours.js'
import { isWaiting } from './states.js'

/** Reasons why Slurm lets a job wait (squeue(1), "Job Reason Codes"), in plain words. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^Resources$/, 'it waits for free nodes'],
  [/^Priority$/, 'jobs with a higher priority are before it'],
  [/^Dependency$/, 'it waits for the job before it'],
  [/^DependencyNeverSatisfied$/, 'the job that it waits for can no longer end in the required way'],
  [/^BeginTime$/, 'its begin time is in the future; a requeued job waits for two minutes'],
  [/^JobArrayTaskLimit$/, 'the largest number of groups at a time is already running (--n_threads, max_parallel)'],
  [/^JobHeldUser$/, 'its user holds it'],
  [/^JobHeldAdmin$/, 'an administrator holds it'],
  [/^launch failed requeued held$/, 'it could not start on its node, and is held'],
  [/^ReqNodeNotAvail/, 'the nodes that it asks for are down or reserved'],
  [/^Nodes required for job are DOWN/, 'the nodes that it asks for are down, drained or reserved'],
  [/^PartitionTimeLimit$/, 'it asks for more time than its partition allows'],
  [/^PartitionNodeLimit$/, 'it asks for more nodes than its partition has'],
  [/^PartitionDown$/, 'its partition is down'],
  [/^(QOS|Assoc|MaxGRES).*(Limit|PerUser|PerAccount)/, 'a limit of your account or quality of service is reached'],
  [/^Licenses$/, 'it waits for a licence'],
  [/^Reservation$/, 'it waits for its reservation to begin'],
  [/^BadConstraints$/, 'no node can meet its constraints'],
]

/** A reason in plain words, or in Slurm's words. */
export function reasonText(reason: string): string {
  const plain = reasons.find(([pattern]) => pattern.test(reason))?.[1]
  return plain ? `${plain} (${reason})` : reason
}

const separator = '|'

/** What Slurm and the job's own record say about a group, in words. */
export async function explainSlurm(site: Site, location: Location): Promise<Witness[]> {
  const { handle, task } = location
  const id = `${handle.id}_${task}`
  const kill = memoryKill(slurmLog(handle.place.here, id))
  return [
    { name: 'Slurm', text: `job ${id} ${await slurmText(site, handle, id)}` },
    ...(kill === null ? [] : [{ name: 'its log', text: kill }]),
    ...recordWitnesses(location),
  ]
}

async function slurmText(site: Site, handle: JobHandle, id: string): Promise<string> {
  const queue = await askQueue(site, handle, id)
  const queued = queueText(queue)
  const isUnderstood = queued !== null && (queued.trim() === '' || queued.includes(separator))
  if (!isUnderstood) return `has an unknown state: squeue did not answer: ${silenceOf(queue)}`
  const queuedJob = queuedText(handle, queued)
  if (queuedJob !== null) return queuedJob
  const accounting = await askAccounting(site, handle, id)
  const accountedJob = accounting.exitCode === 0 ? accountedText(handle, accounting.stdout) : null
  if (accountedJob !== null) return accountedJob
  if (accounting.exitCode === 0 || isWithoutAccounting(accounting)) return 'is no longer known'
  return `is no longer in the queue, and sacct did not answer: ${silenceOf(accounting)}`
}

function askQueue(site: Site, handle: JobHandle, id: string): Promise<ProgramResult> {
  const format = ['%T', '%r', '%N', '%M', '%m', '%l', '%j', '%k'].join(separator)
  const words = ['--noheader', '--array', '--states=all', `--jobs=${id}`, `--format=${format}`]
  return askSlurm(site, ['squeue', ...clusterWords(handle), ...words])
}

/** Null unless a job of this submission is listed: Slurm gives ids again. */
function queuedText(handle: JobHandle, line: string): string | null {
  const [state = '', reason = '', host = '', used = '', memory = '', limit = '', name = '', ...comment] = line
    .trim()
    .split(separator)
  if (!isOurs(handle, name, comment.join(separator))) return null
  if (isWaiting(state) && reason !== 'None') return `${state}: ${reasonText(reason)}`
  return `${state}${host && ` on ${host}`} after ${used} (memory ${memory}, time limit ${limit})`
}

function askAccounting(site: Site, handle: JobHandle, id: string): Promise<ProgramResult> {
  const columns = '--format=State,NodeList,Elapsed,ReqMem,Timelimit,Submit,JobName,Comment'
  const words = ['--allocations', '--parsable2', '--noheader', `--jobs=${id}`, columns]
  return askSlurm(site, ['sacct', ...clusterWords(handle), ...words])
}

/** Null unless a job of this submission is listed. */
function accountedText(handle: JobHandle, output: string): string | null {
  for (const line of output.split('\n')) {
    const [state, host, elapsed, memory, limit, submit = '', name = '', ...comment] = line.split(separator)
    if (!wasSubmittedAs(handle, submit, name, comment.join(separator))) continue
    return `${state} on ${host} after ${elapsed} (memory ${memory}, time limit ${limit})`
  }
  return null
}
