import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { schemaNumber } from '../../src/store/migrations/schema.js'
import type { Store } from '../../src/store/store.js'
import { folderWith } from '../project/temporary.js'
import { addRun, finished, newStore, openStore } from './stores.js'

/** A database of each schema that a release had, in order; see test/fixtures/README.md. */
const released = ['live/database.sql']

/** A copy of a released database, opened by the program of today. */
function opened(fixture: string): { store: Store; path: string } {
  const path = join(folderWith(), 'database.db')
  new Database(path).exec(readFileSync(`test/fixtures/${fixture}`, 'utf8')).close()
  return { store: openStore(path), path }
}

/** The rows that a database answers. */
function rows(path: string, sql: string): unknown[] {
  const database = new Database(path, { readonly: true })
  onTestFinished(() => void database.close())
  return database.prepare(sql).all()
}

test('every schema up to that of today has a database', () => {
  expect(released.length).toBe(schemaNumber)
})

describe.each(released)('the database of a release, %s,', fixture => {
  test('has the schema of today, like a new one, and is whole', () => {
    const { store, path } = opened(fixture)
    const statements = 'SELECT name, sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name'
    expect(rows(path, statements)).toEqual(rows(newStore().path, statements))
    expect(rows(path, 'PRAGMA user_version')).toEqual([{ user_version: schemaNumber }])
    expect(store.damage()).toEqual([])
    expect(rows(path, 'PRAGMA foreign_key_check')).toEqual([])
  })

  test('keeps its dataset, its experiment and its document', () => {
    const { store } = opened(fixture)
    const metrics = [{ stdout: 'accuracy (?<accuracy>\\S+)' }]
    const results = { metrics, best: { accuracy: 'max' }, outputs: ['stdout.txt'] }
    const iris = { name: 'iris', description: '', path: 'data/iris.csv', tags: [], fingerprint: 'content' }
    expect(store.datasets.list()).toMatchObject([iris])
    expect(store.experiments.find('it')).toEqual({
      ...{ name: 'it', description: 'Träne, if you can', path: '', executable: 'it.sh', executableCommand: 'sh' },
      ...{ tags: ['deep', 'two words'], datasets: ['iris'], passes: [], uses: ['it.sh'], ignores: null },
      ...{ manifest: 'size', results },
      actions: [{ name: 'count', description: '', executable: 'count.sh', executableCommand: 'sh' }],
    })
    expect(store.documents.list()).toMatchObject([
      { name: 'paper', compileScript: 'compile.sh', dependencies: [{ experiment: 'it', files: ['stdout.txt'] }] },
    ])
  })

  test('keeps its runs with their groups, submissions and what was found out about them', () => {
    const { store } = opened(fixture)
    const facts = store.runs.list().map(each => [each.id, each.runner, each.status, each.tags, each.description])
    expect(facts).toEqual([
      [4, 'local', 'finished', ['paper'], 'the first'],
      [3, 'htcondor', 'running', [], ''],
      [2, 'slurm', 'running', [], ''],
      [1, 'local', 'running', [], ''],
    ])
    expect(store.runs.groups(1).map(({ status }) => status.state)).toEqual(['finished', 'running', 'running'])
    expect(store.runs.groups(2)[0]).toMatchObject({ index: 0, status: { state: 'finished', jobId: '11_0' } })
    expect(store.runs.groups(3)[0]).toMatchObject({ index: 0, status: { state: 'finished', jobId: '7.0' } })
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
    addRun(store, 6, { groupCount: 2 })
    store.runs.update(6, [{ index: 1, status: finished }], 50, 10)
    expect(store.runs.find(6)).toMatchObject({ counts: { pending: 1, finished: 1 }, progress: 50 })
  })
})
