import { runStatus } from '../domain/runs/aggregate.js'
import type { Launch } from '../domain/runs/launch.js'
import type { Run } from '../domain/runs/run.js'
import { UserError } from '../errors.js'
import type { Connection } from './database.js'
import { storedJson } from './stored-json.js'

/** The columns that hold a run, in the order of {@link runOfValues}. */
export const runColumns = [
  ...['runs.id', 'experiments.name', 'site', 'runner', 'runner_parameters', 'commit_sha', 'dirty', 'code_used'],
  ...[
    'code_changed',
    'frozen',
    'storage_path',
    'runs.description',
    'runs.tags',
    'rerun_of',
    'launched',
    'started',
    'finished',
  ],
  ...['progress', 'as_of', 'host', 'groups_awaiting', 'groups_pending', 'groups_running', 'groups_held'],
  ...['groups_finished', 'groups_failed', 'groups_cancelled', 'groups_lost'],
].join(', ')

/** Values of {@link runColumns}. */
export type RunValues = Parameters<typeof runOfValues>

/**
 * Reads runs that were not deleted. Rows as arrays take a third of the time of rows as objects.
 * @param rest of the query: its conditions and the order
 */
export function readRuns(connection: Connection, rest: string, ...parameters: readonly unknown[]): Run[] {
  const sql = `SELECT ${runColumns} FROM runs JOIN experiments ON experiments.id = experiment_id AND NOT deleted ${rest}`
  const rows = connection
    .prepare(sql)
    .raw()
    .all(...parameters) as RunValues[]
  return rows.map(values => runOfValues(...values))
}

/** Where the folder of a run is; of a run in the trash, where it was. */
export interface Place {
  readonly id: number
  readonly experiment: string
  readonly token: string
  /** Relative to the project if it lies inside. */
  readonly storagePath: string
  readonly deleted: boolean
}

/**
 * Reads the places of runs, by id.
 * @param near only of runs whose folder is this one, lies in it or holds it, as it is stored; null for all runs
 */
export function readPlaces(connection: Connection, near: string | null): Place[] {
  const overlaps = `instr(@near || '/', storage_path || '/') = 1 OR instr(storage_path || '/', @near || '/') = 1`
  const sql = `SELECT runs.id, experiments.name AS experiment, token, storage_path AS storagePath, deleted
    FROM runs JOIN experiments ON experiments.id = experiment_id
    WHERE @near IS NULL OR ${overlaps} ORDER BY runs.id`
  const rows = connection.prepare(sql).all({ near }) as (Omit<Place, 'deleted'> & {
    deleted: number
  })[]
  return rows.map(row => ({ ...row, deleted: row.deleted !== 0 }))
}

/** The run that a row holds. */
export function runOfValues(
  id: number,
  experiment: string,
  site: string,
  runner: string,
  runnerParameters: string,
  commit: string,
  dirty: number,
  codeUsed: string | null,
  codeChanged: number | null,
  frozen: string | null,
  storagePath: string,
  description: string,
  tags: string,
  rerunOf: number | null,
  launched: number,
  started: number | null,
  finished: number | null,
  progress: number | null,
  asOf: number,
  host: string | null,
  awaiting: number,
  pending: number,
  running: number,
  held: number,
  groupsFinished: number,
  failed: number,
  cancelled: number,
  lost: number,
): Run {
  const counts = { pending, running, held, finished: groupsFinished, failed, cancelled, lost }
  return {
    id,
    experiment,
    status: runStatus(counts),
    counts,
    awaiting,
    site,
    runner,
    runnerParameters: storedJson(runnerParameters, 'parameters of a runner', 'mapping'),
    commit,
    dirty: dirty === 1,
    codeUsed,
    codeChanged: codeChanged === null ? null : codeChanged === 1,
    frozen,
    storagePath,
    description,
    tags: storedJson(tags, 'tags', 'texts'),
    rerunOf,
    launched,
    started,
    finished,
    progress,
    asOf,
    host,
  }
}

/** What a run was launched with beside its parameters. */
export type Definition = Omit<Launch, 'token' | 'grid' | 'attempts'>

/** The definition that a row of launches holds. */
export function definitionOf(text: string): Definition {
  return storedJson(text, 'a definition', 'definition')
}

/** The error in place of a row that another command has deleted. */
export function wasDeleted(id: number): never {
  throw new UserError(`run ${id} was deleted in the meantime`, 'qanat runs        shows all runs')
}
