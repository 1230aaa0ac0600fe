import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Launch } from '../domain/runs/launch.js'
import type { GroupReport, Run } from '../domain/runs/run.js'
import { checkName } from '../domain/text/names.js'

/** What the folder of a run says of it: enough to put it back into a database. */
export interface RecordedRun extends Omit<Run, 'status' | 'awaiting' | 'started' | 'finished' | 'progress' | 'asOf'> {
  readonly groupCount: number
  readonly launch: Launch
  /** Groups whose end their own records may not tell; none in those of version 0.1. */
  readonly groups: readonly GroupReport[]
}

const name = v.pipe(
  v.string(),
  v.check(text => checkName('experiment', text) !== ''),
)
const strings = v.array(v.string())
const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const part = v.looseObject({ args: strings })

/** Of what is only kept and handed on, no more is checked than that it is there. */
const schema = v.looseObject({
  format: v.literal(1),
  id: count,
  experiment: name,
  runner: v.picklist(['local', 'slurm', 'htcondor']),
  runnerParameters: v.looseObject({}),
  commit: v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/)),
  dirty: v.boolean(),
  codeChanged: v.nullable(v.boolean()),
  frozen: v.nullable(v.pipe(v.string(), v.regex(/^\.qanat\/cache\/[\w-]+$/))),
  description: v.string(),
  tags: strings,
  launched: v.number(),
  host: v.nullable(v.string()),
  groupCount: count,
  counts: v.record(v.string(), v.number()),
  launch: v.looseObject({
    token: v.pipe(v.string(), v.uuid()),
    grid: v.looseObject({ fixed: part, groups: v.array(part), axes: v.array(v.looseObject({})) }),
    experiment: v.looseObject({ executable: v.string(), datasets: strings }),
    datasetPaths: strings,
    uncountedFiles: strings,
    links: v.optional(strings, []),
    attempts: v.optional(v.array(v.looseObject({ attempt: count, submissions: v.array(v.looseObject({})) }))),
    // Version 0.1 wrote these instead of attempts.
    launcher: v.optional(v.unknown()),
    handles: v.optional(v.array(v.looseObject({ id: v.string() })), []),
    retries: v.optional(v.array(v.looseObject({ attempt: count, groups: v.array(v.number()) })), []),
  }),
  groups: v.optional(v.array(v.looseObject({ index: v.number(), status: v.looseObject({ state: v.string() }) })), []),
})

/** What `.run/run.yaml` in the folder of a run says; null where there is none, or something else. */
export function readRunYaml(folder: string): RecordedRun | null {
  try {
    // It is JSON, which YAML contains, and is read a hundred times as fast.
    const result = v.safeParse(schema, JSON.parse(readFileSync(join(folder, '.run/run.yaml'), 'utf8')))
    return result.success ? withAttempts(result.output) : null
  } catch {
    return null
  }
}

/** The record of a run, whatever version of the program wrote it. */
function withAttempts(record: v.InferOutput<typeof schema>): RecordedRun {
  const { launcher, handles, retries, ...launch } = record.launch
  const attempts = launch.attempts ?? olderAttempts(record)
  return { ...record, launch: { ...launch, attempts } } as unknown as RecordedRun
}

function olderAttempts({ launch, runnerParameters, launched, groupCount }: v.InferOutput<typeof schema>) {
  const { submitTemplate = null, resolved = {} } = runnerParameters
  const first = { attempt: 1, groups: null, submitTemplate, resolved, launched }
  return [first, ...launch.retries].map(attempt => ({
    ...attempt,
    launcher: launch.launcher ?? null,
    complete: false,
    cancelled: null,
    submissions: launch.handles
      .map(handle => ({ attempt: 1, first: 0, count: groupCount, data: {}, ...handle }))
      .filter(handle => handle.attempt === attempt.attempt)
      .map(({ first, count, id, data }) => ({ first, count, id, data })),
  }))
}
