import { groupFolder } from '../../domain/runs/run-plan.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'
import { memoryKill, slurmLog } from '../../runfolder/evidence/slurm-log.js'
import type { JobNews } from '../scheduler/evidence.js'
import { type Location, packSize } from '../scheduler/locate.js'

/** The exit code of `srun` if SIGKILL has ended its step. */
const killedStep = 137

/**
 * Slurm without cgroups lists a job that it has killed for its memory like any other that SIGKILL has ended, until it has
 * forgotten it: why, only the log of the job tells. If the job was in a step of `srun`, that alone was killed, and srun has
 * repeated it in the stderr of the group.
 */
export function withMemoryKill(
  state: SchedulerState | null,
  { handle, task, index }: Location,
  { records }: JobNews,
): SchedulerState | null {
  if (state?.kind !== 'gone' && !(state?.kind === 'ended' && ['exit', 'signal'].includes(state.outcome))) return state
  const jobId = `${handle.id}_${task}`
  const { place, groupCount } = handle
  // The log of a job of many groups is that of its keeper: whether a group had ended by then is judged later.
  const record = packSize(handle) === null ? records.get(index) : undefined
  const isStep = record?.kind === 'end' && record.outcome === 'exit' && record.code === killedStep
  if (record?.kind === 'end' && !isStep) return state
  const path = isStep ? `${groupFolder(place.here, groupCount, index)}/stderr.txt` : slurmLog(place.here, jobId)
  if (memoryKill(path) === null) return state
  const unknown = { exitCode: null, signal: 'SIGKILL', started: null, finished: null, host: null, jobId }
  return { ...unknown, ...(state.kind === 'ended' && state), kind: 'ended', outcome: 'oom' }
}
