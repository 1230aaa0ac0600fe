import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ExitCode } from '../../src/errors.js'
import { openDatabase } from '../../src/store/database.js'
import { Store } from '../../src/store/store.js'
import { fileWith, folderWith } from '../project/temporary.js'
import { addRun, entryOf, experimentCalled, newStore, openStore, storeWithRun } from './stores.js'

function inDatabase(path: string, sql: string): void {
  new Database(path).exec(sql).close()
}

const numbers = (application: number, version: number) =>
  `PRAGMA application_id = ${application}; PRAGMA user_version = ${version}`

/** A file that is refused with this explanation, and left as it is. */
function expectRefused(path: string, message: string): void {
  const before = readFileSync(path)
  const refusal = { code: ExitCode.failed, message: expect.stringContaining(message) }
  expect(() => Store.open(path)).toThrow(expect.objectContaining(refusal))
  expect(() => Store.open(path, true)).toThrow(message)
  expect(readFileSync(path).equals(before)).toBe(true)
}

const unknown = 'has a schema that this Qanat does not know:'

describe('opening the database', () => {
  test('makes it only when asked to', () => {
    const path = join(folderWith(), 'database.db')
    const hint = expect.stringContaining("'qanat init' makes one")
    const refusal = { message: `the project has no database (${path})`, hint }
    expect(() => Store.open(path)).toThrow(expect.objectContaining(refusal))
    expect(existsSync(path)).toBe(false)
    openStore(path, true)
    expect(openStore(path).experiments.list()).toEqual([])
  })

  test('uses a rollback journal and full sync, as network file systems need it', () => {
    const { store, path } = newStore()
    const files = () => readdirSync(dirname(path)).sort()
    for (const open of [() => openDatabase(path), () => openDatabase(join(dirname(path), 'new.db'), true)]) {
      const connection = open()
      onTestFinished(() => void connection.close())
      const asked = ['journal_mode', 'synchronous'].map(name => connection.pragma(name, { simple: true }))
      expect(asked).toEqual(['delete', 2])
    }
    store.transaction(() => {
      store.experiments.put(entryOf('it'), experimentCalled('it'))
      expect(files()).toEqual(['database.db', 'database.db-journal', 'new.db'])
    })
    expect(store.experiments.names()).toEqual(['it'])
    expect(files()).toEqual(['database.db', 'new.db'])
  })

  test.each([
    ['older program', 'CREATE TABLE runs_of_experiments (run_id INTEGER)', 'was made by the older Python program'],
    ['other application', 'CREATE TABLE songs (title TEXT)', 'is not a database of Qanat'],
    ['application with a number', `CREATE TABLE runs (id); ${numbers(7, 1)}`, 'is not a database of Qanat'],
    ['application without tables', numbers(7, 1), 'is not a database of Qanat'],
  ])('leaves the database of an %s as it is', (_, sql, message) => {
    const path = fileWith('', 'database.db')
    inDatabase(path, sql)
    expectRefused(path, `${path} ${message}`)
  })

  test.each([
    ['newer program', 'PRAGMA user_version = 99', 'was written by a newer Qanat (schema 99, this one knows 1)'],
    ['unreleased program', numbers(0x516e6174, 9), `${unknown} no release has made it`],
    ['program that numbered none', 'PRAGMA user_version = 0', `${unknown} no release has made it`],
    ['program with a table less', 'DROP TABLE polls', `${unknown} polls is missing`],
    ['program with a column more', 'ALTER TABLE runs ADD COLUMN more TEXT', `${unknown} runs differs`],
  ])('leaves the database of a %s as it is', (_, sql, message) => {
    const { path } = newStore()
    inDatabase(path, sql)
    expectRefused(path, `${path} ${message}`)
  })

  test('takes no offence at tables that a user has added', () => {
    const { path } = newStore()
    inDatabase(path, 'CREATE TABLE mine (note TEXT); CREATE INDEX by_host ON runs (host)')
    expect(openStore(path).experiments.names()).toEqual([])
  })

  test('says that a file is damaged', () => {
    const path = fileWith('this is no database, but a text that somebody wrote\n'.repeat(100), 'database.db')
    expectRefused(path, `${path} is damaged: file is not a database`)
    const { path: cut } = newStore()
    writeFileSync(cut, readFileSync(cut).subarray(0, 5000))
    expect(() => Store.open(cut).experiments.list()).toThrow(/malformed|damaged/)
  })
})

describe('a transaction', () => {
  test('that fails leaves nothing behind', () => {
    const { store, path } = newStore('it')
    const failing = () =>
      store.transaction(() => {
        store.experiments.put(entryOf('that'), experimentCalled('that'))
        addRun(store, 1, { groupCount: 2 })
        store.runs.update(1, [{ index: 0, status: { state: 'held', reason: null } }], 0, 5)
        throw new Error('the disk is full')
      })
    expect(failing).toThrow('the disk is full')
    for (const each of [store, openStore(path)]) {
      expect(each.experiments.names()).toEqual(['it'])
      expect([each.runs.find(1), each.runs.groups(1), each.runs.lastId()]).toEqual([null, [], 0])
    }
  })

  test('that is killed leaves nothing behind', () => {
    const { store, path } = storeWithRun(50_000)
    store.close()
    // With so small a cache most of it is in the file when the process is killed.
    const program = `const database = new (require(process.argv[1]))(process.argv[2])
      database.pragma('cache_size = 1')
      database.exec('BEGIN IMMEDIATE')
      const insert = database.prepare("INSERT INTO groups (run_id, number, state) VALUES (1, ?, 'held')")
      for (let number = 0; number < 50000; number++) insert.run(number)
      database.exec('UPDATE runs SET groups_held = 50000, groups_pending = 0')
      process.kill(process.pid, 'SIGKILL')`
    const size = readFileSync(path).length
    const driver = createRequire(import.meta.url).resolve('better-sqlite3')
    expect(spawnSync(process.execPath, ['-e', program, driver, path]).signal).toBe('SIGKILL')
    expect(readFileSync(path).length).toBeGreaterThan(10 * size)
    const later = openStore(path)
    expect(later.runs.groups(1)).toEqual([])
    expect(later.runs.find(1)!.counts).toMatchObject({ pending: 50_000, held: 0 })
    expect(readdirSync(dirname(path))).toEqual(['database.db'])
  })

  test('that is done is seen by whoever has the database open', () => {
    const { store, path } = newStore()
    const other = openStore(path)
    expect(other.experiments.names()).toEqual([])
    store.transaction(() => store.experiments.put(entryOf('it'), experimentCalled('it')))
    expect(other.experiments.names()).toEqual(['it'])
  })
})

test('rows have the form that is asked for, whatever was asked for by the same text before', () => {
  const connection = openDatabase(join(folderWith(), 'database.db'), true)
  onTestFinished(() => void connection.close())
  const prepared = () => connection.prepare('SELECT 1 AS one, ? AS two')
  expect(prepared().get(2)).toEqual({ one: 1, two: 2 })
  expect(prepared().pluck().get(2)).toBe(1)
  expect(prepared().get(2)).toEqual({ one: 1, two: 2 })
  expect(prepared().raw().all('x')).toEqual([[1, 'x']])
  expect(prepared().all(null)).toEqual([{ one: 1, two: null }])
})
