import { type Given, readSpans, wordsOf } from './arguments.js'
import { type Range, rangeValue } from './range.js'

/** Some arguments of a group; the keys of `positional` order the positionals, which come first. */
export interface Part {
  readonly positional?: Readonly<Record<string, string>>
  readonly args: readonly Given[]
}

/** The target of a value: an option as it is {@link Given}, or a positional by its key. */
export type Target = { readonly option: string } | { readonly positional: string }

export type RangeAxis = Range & Target

/** A list of alternatives. */
export interface ListAxis {
  readonly parts: readonly Part[]
}

export type Axis = RangeAxis | ListAxis

/** The parameters of all groups of a run as plain JSON, as stored in the database and in run.yaml. */
export interface ParameterGrid {
  readonly fixed: Part
  readonly groups: readonly Part[]
  readonly axes: readonly Axis[]
}

/** The number of alternatives of an axis. */
export function axisLength(axis: Axis): number {
  return 'parts' in axis ? axis.parts.length : axis.count
}

/** The arguments that an axis adds at `index` (from 0). */
export function axisPart(axis: Axis, index: number): Part {
  return 'parts' in axis ? axis.parts[index]! : partWith(axis, rangeValue(axis, index))
}

/** A part with one value. */
export function partWith(target: Target, value: string): Part {
  if ('option' in target) return { args: [[target.option, value]] }
  return { positional: { [target.positional]: value }, args: [] }
}

/** The number of groups; 1 for a grid without variation. */
export function gridSize(grid: ParameterGrid): number {
  return grid.axes.reduce((size, axis) => size * axisLength(axis), Math.max(1, grid.groups.length))
}

/**
 * The argument list of group `index` (from 0): groups vary fastest, then the axes in their order. It has the positionals
 * by key, then the arguments of all groups (without options that the group replaces), of the group, and of each axis.
 * @throws RangeError when there is no such group.
 */
export function argumentsOf(grid: ParameterGrid, index: number): Given[] {
  if (!(Number.isInteger(index) && index >= 0 && index < gridSize(grid))) throw new RangeError(`no group ${index}`)
  const group = grid.groups[index % Math.max(1, grid.groups.length)] ?? { args: [] }
  let remaining = Math.floor(index / Math.max(1, grid.groups.length))
  const varying = grid.axes.map(axis => {
    const part = axisPart(axis, remaining % axisLength(axis))
    remaining = Math.floor(remaining / axisLength(axis))
    return part
  })
  const parts = [grid.fixed, group, ...varying]
  return [
    ...positionalsOf(parts),
    ...withoutReplaced(grid.fixed.args, group.args),
    ...group.args,
    ...varying.flatMap(part => part.args),
  ]
}

/** Some groups of a grid, in this order, as a grid of their own. */
export function partOfGrid(grid: ParameterGrid, indices: readonly number[]): ParameterGrid {
  if (indices.length === gridSize(grid)) return grid
  return { fixed: { args: [] }, groups: indices.map(index => ({ args: argumentsOf(grid, index) })), axes: [] }
}

/** The words that occur in the arguments of any group, without the numbers of ranges. */
export function* wordsOfGrid({ fixed, groups, axes }: ParameterGrid): Generator<string> {
  const lists = axes.flatMap(axis => ('parts' in axis ? [axis.parts] : []))
  for (const parts of [[fixed], groups, ...lists]) {
    for (const { positional, args } of parts) yield* [...Object.values(positional ?? {}), ...wordsOf(args)]
  }
}

function positionalsOf(parts: readonly Part[]): string[] {
  if (parts.every(({ positional }) => positional === undefined)) return []
  const byKey: Record<string, string> = Object.assign({}, ...parts.map(part => part.positional))
  return Object.keys(byKey)
    .sort((a, b) => Number(a) - Number(b))
    .map(key => byKey[key]!)
}

/** Arguments of all groups without the options that those of a group replace, with all of their words. */
function withoutReplaced(args: readonly Given[], replacing: readonly Given[]): Given[] {
  if (replacing.length === 0) return [...args]
  const replaced = new Set(readSpans(replacing).map(({ option }) => option))
  return readSpans(args)
    .filter(({ option }) => option === null || !replaced.has(option))
    .flatMap(({ given }) => given)
}

/**
 * An option of all groups that a group replaces, of which it is not clear how many words are its values, since there are more in one
 * place than in the other: `--debug data.csv` may be a flag and a file. Null if there is none.
 */
export function doubtfulOption(
  args: readonly Given[],
  replacing: readonly Given[],
): { option: string; counts: readonly [ofAll: number, ofGroup: number] } | null {
  if (replacing.length === 0) return null
  const spans = readSpans(args)
  for (const { option, count, isTyped } of readSpans(replacing)) {
    const other = spans.find(each => each.option === option && (isTyped || each.isTyped) && each.count !== count)
    if (option !== null && other) return { option, counts: [other.count, count] }
  }
  return null
}
