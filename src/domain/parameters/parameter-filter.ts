import { isOptionName } from './arguments.js'
import type { ParameterGrid } from './grid.js'
import { gridValues } from './group-parameters.js'
import { valueMatcher } from './same-value.js'

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
  const matchers = filters.map(choices => choices.map(choice => ({ ...choice, isSame: matcherOf(choice) })))
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

function matcherOf({ value }: ParameterChoice): (value: string) => boolean {
  return value === null ? () => true : valueMatcher(value)
}

/** Whether some group of a grid has a parameter. */
export function hasParameter(grid: ParameterGrid, filter: ParameterFilter): boolean {
  const parameters = gridValues(grid)!
  return filter.some(choice => {
    const isSame = matcherOf(choice)
    const named = parameters.filter(({ name }) => choice.names?.includes(name) ?? true)
    return named.some(({ values }) => values.flat().some(isSame))
  })
}
