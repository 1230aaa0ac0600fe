import type { ParameterGrid } from './grid.js'
import { gridSize } from './grid.js'
import { type GridParameter, type GridValues, gridValues, groupParameters } from './group-parameters.js'
import { parameterKey, parameterTexts } from './same-value.js'

/** In what the groups of two grids differ. */
export interface GridDifference {
  /** The parameters whose values differ, with their values in both; null for a grid that does not have it. */
  readonly parameters: readonly {
    readonly name: string
    readonly of: readonly [GridParameter | null, GridParameter | null]
  }[]
  /** `numbers` if both have the same groups, but not equally often, and `parameters` if these differ in any other way. */
  readonly groups: 'same' | 'numbers' | 'parameters'
}

/** Compares the groups of two grids whatever their order is; numbers are compared by their value. */
export function compareGrids(one: ParameterGrid, other: ParameterGrid): GridDifference {
  if (JSON.stringify(one) === JSON.stringify(other)) return { parameters: [], groups: 'same' }
  const [before, after] = [valuesByName(one), valuesByName(other)]
  const parameters = [...new Set([...before.keys(), ...after.keys()])]
    .filter(name => !haveSameValues(before.get(name), after.get(name)))
    .map(name => ({ name, of: textsOf(before.get(name), after.get(name)) }))
  if (parameters.length > 0) return { parameters, groups: 'parameters' }
  const [groups, others] = [countedGroups(one), countedGroups(other)]
  if (groups.size !== others.size || [...groups.keys()].some(key => !others.has(key)))
    return { parameters, groups: 'parameters' }
  return { parameters, groups: [...groups].every(([key, count]) => others.get(key) === count) ? 'same' : 'numbers' }
}

function valuesByName(grid: ParameterGrid): Map<string, GridValues> {
  return new Map(gridValues(grid)!.map(each => [each.name, each]))
}

function haveSameValues(one: GridValues | undefined, other: GridValues | undefined): boolean {
  if (!one || !other || one.isEverywhere !== other.isEverywhere || one.count !== other.count) return false
  const keys = new Set(one.values.map(parameterKey))
  return other.values.every(value => keys.has(parameterKey(value)))
}

/** Different values have different texts in both; each number is as it was typed for its own grid. */
function textsOf(
  one: GridValues | undefined,
  other: GridValues | undefined,
): [GridParameter | null, GridParameter | null] {
  const named = (own: GridValues | undefined, besides: GridValues | undefined) => {
    if (!own) return null
    const entries = [besides, own].flatMap(each =>
      (each?.values ?? []).map(value => [parameterKey(value), value] as const),
    )
    const all = new Map(entries)
    const texts = parameterTexts([...all.values()])
    const textOf = new Map([...all.keys()].map((key, at) => [key, texts[at]!]))
    return { ...own, values: own.values.map(value => textOf.get(parameterKey(value))!) }
  }
  return [named(one, other), named(other, one)]
}

/** How many groups have the same parameters, by a key of these. */
function countedGroups(grid: ParameterGrid): Map<string, number> {
  const parametersAt = groupParameters(grid)
  const counts = new Map<string, number>()
  for (let index = 0; index < gridSize(grid); index++) {
    const parameters = parametersAt(index)
    const names = Object.keys(parameters).sort()
    const key = JSON.stringify(names.map(name => [name, parameterKey(parameters[name]!)]))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
