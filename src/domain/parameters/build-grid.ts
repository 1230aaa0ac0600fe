import { UserError } from '../../errors.js'
import { splitWords } from '../text/words.js'
import { GIVEN_OPTION, isOption, isOptionName, parameterName, readArguments } from './arguments.js'
import { type Conditional, type ConditionalGrid, hasConditions, withoutConditions } from './conditional-grid.js'
import {
  type Axis,
  axisLength,
  doubtfulOption,
  gridSize,
  type ListAxis,
  type ParameterGrid,
  type Part,
  partWith,
  type RangeAxis,
} from './grid.js'
import { MAX_GROUPS } from './limits.js'
import { looksLikeValues, makeRange } from './range.js'

export { argumentsOf, gridSize, type ParameterGrid } from './grid.js'

/** The parameters from a parameter file. */
export interface FileGrid {
  readonly fixed: Part
  readonly groups: readonly Conditional<Part>[]
  readonly ranges: readonly Conditional<Axis>[]
  readonly zips: readonly Conditional<ListAxis>[]
}

/** The user's input: the experiment's own arguments, the texts of every -g, -R and -V, and the file of -f. */
export interface GridInput {
  readonly experimentArguments: readonly string[]
  readonly groups: readonly string[]
  readonly ranges: readonly string[]
  readonly values: readonly string[]
  readonly file?: FileGrid
}

/**
 * Combines all parameters of a run. Those of the file come before those of the command line.
 * @throws UserError for a range or values that cannot be parsed, an option that varies in two places, too many groups.
 */
export function buildGrid(input: GridInput): ParameterGrid {
  const { file } = input
  const grid: ConditionalGrid = {
    fixed: { ...file?.fixed, args: [...(file?.fixed.args ?? []), ...input.experimentArguments] },
    groups: [...(file?.groups ?? []), ...input.groups.map(text => ({ args: wordsOf('-g', text) }))],
    axes: [
      ...(file?.ranges ?? []),
      ...input.ranges.map(parseRange),
      ...(file?.zips ?? []),
      ...input.values.map(parseValues),
    ],
  }
  const axes = grid.axes.filter(({ when }) => when === undefined)
  checkEachGivenOnce({ ...grid, axes })
  checkReplaced(grid)
  if (hasConditions(grid)) return withoutConditions(grid)
  checkSize(grid)
  return grid
}

function parseRange(text: string): RangeAxis {
  const hint = 'a range is --option START STOP STEP (stop excluded), as in -R "--seed 0 10 1"; -V takes listed values'
  const { option, values } = parseOption('-R', text, hint)
  if (values.length !== 3) {
    throw new UserError(`${quoted('-R', text)}: expected 3 numbers after ${option}, found ${values.length}`, hint)
  }
  const [start, stop, step] = values as [string, string, string]
  try {
    const range = makeRange(start, stop, step)
    if (looksLikeValues(start, stop, step)) throw new UserError(`a range of one value, ${start}`)
    return { option, ...range }
  } catch (error) {
    if (error instanceof UserError) throw new UserError(`${quoted('-R', text)}: ${error.message}`, hint)
    throw error
  }
}

function parseValues(text: string): ListAxis {
  const hint = 'values are --option VALUE VALUE …, as in -V "--model small large"'
  const { option, values } = parseOption('-V', text, hint)
  if (values.length === 0) throw new UserError(`${quoted('-V', text)}: no value is given`, hint)
  const [first] = values
  if (values.length === 1 && option.endsWith('=') && first!.includes(',')) {
    const meant = [parameterName(option), ...first!.split(',')].join(' ')
    throw new UserError(`${quoted('-V', text)}: values have blanks between them, no commas`, quoted('-V', meant))
  }
  return { parts: values.map(value => partWith({ option }, value)) }
}

/**
 * The option of a range or of values, as it is given to the script: `--seed 0`, `--seed=0` or, without dashes, `seed=0`, as programs
 * want it whose settings are such words.
 */
function parseOption(flag: string, text: string, hint: string): { option: string; values: readonly string[] } {
  const [first = '', ...words] = wordsOf(flag, text)
  const [, name = '', joined] = /^([^=]*)(?:=(.*))?$/s.exec(first) ?? []
  const option = joined === undefined && isOptionName(name) ? name : `${name}=`
  if (!GIVEN_OPTION.test(option)) throw new UserError(`${quoted(flag, text)}: it does not begin with an option`, hint)
  if (words.some(isOption)) throw new UserError(`${quoted(flag, text)}: one option at a time`, hint)
  return { option, values: joined ? [joined, ...words] : words }
}

function wordsOf(flag: string, text: string): string[] {
  try {
    return splitWords(text)
  } catch (error) {
    if (error instanceof UserError)
      throw new UserError(`${flag}: ${error.message}`, "write a quote as \\' or within quotes of the other kind")
    throw error
  }
}

function quoted(flag: string, text: string): string {
  return `${flag} "${text}"`
}

function checkReplaced({ fixed, groups }: ParameterGrid): void {
  for (const group of groups) {
    const doubtful = doubtfulOption(fixed.args, group.args)
    if (doubtful === null) continue
    const { option, counts } = doubtful
    const [ofAll, ofGroup] = counts.map(count => `${count} word${count === 1 ? '' : 's'}`)
    throw new UserError(
      `${option} has ${ofAll} behind it for all groups and ${ofGroup} in a group: not all may be its values`,
      `write words that belong to no option first, or ${option}=VALUE`,
    )
  }
}

function checkEachGivenOnce({ fixed, groups, axes }: ParameterGrid): void {
  const places = new Map<string, string>()
  for (const key of keysOf(fixed)) places.set(key, 'in the arguments for all groups')
  for (const key of groups.flatMap(keysOf)) places.set(key, 'in a group')
  for (const axis of axes) {
    const place = 'parts' in axis ? 'as a list of values' : 'as a range'
    for (const key of axisKeys(axis)) {
      const other = places.get(key)
      if (other) {
        const second = other === place ? place.replace('as a ', 'as another ') : other
        throw new UserError(`${key} is given twice: ${place} and ${second}`, 'give it in one place only')
      }
      places.set(key, place)
    }
  }
}

/** The options and positionals of a part, by the names in messages. */
function keysOf({ positional = {}, args }: Part): string[] {
  const options = Array.from(readArguments(args), argument => argument.option).filter(option => option !== null)
  return [...Object.keys(positional).map(key => `positional ${key}`), ...options]
}

function axisKeys(axis: Axis): Set<string> {
  if ('parts' in axis) return new Set(axis.parts.flatMap(keysOf))
  return new Set(['option' in axis ? parameterName(axis.option) : `positional ${axis.positional}`])
}

function checkSize(grid: ParameterGrid): void {
  const size = gridSize(grid)
  if (size <= MAX_GROUPS) return
  const factors = grid.axes.map(axis => `${counted(axisLength(axis))} of ${[...axisKeys(axis)].join(', ')}`)
  if (grid.groups.length > 0) factors.unshift(`${counted(grid.groups.length)} given as groups`)
  throw new UserError(
    `${counted(size)} groups are more than the ${counted(MAX_GROUPS)} that a run can have: ${factors.join(' × ')}`,
    'launch several runs, each with a part of the values',
  )
}

function counted(count: number): string {
  return count.toLocaleString('en-US', { maximumSignificantDigits: 15 })
}
