import { appendFileSync } from 'node:fs'
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
  {
    name: 'status-best',
    what: 'the same with the best of two metrics, 1,000 finished runs',
    reference: 'of an empty experiment',
    target: '≤ 1.2×',
    measure: () => besideEmpty(addRuns, addMetrics),
  },
  {
    name: 'status-best',
    what: 'the same with the best of two metrics, one finished run of 100,000 groups',
    reference: 'of an empty experiment',
    target: '≤ 1.1×',
    measure: () => besideEmpty(addGroups, addMetrics),
  },
]

function besideEmpty(...fills) {
  const project = fullProject(...fills)
  const status = name => () => project.qanat('experiment', 'status', name)
  return inTurn(15, status('full'), status('empty'))
}

/**
 * A project with the experiments `empty` and `full`.
 * @param fills make much of the two groups of run 1 of the experiment `full`
 */
export function fullProject(...fills) {
  const project = new Project(['empty', 'full'])
  project.run('full', 2)
  const database = new Database(join(project.path, '.qanat/database.db'))
  database.transaction(() => {
    for (const fill of fills) fill(database, project)
  })()
  database.close()
  return project
}

/** Runs from 2 up as copies of run 1, with all that belongs to it. @param count of all runs */
export function addRuns(database, count = 1000) {
  for (let id = 2; id <= count; id++) {
    copyRows(database, 'runs', 'id = 1', { id, token: `copy ${id}`, storage_path: `results/full/run_${id}` })
    for (const table of ['launches', 'attempts', 'submissions']) copyRows(database, table, 'run_id = 1', { run_id: id })
    copyRows(database, 'groups', 'run_id = 1', { run_id: id })
  }
}

/** Groups 2 to 99,999 of run 1 as copies of its group 1. */
export function addGroups(database) {
  const count = 100_000
  for (let number = 2; number < count; number++) copyRows(database, 'groups', 'run_id = 1 AND number = 1', { number })
  database.prepare('UPDATE runs SET groups_finished = ? WHERE id = 1').run(count)
  database.prepare(`UPDATE launches SET grid = replace(grid, '"count":2', '"count":${count}')`).run()
}

/** Ten metrics for each group, as they are stored after they were read; two of them are declared as best. */
export function addMetrics(database, project) {
  appendFileSync(join(project.path, 'definitions/full.yaml'), 'best: {metric_1: max, metric_2: min}\n')
  database.exec("INSERT INTO read_sources (run_id, sources) SELECT id, '[]' FROM runs")
  const insert = database.prepare(
    `INSERT INTO readings (run_id, number, attempt, restarts, finished, metrics)
      SELECT run_id, number, attempt, restarts, finished, ? FROM groups WHERE run_id = ? AND number = ?`,
  )
  for (const [run, number] of database.prepare('SELECT run_id, number FROM groups').raw().all()) {
    const metrics = Array.from({ length: 10 }, (_, at) => [`metric_${at}`, Math.sin(number * 10 + at)])
    insert.run(JSON.stringify(Object.fromEntries(metrics)), run, number)
  }
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
