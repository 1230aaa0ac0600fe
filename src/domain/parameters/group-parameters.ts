import { parameterName, parametersOf } from './arguments.js'
import {
  type Axis,
  argumentsOf,
  axisLength,
  axisPart,
  gridSize,
  type ParameterGrid,
  type Part,
  type RangeAxis,
} from './grid.js'
import { rangeValue } from './range.js'
import { cellKey, keyOfParameter, type ParameterValue, parameterTexts, textOfValue } from './same-value.js'

type Parameters = Readonly<Record<string, ParameterValue>>

/**
 * The parameters of the groups of a grid by index, as {@link parametersOf} gives them. The parts of a grid are read once,
 * which is ten times as fast for many groups, unless one of them has a positional or repeats an option of another.
 */
export function groupParameters(grid: ParameterGrid): (index: number) => Parameters {
  const groupCount = Math.max(1, grid.groups.length)
  const bases = basesOf(grid)
  const axes = grid.axes.map(partsOf)
  if (!areApart(bases, axes, axes.map(readParts))) return index => parametersOf(argumentsOf(grid, index))
  const choices = grid.axes.map(choicesOf)
  return index => {
    let remaining = Math.floor(index / groupCount)
    const parameters = { ...bases[index % groupCount]! }
    for (const { length, put } of choices) {
      put(parameters, remaining % length)
      remaining = Math.floor(remaining / length)
    }
    return parameters
  }
}

/**
 * A parameter of the groups of a grid: group `index` has the value at `Math.floor(index / stride) % values.length`, and does not have
 * the parameter where that is undefined.
 */
export interface GridColumn {
  readonly name: string
  readonly stride: number
  readonly values: readonly (ParameterValue | undefined)[]
}

/** The same parameters as columns, without a look at each group unless a part has a positional or repeats an option of another. */
export function gridColumns(grid: ParameterGrid): GridColumn[] {
  const parts = [basesOf(grid), ...grid.axes.map(alternativesOf)]
  if (!areApart(parts[0]!, grid.axes.map(partsOf), parts.slice(1))) {
    return columnsIn(
      Array.from({ length: gridSize(grid) }, (_, index) => parametersOf(argumentsOf(grid, index))),
      1,
    )
  }
  let stride = 1
  return parts.flatMap(alternatives => {
    const columns = columnsIn(alternatives, stride)
    stride *= alternatives.length
    return columns
  })
}

function columnsIn(alternatives: readonly Parameters[], stride: number): GridColumn[] {
  const names = new Set(alternatives.flatMap(each => Object.keys(each)))
  const valuesOf = (name: string) => alternatives.map(each => (Object.hasOwn(each, name) ? each[name] : undefined))
  return [...names].map(name => ({ name, stride, values: valuesOf(name) }))
}

/** The keys of the groups of a grid by index, as {@link cellKey} gives them. */
export function groupKeys(grid: ParameterGrid): (index: number) => string {
  const columns = gridColumns(grid)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, stride, values }) => ({
      stride,
      texts: values.map(value => (value === undefined ? '' : keyOfParameter(name, value))),
    }))
  return index => {
    let key = ''
    for (const { stride, texts } of columns) key += texts[Math.floor(index / stride) % texts.length]!
    return key
  }
}

function alternativesOf(axis: Axis): readonly Parameters[] {
  if ('parts' in axis) return readParts(axis.parts)
  const name = optionOf(axis)
  return Array.from({ length: axis.count }, (_, at) => ({ [name]: rangeValue(axis, at) }))
}

/** Whether no two groups of a grid have the same parameters, as far as that is known without a look at each of them. */
export function areDistinct(grid: ParameterGrid): boolean {
  const bases = basesOf(grid)
  const axes = grid.axes.map(partsOf)
  const parts = axes.map(readParts)
  if (!areApart(bases, axes, parts)) return false
  // A range has no value twice.
  return [bases, ...parts.filter((_, at) => 'parts' in grid.axes[at]!)].every(
    alternatives => new Set(alternatives.map(cellKey)).size === alternatives.length,
  )
}

/** The parts of an axis; of a range only the first, since the others have the same option. */
function partsOf(axis: Axis): readonly Part[] {
  return 'parts' in axis ? axis.parts : [axisPart(axis, 0)]
}

/** The alternatives of an axis that has no positionals: how many, and what adds one of them to parameters. */
function choicesOf(axis: Axis): {
  length: number
  put: (parameters: Record<string, Parameters[string]>, at: number) => void
} {
  const length = axisLength(axis)
  if ('parts' in axis) {
    const parts = readParts(axis.parts)
    return { length, put: (parameters, at) => Object.assign(parameters, parts[at]) }
  }
  const name = optionOf(axis)
  const values = Array.from({ length }, (_, at) => rangeValue(axis, at))
  return {
    length,
    put: (parameters, at) => {
      parameters[name] = values[at]!
    },
  }
}

function basesOf(grid: ParameterGrid): Parameters[] {
  const { length } = grid.groups.length === 0 ? [grid.fixed] : grid.groups
  return Array.from({ length }, (_, index) => parametersOf(argumentsOf({ ...grid, axes: [] }, index)))
}

function readParts(parts: readonly Part[]): Parameters[] {
  return parts.map(({ args }) => parametersOf(args))
}

/** Whether axes have no positionals, and no option is in two of the lists. */
function areApart(
  bases: readonly Parameters[],
  axes: readonly (readonly Part[])[],
  parameters: readonly (readonly Parameters[])[],
): boolean {
  if (axes.flat().some(({ positional }) => positional !== undefined)) return false
  const names = new Set(bases.flatMap(base => Object.keys(base)))
  for (const axis of parameters) {
    const own = new Set(axis.flatMap(part => Object.keys(part)))
    for (const name of own) if (names.has(name) || name.startsWith('pos_')) return false
    for (const name of own) names.add(name)
  }
  return true
}

/** A parameter of a grid. */
export interface GridParameter {
  readonly name: string
  /** Its different values as they were written, in their order; of a range of more than four only the first and the last. */
  readonly values: readonly string[]
  readonly count: number
  /** Whether all groups have it. */
  readonly isEverywhere: boolean
}

/** The same with all its different values, as they are. */
export interface GridValues extends Omit<GridParameter, 'values'> {
  readonly values: readonly ParameterValue[]
}

/** Whether groups differ in a parameter. */
export function varies({ count, isEverywhere }: GridParameter): boolean {
  return count > 1 || !isEverywhere
}

/** Ranges are not written out beyond this. */
const listedOfRange = 4

/**
 * The parameters of a grid, found without a look at every group if its parts have different options.
 * @param most if more groups than these have to be looked at, nothing is found: null
 */
export function gridParameters(grid: ParameterGrid, most = Number.POSITIVE_INFINITY): GridParameter[] | null {
  const found = gridValues(grid, most, listedOfRange)
  return found?.map(each => ({ ...each, values: parameterTexts(each.values) })) ?? null
}

/** The same with all values. @param listed of a range of more values than these only the first and the last are there */
export function gridValues(
  grid: ParameterGrid,
  most = Number.POSITIVE_INFINITY,
  listed = Number.POSITIVE_INFINITY,
): GridValues[] | null {
  const bases = basesOf(grid)
  const axes = grid.axes.map(partsOf)
  const parts = axes.map(readParts)
  if (areApart(bases, axes, parts)) {
    const varied = grid.axes.map((axis, at) => ('parts' in axis ? valuesIn(parts[at]!) : [valuesOfRange(axis, listed)]))
    return [...valuesIn(bases), ...varied.flat()]
  }
  const size = gridSize(grid)
  if (size > most) return null
  return valuesIn(Array.from({ length: size }, (_, index) => parametersOf(argumentsOf(grid, index))))
}

function valuesOfRange(axis: RangeAxis, listed: number): GridValues {
  const { count } = axis
  const places = count <= listed ? [...Array(count).keys()] : [0, count - 1]
  return { name: optionOf(axis), values: places.map(at => rangeValue(axis, at)), count, isEverywhere: true }
}

function optionOf(axis: RangeAxis): string {
  return 'option' in axis ? parameterName(axis.option) : axis.positional
}

function valuesIn(all: readonly Parameters[]): GridValues[] {
  const found = new Map<string, { values: Map<string, ParameterValue>; groups: number }>()
  for (const parameters of all) {
    for (const name in parameters) {
      const value = parameters[name]!
      const known = found.get(name) ?? { values: new Map(), groups: 0 }
      known.groups++
      known.values.set(textOfValue(value), value)
      found.set(name, known)
    }
  }
  return [...found].map(([name, { values, groups }]) => ({
    name,
    values: [...values.values()],
    count: values.size,
    isEverywhere: groups === all.length,
  }))
}
