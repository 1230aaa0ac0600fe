import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { schemaNumber } from '../../src/store/migrations/schema.js'
import type { Store } from '../../src/store/store.js'
import { folderWith } from '../project/temporary.js'
import { launchOf, newStore, openStore, runOf } from './stores.js'

/** A database of each schema that a release had, in order; see test/fixtures/README.md. */
const released = ['live/database.sql']

/** A copy of a released database, opened by the program of today. */
function opened(fixture: string): { store: Store; path: string } {
  const path = join(folderWith(), 'database.db')
  new Database(path).exec(readFileSync(`test/fixtures/${fixture}`, 'utf8')).close()
  return { store: openStore(path), path }
}

function inDatabase<Result>(path: string, read: (database: Database.Database) => Result): Result {
  const database = new Database(path, { readonly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

const statements = (database: Database.Database) =>
  database.prepare('SELECT name, sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name').all()

test('every schema up to that of today has a database', () => {
  expect(released.length).toBe(schemaNumber)
})

describe.each(released)('the database of a release, %s,', fixture => {
  test('has the schema of today, like a new one, and is whole', () => {
    const { store, path } = opened(fixture)
    expect(inDatabase(path, database => database.pragma('user_version', { simple: true }))).toBe(schemaNumber)
    expect(inDatabase(path, statements)).toEqual(inDatabase(newStore().path, statements))
    expect(store.damage()).toEqual([])
    expect(inDatabase(path, database => database.pragma('foreign_key_check'))).toEqual([])
  })

  test('keeps its dataset, its experiment and its document', () => {
    const { store } = opened(fixture)
    const iris = { name: 'iris', description: '', path: 'data/iris.csv', tags: [], fingerprint: 'content' }
    expect(store.datasets.list()).toMatchObject([iris])
    expect(store.experiments.find('it')).toEqual({
      ...{ name: 'it', description: 'Träne, if you can', path: '', executable: 'it.sh', executableCommand: 'sh' },
      ...{
        tags: ['deep', 'two words'],
        datasets: ['iris'],
        passes: [],
        uses: ['it.sh'],
        ignores: null,
        manifest: 'size',
      },
      actions: [{ name: 'count', description: '', executable: 'count.sh', executableCommand: 'sh' }],
      results: {
        metrics: [{ stdout: 'accuracy (?<accuracy>\\S+)' }],
        ...{ best: { accuracy: 'max' }, outputs: ['stdout.txt'] },
      },
    })
    expect(store.documents.list()).toMatchObject([
      { name: 'paper', compileScript: 'compile.sh', dependencies: [{ experiment: 'it', files: ['stdout.txt'] }] },
    ])
  })

  test('keeps its runs with their groups, submissions and what was found out about them', () => {
    const { store } = opened(fixture)
    const states = (id: number) =>
      store.runs
        .groups(id)
        .map(({ index, status: { state, ...place } }) => [index, state, 'jobId' in place && place.jobId])
    const facts = store.runs
      .list()
      .map(({ id, runner, status, tags, description }) => [id, runner, status, tags, description])
    expect(facts).toEqual([
      [4, 'local', 'finished', ['paper'], 'the first'],
      [3, 'htcondor', 'running', [], ''],
      [2, 'slurm', 'running', [], ''],
      [1, 'local', 'running', [], ''],
    ])
    expect(states(1).map(([index, state]) => [index, state])).toEqual([
      [0, 'finished'],
      [1, 'running'],
      [2, 'running'],
    ])
    expect([states(2)[0], states(3)[0]]).toEqual([
      [0, 'finished', '11_0'],
      [0, 'finished', '7.0'],
    ])
    const submissions = [1, 2, 3].map(id => store.runs.launch(id).attempts.map(each => each.submissions))
    expect(submissions).toMatchObject([[[{ count: 5 }]], [[{ id: '11', count: 4 }]], [[{ id: '7', count: 4 }]]])
    expect(store.runs.live().map(({ id }) => id)).toEqual([1, 2, 3])
    expect(store.data.of(4)).toMatchObject([{ name: 'iris', level: 'content', files: 1 }])
    expect(store.environments.of(2)).toMatchObject([{ attempt: 1, host: 'n1' }])
    expect(store.actions.list(4)).toMatchObject([
      { action: 'count', exitCode: 0, made: [{ path: 'results/it/run_4/files.txt' }] },
    ])
  })

  test('keeps the metrics that were read, and reads no group again', () => {
    const { store } = opened(fixture)
    for (const id of [1, 2, 3, 4]) {
      expect([...store.readings.ended(id, 0, 10).metrics][0]).toEqual({ accuracy: 0.9 })
      expect(store.readings.unread(id)).toEqual([])
    }
  })

  test('keeps its deleted run, which can be restored, and gives no id again', () => {
    const { store } = opened(fixture)
    expect(store.runs.deleted().map(({ id }) => id)).toEqual([5])
    store.runs.setDeleted(5, false)
    expect(store.runs.find(5)).toMatchObject({ id: 5, experiment: 'it', status: 'finished' })
    expect(store.runs.lastId()).toBe(5)
    store.runs.insert(6, runOf('it', 2), launchOf('it', 'another'))
    const end = { started: 5, finished: 9, host: null, jobId: null }
    store.runs.update(6, [{ index: 1, status: { state: 'finished', exitCode: 0, ...end } }], 50, 10)
    expect(store.runs.find(6)).toMatchObject({ counts: { pending: 1, finished: 1 }, progress: 50 })
  })
})
