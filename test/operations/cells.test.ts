import type Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openWorkspace } from '../../src/cli/context.js'
import { gridSize, type ParameterGrid } from '../../src/domain/parameters/grid.js'
import { standingOfGrid } from '../../src/operations/cells/standing-of-grid.js'
import { findExperiment } from '../../src/operations/registry/find-experiment.js'
import { collect } from '../../src/operations/results/collect/collect.js'
import { compareExperiment } from '../../src/operations/results/compare/compare-experiment.js'
import { failureKinds } from '../../src/operations/results/failure-kinds.js'
import { everything } from '../../src/operations/results/looked-at.js'
import { plotExperiment } from '../../src/operations/results/plot/plot-experiment.js'
import { query } from '../../src/operations/results/query.js'
import { reportExperiment } from '../../src/operations/results/report-experiment.js'
import type { Workspace } from '../../src/operations/workspace.js'
import { cases } from '../cases.js'
import { projectWith } from '../e2e/project.js'

/** A run of a history; `repeats` is the place of the earlier run that it is a rerun of, counted back from it. */
interface Past {
  readonly groups: readonly { readonly x: string; readonly hasFinished: boolean }[]
  readonly repeats: number
  readonly isRetired: boolean
  readonly isDeleted: boolean
  readonly isRetried: boolean
  readonly commit: string
}

const past: fc.Arbitrary<Past> = fc.record({
  groups: fc.array(fc.record({ x: fc.constantFrom('1', '2', '3', '1.0'), hasFinished: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  }),
  repeats: fc.constantFrom(0, 0, 1, 2),
  isRetired: fc.nat({ max: 4 }).map(number => number === 0),
  isDeleted: fc.nat({ max: 4 }).map(number => number === 0),
  isRetried: fc.boolean(),
  commit: fc.constantFrom('a'.repeat(40), 'b'.repeat(40)),
})

const finished: Past = {
  ...{ groups: [{ x: '1', hasFinished: true }], repeats: 0, commit: 'a'.repeat(40) },
  ...{ isRetired: false, isDeleted: false, isRetried: false },
}
/** A rerun of a rerun that is in the trash is as old as the launch that both repeat. */
const rerunOfDeleted = [finished, { ...finished, repeats: 1, isDeleted: true }, { ...finished, repeats: 1 }]

/** The ids of the runs of a history; run 1 is that from which they are made. */
const idOf = (at: number) => at + 2
const rankOf = (history: readonly Past[], at: number): number => {
  const first = at - history[at]!.repeats
  return first < 0 || first === at ? at : rankOf(history, first)
}
const gridOf = (values: readonly string[]): ParameterGrid => ({
  fixed: { args: [] },
  groups: values.map(x => ({ args: ['--x', x] })),
  axes: [],
})

/** Writes a history in place of an earlier one. */
function write(database: Database.Database, history: readonly Past[]): void {
  const copy = (table: string, changes: Readonly<Record<string, unknown>>) => {
    const columns = (database.pragma(`table_xinfo(${table})`) as { name: string; hidden: number }[])
      .filter(({ hidden }) => hidden === 0)
      .map(({ name }) => name)
    const key = table === 'runs' ? 'id = 1' : 'run_id = 1'
    const values = columns.map(name => (name in changes ? `@${name}` : name))
    database.prepare(`INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table} WHERE ${key}`).run(changes)
  }
  database.exec('DELETE FROM runs WHERE id > 1')
  for (const [at, { groups, repeats, isRetired, isDeleted, isRetried, commit }] of history.entries()) {
    const id = idOf(at)
    const finished = groups.filter(({ hasFinished }) => hasFinished).length
    copy('runs', {
      ...{ id, token: `token ${id}`, storage_path: `results/it/run_${id}`, commit_sha: commit, code_used: null },
      ...{ groups_finished: finished, groups_failed: groups.length - finished, deleted: Number(isDeleted) },
      rerun_of: repeats > 0 && at >= repeats ? idOf(at - repeats) : null,
      retired: isRetired ? '{"at":1,"why":""}' : null,
    })
    copy('launches', { run_id: id, grid: JSON.stringify(gridOf(groups.map(({ x }) => x))) })
    copy('attempts', { run_id: id })
    if (isRetried) copy('attempts', { run_id: id, attempt: 2 })
    for (const [number, { hasFinished }] of groups.entries()) {
      const [state, cause] = hasFinished ? ['finished', null] : ['failed', 'exit']
      copy('groups', { ...{ run_id: id, number, state, cause }, attempt: isRetried ? 2 : 1 })
      if (hasFinished)
        database
          .prepare(`INSERT INTO readings SELECT run_id, number, attempt, restarts, finished, '{"acc":1}' FROM groups
          WHERE run_id = ? AND number = ?`)
          .run(id, number)
    }
    database.prepare("INSERT INTO read_sources VALUES (?, '[]', NULL)").run(id)
  }
}

/** The groups that speak for their cells, as the rule says: `3.0` of those that have finished, `3.0?` of the others. */
function speaking(history: readonly Past[]): string[] {
  const all = history.flatMap(({ groups, isRetired, isDeleted }, at) =>
    isRetired || isDeleted
      ? []
      : groups.map(({ x, hasFinished }, index) => ({ x, hasFinished, at, index, rank: rankOf(history, at) })),
  )
  type Group = (typeof all)[number]
  const isBefore = (one: Group, other: Group) => {
    if (one.hasFinished !== other.hasFinished) return one.hasFinished
    if (one.rank !== other.rank) return one.rank > other.rank
    if (one.at !== other.at) return one.hasFinished ? one.at < other.at : one.at > other.at
    return one.index > other.index
  }
  const first = all.filter(one => !all.some(other => other.x === one.x && other !== one && isBefore(other, one)))
  return first.map(({ at, index, hasFinished }) => `${idOf(at)}.${index}${hasFinished ? '' : '?'}`).sort()
}

interface Known {
  readonly run: number
  readonly index: number
  readonly state: string
}

const named = (groups: readonly Known[]) =>
  groups.map(({ run, index, state }) => `${run}.${index}${state === 'finished' ? '' : '?'}`).sort()

const comparison = { by: null, over: null, metrics: null, sort: null, top: null, repeats: false, parameterFile: null }

async function answers(workspace: Workspace) {
  const plot = {
    ...{ experiment: 'it', runs: [], x: null, y: 'acc', by: null },
    ...{ over: null, facet: null, log: null, kind: null },
  }
  const request = { ...comparison, experiment: 'it', runs: [] }
  const groupsIn = (cells: Awaited<ReturnType<typeof compareExperiment>>['cells']) =>
    named(cells.flatMap(({ groups, missing }) => [...groups, ...[...missing.values()].flat()]))
  const { rows } = await collect(workspace, 'it', everything, false, false)
  const { kinds } = await failureKinds(workspace, 'it', everything)
  const grid = gridOf(['1', '2', '3', '1.0'])
  const standing = await standingOfGrid(workspace, {
    ...{ experiment: findExperiment(workspace, 'it'), grid, container: null, code: null },
    ...{ same: 'any' as const, uncountedFiles: [] },
  })
  const filled = standing.groups().flatMap(group => group ?? [])
  const sql = `SELECT run || '.' || "group" || iif(status = 'finished', '', '?') FROM cells JOIN groups USING (run, "group")`
  return {
    compare: groupsIn((await compareExperiment(workspace, request)).cells),
    report: groupsIn((await reportExperiment(workspace, everything, request)).comparison.cells),
    collect: named([...rows()].flat()),
    failures: named(kinds.flatMap(({ groups }) => groups.map(group => ({ ...group, state: 'failed' })))),
    plotted: filled.length < 2 ? filled.length : (await plotExperiment(workspace, plot)).groups,
    finished: named(filled.map(group => ({ ...group, state: 'finished' }))),
    missing: standing.missing.length === gridSize(grid) - filled.length,
    sql: await query(workspace, sql, async result => [...result.rows].flat().map(String).sort()),
  }
}

test('all commands say the same of which group speaks for a cell, whatever has happened', async () => {
  const folder = await projectWith('exit 0')
  await folder.qanat('run', 'it', '--x', '1')
  folder.inDatabase(database =>
    database.exec('DELETE FROM submissions; DELETE FROM readings; UPDATE runs SET deleted = 1'),
  )
  const workspace: Workspace = { ...(await openWorkspace(folder.path, true)), warn() {}, note() {} }
  onTestFinished(() => workspace.store.close())
  await fc.assert(
    fc.asyncProperty(fc.array(past, { minLength: 1, maxLength: 6 }), async history => {
      folder.inDatabase(database => database.transaction(() => write(database, history))())
      const all = speaking(history)
      const sql = 'SELECT * FROM cells'
      if (all.length === 0) {
        expect(await query(workspace, sql, async ({ rows }) => [...rows])).toEqual([])
        return
      }
      const finished = all.filter(name => !name.endsWith('?'))
      const failures = all.filter(name => name.endsWith('?'))
      expect(await answers(workspace)).toEqual({
        ...{
          compare: all,
          report: all,
          collect: all,
          failures,
          finished,
          plotted: finished.length,
          missing: true,
          sql: all,
        },
      })
    }),
    { numRuns: cases(200), examples: [[rerunOfDeleted]] },
  )
})
