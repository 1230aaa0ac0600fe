import { groupParameters } from '../../domain/parameters/group-parameters.js'
import { compareGroups } from '../../domain/results/compare.js'
import { countOf, type Standing, standingText } from '../../domain/results/comparison/standing.js'
import { uniqueNames } from '../../domain/text/unique-names.js'
import type { MissingCells } from '../../operations/launch/fill/missing.js'
import type { Style } from '../format/style.js'
import type { Column } from '../model.js'
import { csvTable } from '../render/csv.js'
import type { JsonObject } from '../render/json.js'
import { terminalTable } from '../render/terminal.js'
import { parameterText } from './pair.js'

/** How many cells of a grid have come how far, and in which runs. */
export function standingJson({ cells, finished, running, pending, missing }: Standing) {
  const runs = { finished: [...finished.keys()], running: [...running.keys()], pending: [...pending.keys()] }
  const counts = { finished: countOf(finished), running: countOf(running), pending: countOf(pending) }
  return { cells, ...counts, missing: missing.length, runs }
}

type Cell = Standing['missing'][number] & { readonly parameters: ReturnType<ReturnType<typeof groupParameters>> }

function cellsOf({ grid, standing }: MissingCells): Cell[] {
  const parametersAt = groupParameters(grid)
  return standing.missing.map(cell => ({ ...cell, parameters: parametersAt(cell.index) }))
}

const causeOf = ({ group }: Cell) => group?.cause ?? 'not_run'
const groupOf = ({ group }: Cell) => (group === null ? null : `${group.run}.${group.index}`)

/** At most so many cells are shown. */
const shownCells = 30

/**
 * How far the cells of a grid have come, and those that are missing, one a line, with their causes.
 * @param all whether all are shown, however many
 * @param next the command that launches them
 */
export function missingText(style: Style, missing: MissingCells, all: boolean, next: string): string {
  const { experiment, standing } = missing
  const head = `${experiment} · ${standingText(standing)}`
  if (standing.missing.length === 0) return head
  const cells = cellsOf(missing)
  const rows = all ? cells : cells.slice(0, shownCells)
  const columns: Column<Cell>[] = [
    ...varyingIn(cells).map(name => ({ key: name, value: (cell: Cell) => parameterText(cell, name) })),
    { key: 'cause', title: 'Why', value: cell => causeOf(cell).replace('_', ' ') },
    { key: 'group', title: 'Group', value: cell => groupOf(cell) ?? '' },
  ]
  const more = cells.length > rows.length ? [`  … and ${cells.length - rows.length} more: --all shows them`] : []
  const table = terminalTable({ columns, rows }, style, 'long')
  return [head, table.replace(/^/gm, '  '), ...more, `${next}        launches them`].join('\n')
}

/** The parameters in which cells differ; all if there is one cell. */
function varyingIn(cells: readonly Cell[]): readonly string[] {
  if (cells.length === 1) return Object.keys(cells[0]!.parameters)
  const nothing = { run: 0, state: 'not_run', cause: null, seconds: null, started: null, metrics: {} } as const
  const groups = cells.map(({ index, parameters }) => ({ ...nothing, index, parameters }))
  return compareGroups(groups, { by: null, over: [] }).by
}

/** The same for programs. */
export function missingJson(missing: MissingCells): JsonObject {
  const cells = cellsOf(missing).map(cell => ({
    parameters: cell.parameters,
    cause: causeOf(cell),
    group: groupOf(cell),
  }))
  return { experiment: missing.experiment, ...standingJson(missing.standing), cell_list: cells }
}

/** The cells as CSV, with a column for each parameter. */
export function missingCsv(missing: MissingCells): string {
  const rows = cellsOf(missing)
  const names = [...new Set(rows.flatMap(({ parameters }) => Object.keys(parameters)))]
  const keys = uniqueNames(names, ['cause', 'group'])
  const textOf = (cell: Cell, name: string) => {
    const value = cell.parameters[name]
    return value === '' ? true : value === undefined ? null : [value].flat().join(' ')
  }
  return csvTable({
    columns: [
      ...names.map((name, at) => ({ key: keys[at]!, value: (cell: Cell) => textOf(cell, name) })),
      { key: 'cause', value: causeOf },
      { key: 'group', value: groupOf },
    ],
    rows,
  })
}
