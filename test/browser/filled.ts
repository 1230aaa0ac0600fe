import { join } from 'node:path'
import type { Metrics } from '../../src/domain/results/metrics.js'
import { Store } from '../../src/store/store.js'
import type { Folder } from '../e2e/project.js'
import { launchOf, runOf } from '../store/stores.js'

type Axes = readonly (readonly [option: string, count: number])[]

const end = { started: 1_700_000_000_000, finished: 1_700_000_009_000, host: 'n1', jobId: null }
const finished = { state: 'finished', exitCode: 0, ...end } as const
const failed = { state: 'failed', cause: 'exit', exitCode: 1, signal: null, ...end } as const

/** Adds so many finished runs of a group, and one of as many groups, of which every second has failed. */
export function addRuns(folder: Folder, count: number): void {
  inStore(folder, store => {
    for (let id = 1; id <= count; id++) {
      store.runs.insert(id, runOf('it', 1, { storagePath: `results/it/run_${id}` }), launchOf('it', `token ${id}`))
      store.runs.update(id, [{ index: 0, status: finished }], 100, end.finished)
    }
    addRun(store, count + 1, [['--seed', count]], index => (index % 2 === 0 ? finished : failed))
  })
}

/**
 * Adds run 1, whose groups have all finished and left metrics.
 * @param axes the options that vary, each over as many numbers from 0; the last one varies fastest
 */
export function addMeasuredRun(folder: Folder, axes: Axes, metricsAt: (index: number) => Metrics): void {
  inStore(folder, store => {
    addRun(store, 1, axes, () => finished)
    store.readings.setSources(1, '[]', { gone: [], unreadable: [] })
    const readings = store.readings
      .unread(1)
      .map(group => ({ ...group, metrics: metricsAt(group.index), warnings: [] }))
    store.readings.put(1, readings)
  })
}

function inStore(folder: Folder, work: (store: Store) => void): void {
  const store = Store.open(join(folder.path, '.qanat/database.db'))
  store.transaction(() => work(store))
  store.close()
}

function addRun(store: Store, id: number, axes: Axes, statusAt: (index: number) => typeof finished | typeof failed) {
  const total = axes.reduce((product, [, count]) => product * count, 1)
  const ranges = axes.map(([option, count]) => ({ option, start: '0', step: '1', count }))
  const grid = { fixed: { args: [] }, groups: [], axes: ranges }
  store.runs.insert(id, runOf('it', total), launchOf('it', `token ${id}`, { grid: grid as never }))
  const reports = Array.from({ length: total }, (_, index) => ({ index, status: statusAt(index) }))
  store.runs.update(id, reports, 100, end.finished)
}
