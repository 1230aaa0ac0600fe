import type { Experiment } from '../experiment.js'
import type { ParameterGrid } from '../parameters/grid.js'

/** The full description of a launch: enough to launch it again. */
export interface Launch {
  readonly token: string
  readonly grid: ParameterGrid
  /** The experiment at the time of the launch. */
  readonly experiment: Experiment
  /** Absolute dataset paths that were passed to the script, in order. */
  readonly datasetPaths: readonly string[]
  /** Git object with the content of a dirty tree; null for a clean one. */
  readonly tree: string | null
  /** Files whose changes did not count, as stored paths. */
  readonly uncountedFiles: readonly string[]
  /** The first launch and the retries that were submitted, in order. */
  readonly attempts: readonly Attempt[]
}

/** One launch of groups of a run. Attempts are numbered from 1, and a number is never used again. */
export interface Attempt extends NewAttempt {
  readonly attempt: number
  /** Whether nothing more will be submitted for it. */
  readonly complete: boolean
  /** When it was cancelled, in milliseconds since the epoch; null if it was not. */
  readonly cancelled: number | null
  /** In the order of their groups. */
  readonly submissions: readonly Submission[]
}

/** An attempt before anything is submitted. */
export interface NewAttempt {
  /** Indices in ascending order; null for all groups of the run. */
  readonly groups: readonly number[] | null
  readonly submitTemplate: string | null
  /** The resolved template, with only the names of its variables. */
  readonly resolved: Readonly<Record<string, unknown>>
  /** Milliseconds since the epoch. */
  readonly launched: number
  /** The program that launches it, which may still be running, and its project, as JSON. */
  readonly launcher: unknown
}

/** Something that was submitted: a pool, a job array, a cluster of jobs. */
export interface Submission {
  /**
   * Position of its first group among those of the attempt, from 0. A later submission of jobs that had not reached all their groups
   * has a number above all positions, which no other has; see {@link spanOf}.
   */
  readonly first: number
  readonly count: number
  /** The id that the user sees: a process or job id. */
  readonly id: string
  /** Data of the runner. */
  readonly data: Readonly<Record<string, string | number | null>>
}

/** The groups of a submission, by position, and how many each of its jobs has; null if each group is a job of its own. */
export interface Span {
  readonly first: number
  readonly count: number
  readonly pack: number | null
  /** The numbers of its jobs among those of the span; null for all. */
  readonly jobs: readonly number[] | null
}

/** The groups of a submission. A later one names the span of the one before, and which of its jobs are submitted again. */
export function spanOf({ first, count, data }: Pick<Submission, 'first' | 'count' | 'data'>): Span {
  const pack = typeof data.pack === 'number' ? data.pack : null
  if (typeof data.jobs !== 'string') return { first, count, pack, jobs: null }
  return { first: Number(data.from), count, pack, jobs: data.jobs.split(',').map(Number) }
}

/** The numbers of the jobs of a submission, in its span. */
export function jobsOf({ count, pack, jobs }: Span): readonly number[] {
  return jobs ?? Array.from({ length: Math.ceil(count / (pack ?? 1)) }, (_, job) => job)
}

/** The positions of the groups of a job among those of the attempt. */
export function* positionsOf({ first, count, pack }: Span, job: number): Generator<number> {
  const size = pack ?? 1
  const end = first + Math.min((job + 1) * size, count)
  for (let position = first + job * size; position < end; position++) yield position
}

/** Indices of all groups of a submission. */
export function groupsOf(submission: Submission & { readonly indices: readonly number[] | null }): number[] {
  const span = spanOf(submission)
  const positions = jobsOf(span).flatMap(job => [...positionsOf(span, job)])
  return positions.map(position => submission.indices?.[position] ?? position)
}

/** Maps a group to the attempt in which it was launched last. */
export function lastAttempts(attempts: readonly Attempt[]): (index: number) => number {
  const later = attempts
    .filter(({ groups }) => groups !== null)
    .map(({ attempt, groups }) => ({ attempt, groups: new Set(groups) }))
    .reverse()
  return index => later.find(({ groups }) => groups.has(index))?.attempt ?? 1
}
