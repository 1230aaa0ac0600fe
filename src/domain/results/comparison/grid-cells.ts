import { gridSize, type ParameterGrid } from '../../parameters/grid.js'
import { gridValues, groupKeys, groupParameters } from '../../parameters/group-parameters.js'
import { cellKey } from '../../parameters/same-value.js'
import type { GroupResult } from '../compare.js'
import { originNames, type Parameters } from './columns.js'
import { type Spelling, spellingsBeside } from './spellings.js'

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
  /** Numbers of the file that groups, or other cells, have in other words. */
  readonly spellings: readonly Spelling[]
}

/** Finds the cell of each group that has the parameters of the file and no other. @param groups the oldest first */
export function placeInGrid(groups: readonly GroupResult[], grid: ParameterGrid): PlacedGroups {
  const parametersAt = groupParameters(grid)
  const keyAt = groupKeys(grid)
  const members = new Map<string, { cell: number; groups: GroupResult[] }>()
  for (let cell = 0; cell < gridSize(grid); cell++) {
    const key = keyAt(cell)
    if (!members.has(key)) members.set(key, { cell, groups: [] })
  }
  const others: Parameters[] = []
  for (const group of groups) {
    const own = withoutOrigin(group.parameters)
    const member = members.get(cellKey(own))
    if (member) member.groups.push(group)
    else others.push(own)
  }
  const placed = [...members.values()]
  const values = gridValues(grid)!
  return {
    groups: placed.flatMap(({ cell, groups: those }) =>
      those.length > 0 ? those : [notRun(cell, parametersAt(cell))],
    ),
    cells: members.size,
    notRun: placed.flatMap(({ cell, groups: those }) => (those.length === 0 ? [cell] : [])),
    leftOut: others.length,
    names: values.map(({ name }) => name),
    spellings: spellingsBeside(values, others.map(valuesOf)),
  }
}

function valuesOf(parameters: Parameters) {
  return Object.entries(parameters).map(([name, value]) => ({ name, values: [value] }))
}

function withoutOrigin(parameters: Parameters): Parameters {
  if (!originNames.some(name => Object.hasOwn(parameters, name))) return parameters
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !originNames.includes(name)))
}

function notRun(index: number, parameters: Parameters): GroupResult {
  return { run: 0, index, parameters, state: 'not_run', cause: null, started: null, seconds: null, metrics: {} }
}
