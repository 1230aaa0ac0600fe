import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { onTestFinished } from 'vitest'
import { levels } from '../../src/domain/data/fingerprint.js'
import type { Dataset } from '../../src/domain/dataset.js'
import { type Experiment, manifests, passable } from '../../src/domain/experiment.js'
import { type ExpectedResults, nothingExpected } from '../../src/domain/results/metrics.js'
import type { Attempt, Launch } from '../../src/domain/runs/launch.js'
import { failureCauses, type GroupStatus } from '../../src/domain/runs/run.js'
import type { NewRun } from '../../src/store/runs.js'
import { Store } from '../../src/store/store.js'
import { folderWith } from '../project/temporary.js'

/** A database that nothing has been stored in. It is copied, since its migrations wait for the disk. */
let empty: Buffer | null = null

/** A new database in a folder of its own. */
export function newStore(): { store: Store; path: string } {
  const path = join(folderWith(), 'database.db')
  if (empty === null) {
    Store.open(path, true).close()
    empty = readFileSync(path)
  } else writeFileSync(path, empty)
  return { store: openStore(path), path }
}

/** Closed after the test. */
export function openStore(path: string, create = false): Store {
  const store = Store.open(path, create)
  onTestFinished(() => store.close())
  return store
}

export function experimentCalled(name: string, facts: Partial<Experiment> = {}): Experiment {
  const nothing = { description: '', path: '.', executable: 'it.sh', executableCommand: 'sh' }
  const later = { results: nothingExpected, passes: [], uses: [], ignores: null, manifest: 'size' } as const
  return { name, ...nothing, tags: [], datasets: [], actions: [], ...later, ...facts }
}

export function runOf(experiment: string, groupCount: number, facts: Partial<NewRun> = {}): NewRun {
  return {
    experiment,
    groupCount,
    runner: 'local',
    runnerParameters: { submitTemplate: null, resolved: {}, slots: 1, container: null },
    commit: 'c0ffee',
    dirty: false,
    codeUsed: null,
    codeChanged: null,
    frozen: null,
    storagePath: `results/${experiment}/run`,
    description: '',
    tags: [],
    rerunOf: null,
    launched: 1000,
    started: null,
    host: null,
    ...facts,
  }
}

export function launchOf(experiment: string, token: string, facts: Partial<Launch> = {}): Launch {
  return {
    token,
    grid: { fixed: { args: [] }, groups: [], axes: [] },
    experiment: experimentCalled(experiment),
    datasetPaths: [],
    tree: null,
    uncountedFiles: [],
    attempts: [attemptOf(1)],
    ...facts,
  }
}

export function attemptOf(attempt: number, facts: Partial<Attempt> = {}): Attempt {
  const launched = { submitTemplate: null, resolved: {}, launched: 1000, launcher: null }
  return { attempt, groups: null, ...launched, complete: false, cancelled: null, submissions: [], ...facts }
}

/** Text as users write it, which may hold whatever SQL or JSON would stumble over. */
export const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom("it's", '"', '?', '%', "'; DROP TABLE runs", ''),
)
const anyTexts = fc.array(anyText, { maxLength: 4 })
/** Names that the program lets pass are of other characters, but no table relies on that. */
export const anyNames = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9][\w.-]{0,6}$/), { minLength: 1, maxLength: 6 })

export function anyDataset(name: string): fc.Arbitrary<Dataset> {
  const described = { name: fc.constant(name), description: anyText, path: anyText, tags: anyTexts }
  return fc.record({ ...described, fingerprint: fc.constantFrom(...levels) })
}

/** Anything that an experiment can say of its results. */
const anyResults: fc.Arbitrary<ExpectedResults> = fc.record({
  metrics: fc.array(fc.oneof(fc.record({ file: anyText, step: fc.option(anyText) }), fc.record({ stdout: anyText })), {
    maxLength: 3,
  }),
  best: fc.dictionary(anyText, fc.constantFrom('max', 'min'), { maxKeys: 3 }),
  outputs: anyTexts,
})

/** @param datasets that there are */
export function anyExperiment(name: string, datasets: readonly string[]): fc.Arbitrary<Experiment> {
  const action = fc.record({ name: anyText, description: anyText, executable: anyText, executableCommand: anyText })
  return fc.record({
    name: fc.constant(name),
    description: anyText,
    path: anyText,
    executable: anyText,
    executableCommand: anyText,
    tags: anyTexts,
    datasets: fc.shuffledSubarray([...datasets]),
    actions: fc.array(action, { maxLength: 3 }),
    results: anyResults,
    passes: fc.subarray([...passable]),
    uses: anyTexts,
    ignores: fc.option(anyTexts),
    manifest: fc.constantFrom(...manifests),
  })
}

const time = fc.integer({ min: 1, max: 4_000_000_000_000 })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 })
const end = { started: maybe(time), finished: maybe(time), host: maybe(anyText), jobId: maybe(anyText) }

/** Any status that a group can have. */
export const anyStatus: fc.Arbitrary<GroupStatus> = fc.oneof(
  fc.record({ state: fc.constant('pending' as const) }),
  fc.record({ state: fc.constant('held' as const), reason: maybe(anyText) }),
  fc.record(
    {
      ...{ state: fc.constant('running' as const), started: time, host: maybe(anyText), jobId: maybe(anyText) },
      suspended: fc.constant(true as const),
    },
    { requiredKeys: ['state', 'started', 'host', 'jobId'] },
  ),
  fc.record({ state: fc.constant('finished' as const), exitCode: fc.constant(0 as const), ...end }),
  fc.record({
    state: fc.constant('failed' as const),
    cause: fc.constantFrom(...failureCauses),
    exitCode: maybe(fc.nat({ max: 255 })),
    signal: maybe(fc.constantFrom('SIGKILL', 'SIGTERM')),
    ...end,
  }),
  fc.record({ state: fc.constant('cancelled' as const), ...end }),
  fc.record({ state: fc.constant('lost' as const), cause: fc.constantFrom('vanished', 'never_started'), ...end }),
)
