import { totalOf } from '../../domain/runs/aggregate.js'
import { fewOf, nearest } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { sqlName } from '../../domain/text/sql-name.js'
import { uniqueNames } from '../../domain/text/unique-names.js'
import { UserError } from '../../errors.js'
import { type Queries, QueryMistake, type QueryResult } from '../../store/queries/query.js'
import type { QueryView } from '../../store/queries/query-view.js'
import { mostColumns, sqlValue } from '../../store/queries/table-file.js'
import { commonViews } from '../../store/queries/views.js'
import { asFarAsStored } from '../as-far-as-stored.js'
import { openRuns, refreshRuns } from '../refresh/refresh-runs.js'
import type { Workspace } from '../workspace.js'
import { tableOf } from './collect/collect.js'
import { type CountedRuns, countedRuns } from './counted-runs.js'
import { indexMetrics } from './index-metrics.js'

const cells = 'cells'

/** The views that each project has. */
export const sharedViews = [...Object.keys(commonViews), cells]

/** @throws UserError for a query whose words the shell has split */
export function refuseWords(words: readonly string[]): void {
  if (words.length <= 1) return
  const line = displayCommand(['qanat', 'sql', words.join(' ')])
  throw new UserError('sql: the query has to be one argument, in quotes', line)
}

/** A view and its columns. */
export interface ViewColumns {
  readonly view: string
  readonly columns: readonly string[]
}

/** All views of the project, those of experiments last. */
export async function listViews(workspace: Workspace): Promise<ViewColumns[]> {
  const isWanted = () => true
  await indexAll(workspace, isWanted)
  return withQueries(workspace, isWanted, queries => columnsOf(workspace, queries, isWanted))
}

/**
 * Answers a query, once what is new has been taken in.
 * @param use reads the result, which is gone afterwards
 * @throws UserError for anything but one query, and for mistakes in it
 */
export async function query<Answer>(
  workspace: Workspace,
  sql: string,
  use: (result: QueryResult) => Promise<Answer>,
): Promise<Answer> {
  // Views are costly to make: those that the query does not mention are left out.
  const isMentioned = (view: string) => sql.toLowerCase().includes(view.toLowerCase())
  await indexAll(workspace, view => isMentioned('metrics') || isMentioned(view))
  return withQueries(workspace, isMentioned, async queries => {
    try {
      const { columns, rows } = queries.run(sql)
      return await use({ columns: uniqueNames(columns), rows })
    } catch (error) {
      if (!(error instanceof QueryMistake)) throw error
      throw explainMistake(error.message, viewNames(workspace), columnsOf(workspace, queries, isMentioned))
    }
  })
}

async function indexAll(workspace: Workspace, isWanted: (view: string) => boolean): Promise<void> {
  await asFarAsStored(workspace, () => refreshRuns(workspace, openRuns(workspace)))
  for (const [view, name] of experimentViews(workspace)) {
    if (!isWanted(view)) continue
    const { metrics } = workspace.store.experiments.find(name)!.results
    indexMetrics(workspace, workspace.store.runs.listOf(name), metrics)
  }
}

/** The experiments by the names of their views, which differ from them where SQLite or another view has the name. */
function experimentViews({ store }: Workspace): Map<string, string> {
  const names = store.experiments.names()
  const free = names.map(name => (name.toLowerCase().startsWith('sqlite_') ? `experiment_${name}` : name))
  const views = uniqueNames(free, sharedViews)
  return new Map(views.map((view, at) => [view, names[at]!]))
}

async function withQueries<Answer>(
  workspace: Workspace,
  isWanted: (view: string) => boolean,
  use: (queries: Queries) => Answer,
): Promise<Awaited<Answer>> {
  const wanted = [...experimentViews(workspace)].filter(([view]) => isWanted(view))
  const views = wanted.map(([view, experiment]) => viewOf(workspace, view, experiment))
  if (isWanted(cells)) views.push(await viewOfCells(workspace))
  const queries = workspace.store.queries(views)
  try {
    return await use(queries)
  } finally {
    queries.close()
  }
}

/** The view of an experiment has a row for each of its groups. */
function viewOf(workspace: Workspace, view: string, experiment: string): QueryView {
  const runs = workspace.store.runs.listOf(experiment).reverse()
  const { columns: all, rows } = tableOf(workspace, runs)
  if (all.length > mostColumns) {
    workspace.warn(
      `the view ${view} has the first ${mostColumns} of its ${all.length} columns, more than SQLite can have`,
    )
  }
  const columns = all.slice(0, mostColumns)
  return {
    name: view,
    columns: columns.map(({ name }) => name),
    texts: columns.filter(({ type }) => type === 'text').map(({ name }) => name),
    *rows() {
      for (const some of rows()) {
        for (const group of some) yield columns.map(column => sqlValue(column.type, column.value(group)))
      }
    },
  }
}

/**
 * The view of cells has a row for each, with the group that speaks for it. Which one does is found anew by the rule that all commands
 * have: a stored index would need a row a group at each launch, and commands that look at a part of the runs could not use it.
 */
async function viewOfCells(workspace: Workspace): Promise<QueryView> {
  const { store } = workspace
  const found: [experiment: string, counted: CountedRuns][] = []
  for (const experiment of store.experiments.names()) {
    const runs = store.runs.listOf(experiment).filter(run => !run.retired)
    if (runs.length > 0) found.push([experiment, await countedRuns(workspace, runs.reverse(), [])])
  }
  return {
    ...{ name: cells, columns: ['experiment', 'run', 'group'], texts: [] },
    *rows() {
      for (const [experiment, { runs, left }] of found) {
        for (const { id, counts } of runs) {
          for (let index = 0; index < totalOf(counts); index++)
            if (!left.get(id)?.has(index)) yield [experiment, BigInt(id), BigInt(index)]
        }
      }
    },
  }
}

function columnsOf(workspace: Workspace, queries: Queries, isWanted: (view: string) => boolean): ViewColumns[] {
  return viewNames(workspace)
    .filter(isWanted)
    .map(view => ({ view, columns: queries.columnsOf(view) }))
}

function viewNames(workspace: Workspace): string[] {
  return [...sharedViews, ...experimentViews(workspace).keys()]
}

function explainMistake(message: string, views: readonly string[], mentioned: readonly ViewColumns[]): UserError {
  const [, unknown, quoted, plain = ''] = /^no such (table|column): (?:"(.*)" - should|(.*)$)/s.exec(message) ?? []
  const name = quoted ?? (unknown === 'column' ? plain.replace(/^.*\./, '') : plain)
  const all = unknown === 'table' ? views : mentioned.flatMap(({ columns }) => columns)
  const withoutDashes = (column: string) => column.replace(/^-+/, '')
  const meant = all.find(column => withoutDashes(column) === withoutDashes(name)) ?? nearest(name, all)
  const said = unknown === undefined ? message : `no such ${unknown}: ${name}`
  const isCommon = (view: string) => sharedViews.includes(view)
  const ofExperiments = views.filter(view => !isCommon(view))
  const hints = [
    ...(unknown === 'table' ? [`the views are ${views.join(', ')}`] : []),
    ...(unknown === 'column' ? mentioned.map(({ view, columns }) => `${view} has ${listed(columns)}`) : []),
    ...(unknown === 'column' && mentioned.every(({ view }) => isCommon(view)) && ofExperiments.length > 0
      ? [`parameters and metrics are in the views of experiments: ${fewOf(ofExperiments)}`]
      : []),
    ...(unknown === undefined
      ? [`names like "group" and "--lr" need double quotes, texts like 'failed' single ones`]
      : []),
  ]
  return new UserError(
    `${said}${unknown === undefined || meant === null ? '' : `. Did you mean ${sqlName(meant)}?`}`,
    [...hints, 'qanat sql        lists all views and their columns'].join('\n'),
  )
}

/** Quoted where SQL needs it. */
function listed(columns: readonly string[]): string {
  const shown = columns.slice(0, 40).map(sqlName)
  return shown.join(', ') + (columns.length > shown.length ? ` and ${columns.length - shown.length} more` : '')
}
