import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Dataset } from '../../src/domain/dataset.js'
import { cases } from '../cases.js'
import { anyDataset, anyExperiment, anyNames } from '../project/any-description.js'
import { addRun, end, entryOf, experimentCalled, newStore, openStore } from './stores.js'

const dataset = (name: string): Dataset => ({ name, description: '', path: 'data', tags: [], fingerprint: 'stat' })

/** A database with datasets `iris` and `mnist`, and experiments of these names that read them both. */
function storeWith(...experiments: string[]) {
  const { store } = newStore()
  for (const name of ['iris', 'mnist']) store.datasets.put(entryOf(name), dataset(name))
  for (const name of experiments)
    store.experiments.put(entryOf(name), experimentCalled(name, { datasets: ['mnist', 'iris'] }))
  return store
}

test('datasets and experiments are read as they were written, sorted by name, by any later program', () => {
  const all = fc.tuple(anyNames, anyNames).chain(([datasets, experiments]) => {
    const ofThem = fc.shuffledSubarray(datasets)
    return fc.tuple(
      fc.tuple(...datasets.map(name => anyDataset(fc.constant(name)))),
      fc.tuple(...experiments.map(name => anyExperiment(fc.constant(name), ofThem))),
    )
  })
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)
  fc.assert(
    fc.property(all, ([datasets, experiments]) => {
      const { store, path } = newStore()
      for (const each of datasets) store.datasets.put(entryOf(each.name), each)
      for (const each of experiments) store.experiments.put(entryOf(each.name), each)
      const later = openStore(path)
      expect(later.datasets.list()).toMatchObject(datasets.toSorted(byName))
      for (const each of datasets) expect(later.datasets.find(each.name)).toMatchObject(each)
      const sorted = experiments.toSorted(byName)
      expect(later.experiments.names()).toEqual(sorted.map(each => each.name))
      expect(later.experiments.list()).toMatchObject(sorted.map(experiment => ({ experiment, runs: 0, liveRuns: 0 })))
      for (const each of experiments) expect(later.experiments.find(each.name)).toEqual(each)
      expect([later.datasets.find('no such'), later.experiments.find('no such')]).toEqual([null, null])
    }),
    { numRuns: cases(20) },
  )
})

test('an experiment can be changed and renamed, and keeps its runs and its id', () => {
  const store = storeWith('it')
  const id = store.experiments.id('it')
  addRun(store, 1)
  const changed = experimentCalled('that', { datasets: ['mnist'], tags: ['new'], description: 'two\nlines' })
  store.experiments.rename('it', 'that')
  store.experiments.put(entryOf('that'), changed)
  expect(store.experiments.list()).toEqual([{ id, experiment: changed, runs: 1, liveRuns: 1 }])
  expect(store.experiments.id('that')).toBe(id)
  expect(store.runs.find(1)!.experiment).toBe('that')
})

test('runs come to an experiment that has their new name already', () => {
  const store = storeWith('it', 'that')
  addRun(store, 1)
  addRun(store, 2, { experiment: 'that' })
  store.experiments.rename('it', 'that')
  expect(store.experiments.names()).toEqual(['that'])
  expect(store.runs.list().map(({ experiment }) => experiment)).toEqual(['that', 'that'])
})

test('what a broken file said before stays, with the problem, and a file that could never be read has no thing', () => {
  const { store } = newStore('it')
  const problem = { message: 'it.yaml:1:1: missing', hint: null }
  for (const name of ['it', 'new']) store.experiments.put({ ...entryOf(name), stamp: '2', problem }, null)
  expect(store.experiments.find('it')).toEqual(experimentCalled('it'))
  expect([store.experiments.names(), store.experiments.find('new')]).toEqual([['it'], null])
  expect(store.experiments.entries()).toEqual(
    ['it', 'new'].map(name => ({ name, file: `${name}.yaml`, stamp: '2', problem })),
  )
})

test('an index that is kept in memory begins with that of the file, and is gone with the program', () => {
  const { store, path } = newStore('it')
  store.keepDefinitionsInMemory()
  store.experiments.put(entryOf('that'), experimentCalled('that'))
  expect([store.experiments.names(), openStore(path).experiments.names()]).toEqual([['it', 'that'], ['it']])
})

test('an experiment counts its runs and its live runs, and cannot be deleted while it has any', () => {
  const store = storeWith('a', 'b', 'c')
  for (const [at, experiment] of ['a', 'b', 'b', 'b'].entries()) addRun(store, at + 1, { experiment })
  store.runs.update(3, [{ index: 0, status: { state: 'cancelled', ...end } }], 0, 2)
  const counts = store.experiments.list().map(({ runs, liveRuns }) => [runs, liveRuns])
  expect(counts.join('; ')).toBe('1,1; 3,2; 0,0')
  expect(() => store.experiments.delete('a')).toThrow()
  store.runs.delete(1)
  store.experiments.delete('a')
  expect(store.experiments.names()).toEqual(['b', 'c'])
})
