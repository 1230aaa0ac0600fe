import type { ParameterGrid } from './grid.js'
import { gridSize } from './grid.js'
import { type GridParameter, type GridValues, gridValues, groupKeys } from './group-parameters.js'
import { DifferentValues, parameterTexts } from './same-value.js'

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

/** Compares the groups of two grids whatever their order is. */
export function compareGrids(one: ParameterGrid, other: ParameterGrid): GridDifference {
  if (JSON.stringify(one) === JSON.stringify(other)) return { parameters: [], groups: 'same' }
  const [before, after] = [valuesByName(one), valuesByName(other)]
  const values = new Map([...before.keys(), ...after.keys()].map(name => [name, new DifferentValues()]))
  const parameters = [...values]
    .filter(([name, all]) => !haveSameValues(before.get(name), after.get(name), all))
    .map(([name, all]) => ({ name, of: textsOf(before.get(name), after.get(name), all) }))
  if (parameters.length > 0) return { parameters, groups: 'parameters' }
  const [groups, others] = [countedGroups(one), countedGroups(other)]
  if (groups.size !== others.size || [...groups.keys()].some(key => !others.has(key)))
    return { parameters, groups: 'parameters' }
  return { parameters, groups: [...groups].every(([key, count]) => others.get(key) === count) ? 'same' : 'numbers' }
}

function valuesByName(grid: ParameterGrid): Map<string, GridValues> {
  return new Map(gridValues(grid)!.map(each => [each.name, each]))
}

function haveSameValues(one: GridValues | undefined, other: GridValues | undefined, all: DifferentValues): boolean {
  if (!one || !other || one.isEverywhere !== other.isEverywhere || one.count !== other.count) return false
  const places = new Set(one.values.map(value => all.placeOf(value)))
  return other.values.every(value => places.has(all.placeOf(value)))
}

/** Different values have different texts in both; each number is as it was typed for its own grid. */
function textsOf(
  one: GridValues | undefined,
  other: GridValues | undefined,
  all: DifferentValues,
): [GridParameter | null, GridParameter | null] {
  const named = (own: GridValues | undefined, besides: GridValues | undefined) => {
    if (!own) return null
    const entries = [besides, own].flatMap(each =>
      (each?.values ?? []).map(value => [all.placeOf(value), value] as const),
    )
    const byPlace = new Map(entries)
    const texts = parameterTexts([...byPlace.values()])
    const textOf = new Map([...byPlace.keys()].map((place, at) => [place, texts[at]!]))
    return { ...own, values: own.values.map(value => textOf.get(all.placeOf(value))!) }
  }
  return [named(one, other), named(other, one)]
}

/** How many groups have the same parameters, by a key of these. */
function countedGroups(grid: ParameterGrid): Map<string, number> {
  const keyAt = groupKeys(grid)
  const counts = new Map<string, number>()
  for (let index = 0; index < gridSize(grid); index++) {
    const key = keyAt(index)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
