import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sqlName } from '../../../src/domain/text/sql-name.js'
import { cases, testAny } from '../../cases.js'

const words =
  'abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case cast check collate column commit conflict constraint create cross current current_date current_time current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape except exclude exclusive exists explain fail filter first following for foreign from full generated glob group groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull join key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded union unique update using vacuum values view virtual when where window with without'

/** Whether SQLite takes it for the name of a column. */
function works(name: string): void {
  const database = new Database(':memory:')
  database.exec(`CREATE TABLE t (x, "${name.replaceAll('"', '""')}")`)
  database.exec('INSERT INTO t VALUES (1, 7)')
  expect([name, database.prepare(`SELECT ${sqlName(name)} AS found FROM t`).get()]).toEqual([name, { found: 7 }])
  database.close()
}

test('every word of SQL is written so that it is a name', () => {
  for (const word of words.split(' ')) works(word)
})

const name = fc.string({ minLength: 1 }).filter(text => !text.includes('\0') && text.toLowerCase() !== 'x')
testAny([name], { numRuns: cases(50) })('every name is written so that SQLite understands it', works)

test('simple names stay as they are', () => {
  expect(['acc', 'group', '--lr', 'a"b'].map(sqlName)).toEqual(['acc', '"group"', '"--lr"', '"a""b"'])
})
