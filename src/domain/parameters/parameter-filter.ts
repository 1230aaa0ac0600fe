import { type Given, isOptionName, readArguments, readSpans } from './arguments.js'
import { axisPart, gridSize, type ParameterGrid, type Part } from './grid.js'
import { groupParameters } from './group-parameters.js'
import { rangeIndex } from './range.js'
import { type AreApart, valueMatcher } from './same-value.js'

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
  areApart: AreApart,
): (parameters: Readonly<Record<string, string | readonly string[]>>) => boolean {
  const matchers = filters.map(choices => choices.map(choice => ({ ...choice, isSame: matcherOf(choice, areApart) })))
  return parameters =>
    matchers.every(choices =>
      choices.some(({ names, isSame }) => {
        for (const name of names ?? Object.keys(parameters)) {
          const value = Object.hasOwn(parameters, name) ? parameters[name]! : []
          if (typeof value === 'string' ? isSame(name, value) : value.some(each => isSame(name, each))) return true
        }
        return false
      }),
    )
}

function matcherOf({ value }: ParameterChoice, areApart: AreApart): (name: string, value: string) => boolean {
  return value === null ? () => true : valueMatcher(value, areApart)
}

/** Whether some group of a grid has a parameter: without computing the groups, if the parts of the grid tell it. */
export function hasParameter(grid: ParameterGrid, filter: ParameterFilter, areApart: AreApart): boolean {
  const isPlaced = filter.some(({ names }) => names?.some(name => /^pos_\d+$/.test(name)))
  if (!isPlaced && !isEntangled(grid)) return filter.some(choice => hasChoice(grid, choice, areApart))
  const isWanted = parameterMatcher([filter], areApart)
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

function hasChoice(grid: ParameterGrid, choice: ParameterChoice, areApart: AreApart): boolean {
  const { names, value } = choice
  const isSame = matcherOf(choice, areApart)
  // Where a positional stands is not known here, and makes no difference to what is apart.
  const isWanted = (option: string | null) => (each: string) => isSame(option ?? 'pos_0', each)
  const isIn = (args: readonly Given[]) =>
    Array.from(readArguments(args)).some(
      ({ option, value: own }) =>
        (names === null || names.includes(option ?? '')) && [own].flat().some(isWanted(option)),
    )
  const isPositional = (positional: Readonly<Record<string, string>> | undefined) =>
    names === null && Object.values(positional ?? {}).some(isWanted(null))
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
