import { readArguments } from './arguments.js'
import { axisPart, type ParameterGrid } from './grid.js'
import { rangeIndex } from './range.js'
import { isSameValue } from './same-value.js'

/** A parameter that is asked for: it must be as one of these alternatives says. */
export type ParameterFilter = readonly ParameterChoice[]

interface ParameterChoice {
  /** The names that the parameter may have; null for any. */
  readonly names: readonly string[] | null
  readonly value: string
}

/** Reads `--lr:0.1`, `--lr=0.1`, `lr:0.1`, `lr=0.1`, or a value of any parameter, which may have such signs in it. */
export function readParameterFilter(text: string): ParameterFilter {
  const [, name, value = ''] = /^([^:=\s]+)[:=](.*)$/s.exec(text) ?? []
  if (name === undefined) return [{ names: null, value: text }]
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

function remembered(wanted: string): (value: string) => boolean {
  const known = new Map<string, boolean>()
  return value => {
    const isSame = known.get(value) ?? isSameValue(value, wanted)
    known.set(value, isSame)
    return isSame
  }
}

/** Whether some group of a grid has a parameter, without computing the groups. */
export function hasParameter(grid: ParameterGrid, filter: ParameterFilter): boolean {
  return filter.some(choice => hasChoice(grid, choice))
}

function hasChoice(grid: ParameterGrid, { names, value }: ParameterChoice): boolean {
  const isIn = (words: readonly string[]) =>
    Array.from(readArguments(words)).some(
      each => isSameValue(each.value, value) && (names === null || names.includes(each.option ?? '')),
    )
  const isPositional = (positional: Readonly<Record<string, string>> | undefined) =>
    names === null && Object.values(positional ?? {}).some(each => isSameValue(each, value))
  const isPart = (part: { args: readonly string[]; positional?: Readonly<Record<string, string>> }) =>
    isIn(part.args) || isPositional(part.positional)
  if (isPart(fixedPart(grid)) || grid.groups.some(isPart)) return true
  return grid.axes.some(axis => {
    if ('parts' in axis) return axis.parts.some(isPart)
    const index = rangeIndex(axis, value)
    return index !== null && isPart(axisPart(axis, index))
  })
}

/** The arguments of all groups, without options that every group replaces. */
function fixedPart({ fixed, groups }: ParameterGrid): ParameterGrid['fixed'] {
  const optionsOf = (args: readonly string[]) => new Set(Array.from(readArguments(args), argument => argument.option))
  const given = groups.map(group => optionsOf(group.args))
  const args = Array.from(readArguments(fixed.args))
    .filter(({ option }) => option === null || given.length === 0 || !given.every(options => options.has(option)))
    .flatMap(({ words }) => words)
  return { ...fixed, args }
}
