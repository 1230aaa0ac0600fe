import { runStatus } from '../../domain/runs/aggregate.js'
import type { Launch } from '../../domain/runs/launch.js'
import { type GroupCounts, groupStates, type Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import type { Connection } from '../database.js'
import { storedJson } from './stored-json.js'

/** A run as it is stored: JSON is text, and true is 1. */
interface RunRow
  extends Omit<
    Run,
    'status' | 'counts' | 'runnerParameters' | 'dirty' | 'codeChanged' | 'tags' | 'retired' | 'dealing'
  > {
  readonly slots: number | null
  readonly hasNoWorker: number
  readonly counts: string
  readonly runnerParameters: string
  readonly dirty: number
  readonly codeChanged: number | null
  readonly tags: string
  readonly retired: string | null
}

const columns = `runs.id, experiments.name AS experiment, site, runner, runner_parameters AS runnerParameters, commit_sha AS "commit",
  dirty, code_used AS codeUsed, code_changed AS codeChanged, frozen, storage_path AS storagePath, runs.description, runs.tags,
  rerun_of AS rerunOf, fill_of AS fillOf, retired, launched, started, finished, progress, as_of AS asOf, host, slots, has_no_worker AS hasNoWorker,
  groups_awaiting AS awaiting,
  json_object(${groupStates.map(state => `'${state}', groups_${state}`)}) AS counts`

/** Reads runs that were not deleted. @param rest of the query: its conditions and the order */
export function readRuns(connection: Connection, rest: string, ...parameters: readonly unknown[]): Run[] {
  const sql = `SELECT ${columns} FROM runs JOIN experiments ON experiments.id = experiment_id AND NOT deleted ${rest}`
  return (connection.prepare(sql).all(...parameters) as RunRow[]).map(runOfRow)
}

/** A run in the trash, and when it was deleted, in milliseconds since the epoch. */
export type DeletedRun = Run & { readonly token: string; readonly at: number }

/** Reads the runs in the trash, by id. */
export function readDeleted(connection: Connection): DeletedRun[] {
  const sql = `SELECT token, deleted AS at, ${columns} FROM runs JOIN experiments ON experiments.id = experiment_id
    WHERE deleted ORDER BY runs.id`
  const rows = connection.prepare(sql).all() as (RunRow & Pick<DeletedRun, 'token' | 'at'>)[]
  return rows.map(row => ({ ...row, ...runOfRow(row) }))
}

function runOfRow({ slots, hasNoWorker, ...row }: RunRow): Run {
  const counts: GroupCounts = JSON.parse(row.counts)
  return {
    ...row,
    ...{ counts, status: runStatus(counts) },
    runnerParameters: storedJson(row.runnerParameters, 'parameters of a runner', 'mapping'),
    dealing: { slots, hasNoWorker: hasNoWorker === 1 },
    dirty: row.dirty === 1,
    codeChanged: row.codeChanged === null ? null : row.codeChanged === 1,
    tags: storedJson(row.tags, 'tags', 'texts'),
    retired: row.retired === null ? null : storedJson(row.retired, 'retirement', 'mapping'),
  }
}

/** Where the folder of a run is; of a run in the trash, where it was. */
export interface Place {
  readonly id: number
  readonly experiment: string
  readonly token: string
  /** Name of the site where the run lives. */
  readonly site: string
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
  const sql = `SELECT runs.id, experiments.name AS experiment, token, site, storage_path AS storagePath, deleted
    FROM runs JOIN experiments ON experiments.id = experiment_id
    WHERE @near IS NULL OR ${overlaps} ORDER BY runs.id`
  const rows = connection.prepare(sql).all({ near }) as (Omit<Place, 'deleted'> & { deleted: number })[]
  return rows.map(row => ({ ...row, deleted: row.deleted !== 0 }))
}

/** What a run was launched with beside its parameters. */
export type Definition = Omit<Launch, 'token' | 'grid' | 'attempts'>

/** Reads the definitions that rows of launches hold: those of many runs are asked for one by one, and most are the same. */
export class Definitions {
  private last: { readonly text: string; readonly definition: Definition } | null = null

  read(text: string): Definition {
    if (text !== this.last?.text) this.last = { text, definition: storedJson(text, 'a definition', 'definition') }
    return this.last.definition
  }
}

/** The error in place of a row that another command has deleted. */
export function wasDeleted(id: number): never {
  throw new UserError(`run ${id} was deleted in the meantime`, 'qanat runs        shows all runs')
}
