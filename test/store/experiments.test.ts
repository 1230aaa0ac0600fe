import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Dataset } from '../../src/domain/dataset.js'
import { cases } from '../cases.js'
import {
  anyDataset,
  anyExperiment,
  anyNames,
  experimentCalled,
  launchOf,
  newStore,
  openStore,
  runOf,
} from './stores.js'

const dataset = (name: string): Dataset => ({ name, description: '', path: 'data', tags: [], fingerprint: 'stat' })

describe('datasets', () => {
  test('are read as they were written, sorted by name, by any later program', () => {
    const all = anyNames.chain(names => fc.tuple(...names.map(anyDataset)))
    fc.assert(
      fc.property(all, datasets => {
        const { store, path } = newStore()
        for (const each of datasets) store.datasets.insert(each)
        const later = openStore(path)
        const sorted = [...datasets].sort((a, b) => (a.name < b.name ? -1 : 1))
        expect(later.datasets.list()).toMatchObject(sorted)
        for (const each of datasets) expect(later.datasets.find(each.name)).toMatchObject(each)
        expect(later.datasets.find('no such')).toBeNull()
      }),
      { numRuns: cases(20) },
    )
  })

  test('can be changed and renamed, and experiments refer to the new ones', () => {
    const { store } = newStore()
    for (const name of ['iris', 'mnist']) store.datasets.insert(dataset(name))
    store.experiments.insert(experimentCalled('it', { datasets: ['mnist', 'iris'] }))
    const changed: Dataset = {
      ...{ name: 'flowers', description: "it's", path: '/data', tags: ['a b', ''] },
      fingerprint: 'content',
    }
    store.datasets.update('iris', changed)
    expect(store.datasets.list()).toEqual([
      { id: 1, ...changed },
      { id: 2, ...dataset('mnist') },
    ])
    expect(store.experiments.find('it')!.datasets).toEqual(['mnist', 'flowers'])
  })

  test('know the experiments that read them, and can be deleted when none does', () => {
    const { store } = newStore()
    for (const name of ['iris', 'mnist']) store.datasets.insert(dataset(name))
    for (const name of ['b', 'a']) store.experiments.insert(experimentCalled(name, { datasets: ['iris'] }))
    expect(store.datasets.users('iris')).toEqual(['a', 'b'])
    expect(store.datasets.users('mnist')).toEqual([])
    store.datasets.delete('mnist')
    expect(() => store.datasets.delete('iris')).toThrow()
    expect(store.datasets.list()).toMatchObject([dataset('iris')])
  })

  test('have names of their own', () => {
    const { store } = newStore()
    store.datasets.insert(dataset('iris'))
    expect(() => store.datasets.insert(dataset('iris'))).toThrow()
  })
})

describe('experiments', () => {
  test('are read as they were written, by any later program', () => {
    const all = fc
      .tuple(anyNames, anyNames)
      .chain(([datasets, names]) =>
        fc.tuple(fc.constant(datasets), fc.tuple(...names.map(name => anyExperiment(name, datasets)))),
      )
    fc.assert(
      fc.property(all, ([datasets, experiments]) => {
        const { store, path } = newStore()
        for (const name of datasets) store.datasets.insert(dataset(name))
        for (const each of experiments) store.experiments.insert(each)
        const later = openStore(path)
        const sorted = [...experiments].sort((a, b) => (a.name < b.name ? -1 : 1))
        expect(later.experiments.names()).toEqual(sorted.map(each => each.name))
        expect(later.experiments.list()).toMatchObject(sorted.map(experiment => ({ experiment, runs: 0, liveRuns: 0 })))
        for (const each of experiments) expect(later.experiments.find(each.name)).toEqual(each)
        expect(later.experiments.find('no such')).toBeNull()
      }),
      { numRuns: cases(20) },
    )
  })

  test('can be changed and renamed, and keep their runs', () => {
    const { store } = newStore()
    for (const name of ['iris', 'mnist']) store.datasets.insert(dataset(name))
    store.experiments.insert(experimentCalled('it', { datasets: ['iris', 'mnist'] }))
    const id = store.experiments.id('it')
    store.runs.insert(1, runOf('it', 2), launchOf('it', 'token'))
    const changed = experimentCalled('that', { datasets: ['mnist'], tags: ['new'], description: 'two\nlines' })
    store.experiments.update('it', changed)
    expect(store.experiments.list()).toEqual([{ id, experiment: changed, runs: 1, liveRuns: 1 }])
    expect(store.experiments.id('that')).toBe(id)
    expect(store.runs.find(1)!.experiment).toBe('that')
  })

  test('count their runs and their live runs', () => {
    const { store } = newStore()
    for (const name of ['a', 'b', 'c']) store.experiments.insert(experimentCalled(name))
    for (const [id, name] of [
      [1, 'a'],
      [2, 'b'],
      [3, 'b'],
      [4, 'b'],
    ] as const) {
      store.runs.insert(id, runOf(name, 1), launchOf(name, `token ${id}`))
    }
    const end = { started: 1, finished: 2, host: null, jobId: null }
    store.runs.update(3, [{ index: 0, status: { state: 'cancelled', ...end } }], 0, 2)
    expect(store.experiments.list().map(({ runs, liveRuns }) => [runs, liveRuns])).toEqual([
      [1, 1],
      [3, 2],
      [0, 0],
    ])
  })

  test('are deleted with their references, but never while they have runs', () => {
    const { store } = newStore()
    store.datasets.insert(dataset('iris'))
    store.experiments.insert(experimentCalled('it', { datasets: ['iris'] }))
    store.runs.insert(1, runOf('it', 1), launchOf('it', 'token'))
    expect(() => store.experiments.delete('it')).toThrow()
    store.runs.delete(1)
    store.experiments.delete('it')
    expect([store.experiments.list(), store.datasets.users('iris')]).toEqual([[], []])
  })
})
