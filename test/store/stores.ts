import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { onTestFinished } from 'vitest'
import type { Experiment } from '../../src/domain/experiment.js'
import { nothingExpected } from '../../src/domain/results/metrics.js'
import type { Attempt, Launch } from '../../src/domain/runs/launch.js'
import { failureCauses, type GroupReport, type GroupStatus } from '../../src/domain/runs/run.js'
import type { Entry } from '../../src/store/registry/definitions.js'
import type { NewRun } from '../../src/store/runs.js'
import { Store } from '../../src/store/store.js'
import { anyText } from '../project/any-description.js'
import { folderWith } from '../project/temporary.js'

/** A database that nothing has been stored in. It is copied, since its migrations wait for the disk. */
let empty: Buffer | null = null

/** A new database in a folder of its own, with these experiments. */
export function newStore(...experiments: string[]): { store: Store; path: string } {
  const path = join(folderWith(), 'database.db')
  if (empty === null) {
    Store.open(path, true).close()
    empty = readFileSync(path)
  } else writeFileSync(path, empty)
  const store = openStore(path)
  for (const name of experiments) store.experiments.put(entryOf(name), experimentCalled(name))
  return { store, path }
}

/** What the index knows of a definition besides what it says, if that can be used. */
export function entryOf(name: string): Entry {
  return { name, file: `${name}.yaml`, stamp: '1', problem: null }
}

/** A database with a run 1, of an experiment `it` and so many groups, of which this is known. */
export function storeWithRun(groupCount: number, known: readonly GroupReport[] = []): { store: Store; path: string } {
  const { store, path } = newStore()
  // Each transaction waits for the disk.
  store.transaction(() => {
    store.experiments.put(entryOf('it'), experimentCalled('it'))
    addRun(store, 1, { groupCount })
    store.runs.update(1, known, null, 1)
  })
  return { store, path }
}

/** Groups that have these states, from the first one on. */
export function reportsOf(statuses: readonly GroupStatus[]): GroupReport[] {
  return statuses.map((status, index) => ({ index, status }))
}

/** Adds a run of one group, if the facts do not say otherwise. */
export function addRun(store: Store, id: number, facts: Partial<NewRun> = {}): void {
  const { experiment = 'it', groupCount = 1 } = facts
  store.runs.insert(id, runOf(experiment, groupCount, facts), launchOf(experiment, `token ${id}`))
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
    ...{
      experiment,
      groupCount,
      site: 'here',
      runner: 'local',
      storagePath: `results/${experiment}/run`,
      description: '',
      tags: [],
    },
    runnerParameters: { submitTemplate: null, resolved: {}, slots: 1, container: null },
    ...{
      commit: 'c0ffee',
      dirty: false,
      codeUsed: null,
      codeChanged: null,
      frozen: null,
      rerunOf: null,
      fillOf: null,
      retired: null,
    },
    ...{ launched: 1000, started: null, host: null, ...facts },
  }
}

export function launchOf(experiment: string, token: string, facts: Partial<Launch> = {}): Launch {
  const grid = { fixed: { args: [] }, groups: [], axes: [] }
  const code = { datasetPaths: [], tree: null, uncountedFiles: [] }
  return { token, grid, experiment: experimentCalled(experiment), ...code, attempts: [attemptOf(1)], ...facts }
}

export function attemptOf(attempt: number, facts: Partial<Attempt> = {}): Attempt {
  const launched = { submitTemplate: null, resolved: {}, launched: 1000, launcher: null }
  return { attempt, groups: null, ...launched, complete: false, cancelled: null, submissions: [], ...facts }
}

/** When and where a group ended, and one that has finished. */
export const end = { started: 5, finished: 9, host: null, jobId: null }
export const finished = { state: 'finished', exitCode: 0, ...end } as const

const time = fc.integer({ min: 1, max: 4_000_000_000_000 })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 })
const place = { host: maybe(anyText), jobId: maybe(anyText) }
const anyEnd = { started: maybe(time), finished: maybe(time), ...place }
const running = { state: fc.constant('running' as const), started: time, ...place }

/** Any status that a group can have. */
export const anyStatus: fc.Arbitrary<GroupStatus> = fc.oneof(
  fc.record({ state: fc.constant('pending' as const) }),
  fc.record({ state: fc.constant('held' as const), reason: maybe(anyText) }),
  fc.record(running),
  fc.record({ ...running, suspended: fc.constant(true as const) }),
  fc.record({ state: fc.constant('finished' as const), exitCode: fc.constant(0 as const), ...anyEnd }),
  fc.record({
    state: fc.constant('failed' as const),
    cause: fc.constantFrom(...failureCauses),
    exitCode: maybe(fc.nat({ max: 255 })),
    signal: maybe(fc.constantFrom('SIGKILL', 'SIGTERM')),
    ...anyEnd,
  }),
  fc.record({ state: fc.constant('cancelled' as const), ...anyEnd }),
  fc.record({ state: fc.constant('lost' as const), cause: fc.constantFrom('vanished', 'never_started'), ...anyEnd }),
)
