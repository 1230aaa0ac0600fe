import { join } from 'node:path'
import Database from 'better-sqlite3'
import { inTurn } from './measure.js'
import { Project } from './project.js'

/** How long the status of an experiment takes that has a long past. */
export const statusRows = [
  {
    name: 'status-runs',
    what: '`qanat experiment status`, 1,000 finished runs',
    reference: 'of an empty experiment',
    target: '≤ 1.2×',
    measure: () => besideEmpty(addRuns),
  },
  {
    name: 'status-groups',
    what: '`qanat experiment status`, one finished run of 100,000 groups',
    reference: 'of an empty experiment',
    target: '≤ 1.1×',
    measure: () => besideEmpty(addGroups),
  },
]

/** @param fill makes much of the two groups of run 1 of the experiment `full`, in a transaction */
function besideEmpty(fill) {
  const project = new Project(['empty', 'full'])
  project.run('full', 2)
  const database = new Database(join(project.path, '.qanat/database.db'))
  database.transaction(fill)(database)
  database.close()
  const status = name => () => project.qanat('experiment', 'status', name)
  return inTurn(15, status('full'), status('empty'))
}

/** Runs 2 to 1,000 as copies of run 1, with all that belongs to it. */
function addRuns(database) {
  for (let id = 2; id <= 1000; id++) {
    copyRows(database, 'runs', 'id = 1', { id, token: `copy ${id}`, storage_path: `results/full/run_${id}` })
    for (const table of ['launches', 'attempts', 'submissions']) copyRows(database, table, 'run_id = 1', { run_id: id })
    copyRows(database, 'groups', 'run_id = 1', { run_id: id })
  }
}

/** Groups 2 to 99,999 of run 1 as copies of its group 1. */
function addGroups(database) {
  const count = 100_000
  for (let number = 2; number < count; number++) copyRows(database, 'groups', 'run_id = 1 AND number = 1', { number })
  database.prepare('UPDATE runs SET groups_finished = ? WHERE id = 1').run(count)
  database.prepare(`UPDATE launches SET grid = replace(grid, '"count":2', '"count":${count}')`).run()
}

const statements = new WeakMap()

/** Copies rows of a table, with some of its columns changed. */
function copyRows(database, table, where, changes) {
  if (!statements.has(database)) statements.set(database, new Map())
  const prepared = statements.get(database)
  if (!prepared.has(table)) prepared.set(table, prepareCopy(database, table, where, Object.keys(changes)))
  prepared.get(table).run(changes)
}

function prepareCopy(database, table, where, changed) {
  const columns = database.pragma(`table_info(${table})`).map(({ name }) => name)
  const values = columns.map(name => (changed.includes(name) ? `@${name}` : name))
  return database.prepare(`INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table} WHERE ${where}`)
}
