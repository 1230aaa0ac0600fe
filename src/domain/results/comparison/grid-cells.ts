import { gridSize, type ParameterGrid } from '../../parameters/grid.js'
import { groupParameters } from '../../parameters/group-parameters.js'
import type { AreApart, DifferentValues } from '../../parameters/same-value.js'
import type { GroupResult } from '../compare.js'
import { differentValues, originNames, type Parameters } from './columns.js'

/** The groups of runs by the cells of a parameter file. */
export interface PlacedGroups {
  /** Cell by cell, and in each the oldest first; a cell without any is a group in the state `not_run`. */
  readonly groups: readonly GroupResult[]
  /** How many cells there are, equal ones counted once. */
  readonly cells: number
  /** The indexes of the cells without any group; of equal cells only the first. */
  readonly notRun: readonly number[]
  /** How many groups are in no cell. */
  readonly leftOut: number
  /** The names of all parameters of the file. */
  readonly names: readonly string[]
}

/**
 * Finds the cell of each group that has the parameters of the file and no other; numbers are compared by their value, but for those
 * that are apart.
 * @param groups the oldest first
 */
export function placeInGrid(groups: readonly GroupResult[], grid: ParameterGrid, areApart: AreApart): PlacedGroups {
  const parametersAt = groupParameters(grid)
  const cells = Array.from({ length: gridSize(grid) }, (_, index) => parametersAt(index))
  const names = [...new Set(cells.flatMap(cell => Object.keys(cell)))]
  const isOfFile = new Set(names)
  const values = new Map<string, DifferentValues>()
  const placeOf = (name: string, value: Parameters[string]) => {
    if (!values.has(name)) values.set(name, differentValues(name, areApart))
    return values.get(name)!.placeOf(value)
  }
  const keyOf = (parameters: Parameters, of: readonly string[]) =>
    of.map(name => (Object.hasOwn(parameters, name) ? placeOf(name, parameters[name]!) : '')).join()
  const members = new Map<string, { cell: number; groups: GroupResult[] }>()
  for (const [cell, parameters] of cells.entries()) {
    const key = keyOf(parameters, names)
    if (!members.has(key)) members.set(key, { cell, groups: [] })
  }
  let leftOut = 0
  for (const group of groups) {
    const own = Object.keys(group.parameters).filter(name => !originNames.includes(name))
    const member = own.every(name => isOfFile.has(name)) && members.get(keyOf(group.parameters, names))
    if (member) member.groups.push(group)
    else leftOut++
  }
  const placed = [...members.values()]
  return {
    groups: placed.flatMap(({ cell, groups: those }) => (those.length > 0 ? those : [notRun(cell, cells[cell]!)])),
    cells: members.size,
    notRun: placed.flatMap(({ cell, groups: those }) => (those.length === 0 ? [cell] : [])),
    leftOut,
    names,
  }
}

function notRun(index: number, parameters: Parameters): GroupResult {
  return { run: 0, index, parameters, state: 'not_run', cause: null, started: null, seconds: null, metrics: {} }
}
