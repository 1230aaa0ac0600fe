import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Dataset } from '../../src/domain/dataset.js'
import { cases } from '../cases.js'
import { anyDataset, anyExperiment, anyNames } from '../project/any-description.js'
import { addRun, end, experimentCalled, newStore, openStore } from './stores.js'

const dataset = (name: string): Dataset => ({ name, description: '', path: 'data', tags: [], fingerprint: 'stat' })

/** A database with datasets `iris` and `mnist`, and experiments of these names that read them both. */
function storeWith(...experiments: string[]) {
  const { store } = newStore()
  for (const name of ['iris', 'mnist']) store.datasets.insert(dataset(name))
  for (const name of experiments) store.experiments.insert(experimentCalled(name, { datasets: ['mnist', 'iris'] }))
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
      for (const each of datasets) store.datasets.insert(each)
      for (const each of experiments) store.experiments.insert(each)
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

test('a dataset can be changed and renamed, and experiments refer to the new one', () => {
  const store = storeWith('it')
  const described = { name: 'flowers', description: "it's", path: '/data', tags: ['a b', ''] }
  const changed: Dataset = { ...described, fingerprint: 'content' }
  store.datasets.update('iris', changed)
  expect(store.datasets.list()).toMatchObject([changed, dataset('mnist')])
  expect(store.experiments.find('it')!.datasets).toEqual(['mnist', 'flowers'])
})

test('a dataset knows the experiments that read it, and can be deleted when none does', () => {
  const store = storeWith('b', 'a')
  expect(store.datasets.users('iris')).toEqual(['a', 'b'])
  expect(() => store.datasets.delete('iris')).toThrow()
  for (const name of ['a', 'b']) store.experiments.delete(name)
  expect(store.datasets.users('iris')).toEqual([])
  store.datasets.delete('iris')
  expect(store.datasets.list()).toMatchObject([dataset('mnist')])
})

test('a second dataset of a name is refused', () => {
  expect(() => storeWith().datasets.insert(dataset('iris'))).toThrow()
})

test('an experiment can be changed and renamed, and keeps its runs', () => {
  const store = storeWith('it')
  const id = store.experiments.id('it')
  addRun(store, 1)
  const changed = experimentCalled('that', { datasets: ['mnist'], tags: ['new'], description: 'two\nlines' })
  store.experiments.update('it', changed)
  expect(store.experiments.list()).toEqual([{ id, experiment: changed, runs: 1, liveRuns: 1 }])
  expect(store.experiments.id('that')).toBe(id)
  expect(store.runs.find(1)!.experiment).toBe('that')
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
