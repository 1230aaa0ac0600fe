import { runStatus } from '../domain/runs/aggregate.js'
import type { GroupCounts, Run, RunnerParameters } from '../domain/runs/run.js'
import { UserError } from '../errors.js'
import { storedJson } from './stored-json.js'

/** A row of the table `runs`, with the name of its experiment. */
export interface RunRow {
  readonly id: number
  readonly experiment: string
  readonly runner: string
  readonly runner_parameters: string
  readonly commit_sha: string
  readonly dirty: number
  readonly code_used: string | null
  readonly code_changed: number | null
  readonly frozen: string | null
  readonly storage_path: string
  readonly description: string
  readonly tags: string
  readonly rerun_of: number | null
  readonly launched: number
  readonly started: number | null
  readonly finished: number | null
  readonly progress: number | null
  readonly as_of: number
  readonly host: string | null
  readonly groups_pending: number
  readonly groups_running: number
  readonly groups_held: number
  readonly groups_finished: number
  readonly groups_failed: number
  readonly groups_cancelled: number
  readonly groups_lost: number
  readonly groups_awaiting: number
}

/** The run that a row holds. */
export function runOfRow(row: RunRow): Run {
  const counts: GroupCounts = {
    pending: row.groups_pending,
    running: row.groups_running,
    held: row.groups_held,
    finished: row.groups_finished,
    failed: row.groups_failed,
    cancelled: row.groups_cancelled,
    lost: row.groups_lost,
  }
  return {
    id: row.id,
    experiment: row.experiment,
    status: runStatus(counts),
    counts,
    awaiting: row.groups_awaiting,
    runner: row.runner,
    runnerParameters: parametersOf(row.runner_parameters),
    commit: row.commit_sha,
    dirty: row.dirty === 1,
    codeUsed: row.code_used,
    codeChanged: row.code_changed === null ? null : row.code_changed === 1,
    frozen: row.frozen,
    storagePath: row.storage_path,
    description: row.description,
    tags: storedJson(row.tags, 'tags', 'texts'),
    rerunOf: row.rerun_of,
    launched: row.launched,
    started: row.started,
    finished: row.finished,
    progress: row.progress,
    asOf: row.as_of,
    host: row.host,
  }
}

/** Runs of version 0.1 have no key for the container. */
function parametersOf(text: string): RunnerParameters {
  type Stored = Omit<RunnerParameters, 'container'> & Partial<RunnerParameters>
  const stored = storedJson<Stored>(text, 'parameters of a runner', 'mapping')
  return { ...stored, container: stored.container ?? null }
}

/** Instead of a row that another command has deleted. */
export function wasDeleted(id: number): never {
  throw new UserError(`run ${id} was deleted in the meantime`, 'qanat runs        shows all runs')
}
