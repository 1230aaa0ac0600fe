import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import type { Container } from '../domain/container.js'
import type { Fingerprint } from '../domain/data/fingerprint.js'
import type { Experiment } from '../domain/experiment.js'
import type { ParameterGrid } from '../domain/parameters/grid.js'
import { privateMode } from '../domain/private-mode.js'
import { totalOf } from '../domain/runs/aggregate.js'
import type { Attempt, Launch } from '../domain/runs/launch.js'
import { type GroupReport, type GroupStatus, groupStates, type Run } from '../domain/runs/run.js'
import { checkName } from '../domain/text/names.js'
import { atomicWrite } from '../system/files.js'

type Mapping = Readonly<Record<string, unknown>>

const name = v.pipe(
  v.string(),
  v.check(text => checkName('experiment', text) !== ''),
)
const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const time = v.nullable(v.number())
const strings = v.pipe(v.array(v.string()), v.readonly())
const given = v.union([v.string(), v.pipe(v.array(v.string()), v.minLength(1))])
const part = v.looseObject({ args: v.array(given) })

/** A value that is passed on unchanged: only this shape is checked. */
function kept<Value>(shape: v.GenericSchema) {
  return v.custom<Value>(value => v.is(shape, value))
}

/** Format 1 of `.run/run.yaml`. The keys are fixed by the file, even if names in the program change. */
const schema = v.object({
  format: v.literal(1),
  id: count,
  experiment: name,
  status: v.picklist(groupStates),
  counts: v.object(v.entriesFromList(groupStates, v.number())),
  awaiting: v.number(),
  site: v.pipe(v.string(), v.nonEmpty()),
  runner: v.pipe(v.string(), v.nonEmpty()),
  runnerParameters: v.object({
    submitTemplate: v.nullable(v.string()),
    resolved: kept<Mapping>(v.looseObject({})),
    slots: v.nullable(v.number()),
    container: v.nullable(kept<Container>(v.looseObject({ image: v.string() }))),
  }),
  commit: v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/)),
  dirty: v.boolean(),
  codeUsed: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
  codeChanged: v.nullable(v.boolean()),
  frozen: v.nullable(v.pipe(v.string(), v.regex(/^\.qanat\/cache\/[\w-]+$/))),
  storagePath: v.string(),
  description: v.string(),
  tags: strings,
  rerunOf: v.nullable(count),
  fillOf: v.nullable(count),
  retired: v.nullable(v.object({ at: v.number(), why: v.string() })),
  launched: v.number(),
  started: time,
  finished: time,
  progress: v.nullable(v.number()),
  asOf: v.number(),
  host: v.nullable(v.string()),
  groupCount: count,
  launch: v.object({
    token: v.pipe(v.string(), v.uuid()),
    grid: kept<ParameterGrid>(v.looseObject({ fixed: part, groups: v.array(part), axes: v.array(v.looseObject({})) })),
    experiment: kept<Experiment>(
      v.looseObject({
        ...{ executable: v.string(), datasets: v.array(v.string()), results: v.looseObject({}) },
        ...{ passes: v.array(v.string()), uses: v.array(v.string()), manifest: v.string() },
      }),
    ),
    datasetPaths: strings,
    tree: v.nullable(v.string()),
    uncountedFiles: strings,
    attempts: kept<readonly Attempt[]>(
      v.array(v.looseObject({ attempt: count, submissions: v.array(v.looseObject({ id: v.string() })) })),
    ),
  }),
  data: kept<readonly Fingerprint[]>(
    v.array(v.looseObject({ name: v.string(), level: v.string(), taken: v.number() })),
  ),
  /** Groups that ended without finishing; the ends of the others are in their journals. */
  groups: v.pipe(
    v.array(
      v.object({
        index: v.number(),
        status: kept<GroupStatus>(v.looseObject({ state: v.picklist(groupStates) })),
        attempt: v.exactOptional(v.number()),
        restarts: v.exactOptional(v.number()),
        awaiting: v.exactOptional(v.number()),
      }),
    ),
    v.readonly(),
  ),
})

/** The record of a run in its folder: enough to add the run to a new database. */
export type RunRecord = v.InferOutput<typeof schema>

/**
 * The text of `.run/run.yaml`; it is JSON, which YAML contains.
 * @param groups that ended without finishing
 * @param data what it read
 */
export function recordText(
  run: Omit<Run, 'dealing'>,
  launch: Launch,
  groups: readonly GroupReport[],
  data: readonly Fingerprint[],
): string {
  const { submitTemplate, resolved, slots, container } = run.runnerParameters
  const record: RunRecord = {
    format: 1,
    id: run.id,
    experiment: run.experiment,
    status: run.status,
    counts: run.counts,
    awaiting: run.awaiting,
    site: run.site,
    runner: run.runner,
    runnerParameters: { submitTemplate, resolved, slots, container },
    commit: run.commit,
    dirty: run.dirty,
    codeUsed: run.codeUsed,
    codeChanged: run.codeChanged,
    frozen: run.frozen,
    storagePath: run.storagePath,
    description: run.description,
    tags: run.tags,
    rerunOf: run.rerunOf,
    fillOf: run.fillOf,
    retired: run.retired,
    launched: run.launched,
    started: run.started,
    finished: run.finished,
    progress: run.progress,
    asOf: run.asOf,
    host: run.host,
    groupCount: totalOf(run.counts),
    launch: {
      token: launch.token,
      grid: launch.grid,
      experiment: launch.experiment,
      datasetPaths: launch.datasetPaths,
      tree: launch.tree,
      uncountedFiles: launch.uncountedFiles,
      attempts: launch.attempts,
    },
    data,
    groups,
  }
  return `${JSON.stringify(record, null, 2)}\n`
}

/** Reads the record of a run; null if there is none that can be read. @param folder absolute */
export function readRecord(folder: string): RunRecord | null {
  try {
    // JSON is parsed a hundred times as fast as YAML.
    const result = v.safeParse(schema, JSON.parse(readFileSync(recordFile(folder), 'utf8')))
    return result.success ? result.output : null
  } catch {
    return null
  }
}

/**
 * Updates the record in the folder of a run. A folder that was deleted is not made again, and anything else in its place
 * is left alone.
 * @param folder absolute
 */
export function renewRecord(folder: string, ...written: Parameters<typeof recordText>): void {
  if (!isRealFolder(join(folder, '.run')) || !holdsRun(folder, written[1].token)) return
  try {
    atomicWrite(recordFile(folder), recordText(...written), privateMode(process.umask()))
  } catch (error) {
    // The script may be removing its folder at this moment.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/**
 * True for the folder that the run with this token has made, even if it was moved. Another folder in its place, or the
 * target of a link there, does not count.
 * @param folder absolute
 */
export function holdsRun(folder: string, token: string): boolean {
  const record = recordFile(folder)
  // A launch may have been killed at this point.
  if (!existsSync(record)) return isRealFolder(join(folder, '.run'))
  try {
    return JSON.parse(readFileSync(record, 'utf8')).launch.token === token
  } catch {
    // A damaged record still counts, unless it is reached through a link.
    return realpathSync(dirname(record)) === dirname(record)
  }
}

function recordFile(folder: string): string {
  return join(folder, '.run/run.yaml')
}

/** True for a folder, but not for a link to one. */
function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
