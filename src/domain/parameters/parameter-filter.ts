import { type Given, isOptionName, readArguments, readSpans } from './arguments.js'
import { axisPart, gridSize, type ParameterGrid, type Part } from './grid.js'
import { groupParameters } from './group-parameters.js'
import { rangeIndex } from './range.js'
import { isSameValue } from './same-value.js'

/** A parameter that is asked for: it must be as one of these alternatives says. */
export type ParameterFilter = readonly ParameterChoice[]

interface ParameterChoice {
  /** The names that the parameter may have; null for any. */
  readonly names: readonly string[] | null
  /** Null for any. */
  readonly value: string | null
}

/**
 * Reads `--lr:0.1`, `--lr=0.1`, `lr:0.1`, `lr=0.1`, the option `--lr` with any value, or a value of any parameter, which may have
 * such signs in it.
 */
export function readParameterFilter(text: string): ParameterFilter {
  const [, name, value = ''] = /^([^:=\s]+)[:=](.*)$/s.exec(text) ?? []
  if (name === undefined) return [isOptionName(text) ? { names: [text], value: null } : { names: null, value: text }]
  if (/^--?[^-]/.test(name)) return [{ names: [name], value }]
  return [
    { names: [`--${name}`, `-${name}`, name], value },
    { names: null, value: text },
  ]
}

/** The name that a filter gives with its dashes; null if it has none. */
export function namedOption([first]: ParameterFilter): string | null {
  return first?.names?.length === 1 ? first.names[0]! : null
}

/** Makes a function that says whether a group has all of these parameters. It remembers the values that it has seen. */
export function parameterMatcher(
  filters: readonly ParameterFilter[],
): (parameters: Readonly<Record<string, string | readonly string[]>>) => boolean {
  const matchers = filters.map(choices => choices.map(choice => ({ ...choice, isSame: remembered(choice.value) })))
  return parameters =>
    matchers.every(choices =>
      choices.some(({ names, isSame }) => {
        for (const name of names ?? Object.keys(parameters)) {
          const value = Object.hasOwn(parameters, name) ? parameters[name]! : []
          if (typeof value === 'string' ? isSame(value) : value.some(isSame)) return true
        }
        return false
      }),
    )
}

function remembered(wanted: string | null): (value: string) => boolean {
  if (wanted === null) return () => true
  const known = new Map<string, boolean>()
  return value => {
    const isSame = known.get(value) ?? isSameValue(value, wanted)
    known.set(value, isSame)
    return isSame
  }
}

/** Whether some group of a grid has a parameter: without computing the groups, if the parts of the grid tell it. */
export function hasParameter(grid: ParameterGrid, filter: ParameterFilter): boolean {
  const isPlaced = filter.some(({ names }) => names?.some(name => /^pos_\d+$/.test(name)))
  if (!isPlaced && !isEntangled(grid)) return filter.some(choice => hasChoice(grid, choice))
  const isWanted = parameterMatcher([filter])
  const parametersAt = groupParameters(grid)
  for (let index = 0; index < gridSize(grid); index++) if (isWanted(parametersAt(index))) return true
  return false
}

/**
 * Whether a part may change what another one means: both have the same positional, or there are words without an option, which
 * become values where an option of another part comes to stand before them.
 */
function isEntangled({ fixed, groups, axes }: ParameterGrid): boolean {
  const layers = [[fixed], groups, ...axes.map(axis => ('parts' in axis ? axis.parts : [axisPart(axis, 0)]))]
  const keys = layers.flatMap(parts => [...new Set(parts.flatMap(({ positional = {} }) => Object.keys(positional)))])
  const hasLoose = ({ args }: Part) => Array.from(readArguments(args)).some(({ option }) => option === null)
  const isMixed = groups.length > 0 || axes.some(axis => 'parts' in axis)
  return new Set(keys).size < keys.length || (isMixed && layers.some(parts => parts.some(hasLoose)))
}

function hasChoice(grid: ParameterGrid, { names, value }: ParameterChoice): boolean {
  const isWanted = (each: string) => value === null || isSameValue(each, value)
  const isIn = (args: readonly Given[]) =>
    Array.from(readArguments(args)).some(
      each => [each.value].flat().some(isWanted) && (names === null || names.includes(each.option ?? '')),
    )
  const isPositional = (positional: Readonly<Record<string, string>> | undefined) =>
    names === null && Object.values(positional ?? {}).some(isWanted)
  const isPart = (part: Part) => isIn(part.args) || isPositional(part.positional)
  if (isPart(fixedPart(grid)) || grid.groups.some(isPart)) return true
  return grid.axes.some(axis => {
    if ('parts' in axis) return axis.parts.some(isPart)
    const index = value === null ? 0 : rangeIndex(axis, value)
    return index !== null && isPart(axisPart(axis, index))
  })
}

/** The arguments of all groups, without options that every group replaces. */
function fixedPart({ fixed, groups }: ParameterGrid): Part {
  const optionsOf = ({ args }: Part) => new Set(Array.from(readArguments(args), argument => argument.option))
  const given = groups.map(optionsOf)
  const isReplaced = (option: string | null) =>
    option !== null && given.length > 0 && given.every(options => options.has(option))
  const args = readSpans(fixed.args).flatMap(span => (isReplaced(span.option) ? [] : span.given))
  return { ...fixed, args }
}
