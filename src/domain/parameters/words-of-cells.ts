import { UserError } from '../../errors.js'
import { displayCommand } from '../text/shell-text.js'
import { type Given, parametersOf, wordsOf } from './arguments.js'
import { buildGrid } from './build-grid.js'
import { type Axis, argumentsOf, axisLength, axisPart, gridSize, type ParameterGrid, type Part } from './grid.js'
import { rangeValue } from './range.js'
import { cellKey } from './same-value.js'

/** Longer lines are not typed. */
const longest = { groups: 8, values: 12, characters: 600 }

/**
 * The options of `qanat run`, before the experiment, that launch some groups of a grid and no others.
 * @param cells indexes of groups that differ from each other
 * @returns null if no short line does that
 */
export function wordsOfCells(grid: ParameterGrid, cells: readonly number[]): readonly string[] | null {
  for (const line of [productLine(grid, cells), listLine(grid, cells)]) {
    if (line !== null && launches(line, grid, cells)) return lineWords(line)
  }
  return null
}

/** The texts of -V, -R and -g. */
interface Line {
  readonly values: readonly string[]
  readonly ranges: readonly string[]
  readonly groups: readonly string[]
}

function lineWords({ values, ranges, groups }: Line): string[] {
  return [
    ...values.flatMap(text => ['-V', text]),
    ...ranges.flatMap(text => ['-R', text]),
    ...groups.flatMap(text => ['-g', text]),
  ]
}

function listLine(grid: ParameterGrid, cells: readonly number[]): Line | null {
  if (cells.length > longest.groups) return null
  return {
    values: [],
    ranges: [],
    groups: cells.map(cell => displayCommand(wordsOf(argumentsOf(grid, cell)))),
  }
}

/** All combinations of some values of each axis, if the cells are that. */
function productLine(grid: ParameterGrid, cells: readonly number[]): Line | null {
  const groups = new Set<number>()
  const used = grid.axes.map(() => new Set<number>())
  const count = Math.max(1, grid.groups.length)
  for (const cell of cells) {
    groups.add(cell % count)
    let remaining = Math.floor(cell / count)
    for (const [at, axis] of grid.axes.entries()) {
      used[at]!.add(remaining % axisLength(axis))
      remaining = Math.floor(remaining / axisLength(axis))
    }
  }
  const product = used.reduce((size, each) => size * each.size, groups.size)
  if (product !== cells.length || groups.size > longest.groups) return null
  const [values, ranges]: [string[], string[]] = [[], []]
  const single: Part[] = []
  for (const [at, axis] of grid.axes.entries()) {
    const places = [...used[at]!].sort((one, other) => one - other)
    const parts = places.map(place => axisPart(axis, place))
    const text = textOfAxis(axis, places, parts)
    if (places.length === 1) single.push(parts[0]!)
    else if (text === null) return null
    else (text.isRange ? ranges : values).push(text.text)
  }
  const rest = { ...grid, axes: single.map(part => ({ parts: [part] })) }
  const texts = [...groups].map(group => displayCommand(wordsOf(argumentsOf(rest, group))))
  return { values, ranges, groups: texts.filter(text => text !== '') }
}

/** Values of one option as in -V, or in -R if they are many; null if neither can say it. */
function textOfAxis(
  axis: Axis,
  places: readonly number[],
  parts: readonly Part[],
): { text: string; isRange: boolean } | null {
  const given = parts.map(({ args }) => (args.length === 1 && typeof args[0] !== 'string' ? args[0]! : []))
  const [[option] = []] = given
  if (option === undefined || !given.every(each => each.length === 2 && each[0] === option)) return null
  if (places.length <= longest.values) {
    return { text: displayCommand([option, ...given.map(each => each[1]!)]), isRange: false }
  }
  const [first, last] = [places[0]!, places.at(-1)!]
  if ('parts' in axis || last - first !== places.length - 1) return null
  const bounds = [rangeValue(axis, first), rangeValue(axis, last + 1), axis.step]
  return { text: displayCommand([option, ...bounds]), isRange: true }
}

/** Whether the line is short, and launches groups with just these parameters. */
function launches(line: Line, grid: ParameterGrid, cells: readonly number[]): boolean {
  if (displayCommand(lineWords(line)).length > longest.characters) return false
  try {
    const launched = buildGrid({ experimentArguments: [], ...line })
    if (gridSize(launched) !== cells.length) return false
    const keyOf = (words: readonly Given[]) => cellKey(parametersOf(words))
    const found = new Set(cells.map((_, index) => keyOf(argumentsOf(launched, index))))
    return cells.every(cell => found.has(keyOf(argumentsOf(grid, cell))))
  } catch (error) {
    // Such as a value of -V that would be read as an option.
    if (error instanceof UserError) return false
    throw error
  }
}
