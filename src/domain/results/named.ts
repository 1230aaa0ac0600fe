import { UserError } from '../../errors.js'
import { nearest } from '../text/names.js'
import { type GroupResult, looksLikeSeed } from './compare.js'
import type { Statistic } from './metrics.js'

/** The names of all parameters. */
export function parameterNames(groups: readonly GroupResult[]): string[] {
  const names = new Set<string>()
  for (const { parameters } of groups) for (const name in parameters) names.add(name)
  return [...names]
}

/** A parameter may be named without its dashes. */
export function parameterNamed(option: string, word: string, parameters: readonly string[]): string {
  const found = findParameter(word, parameters)
  if (found !== undefined) return found
  const meant = nearest(plain(word), parameters.map(plain))
  throw new UserError(
    `${option} ${word}: no group has this parameter${meant === null ? '' : `. Did you mean ${meant}?`}`,
    parametersText(parameters),
  )
}

function parametersText(parameters: readonly string[]): string {
  return parameters.length > 0 ? `the parameters are ${few(parameters)}` : 'the groups have no parameters'
}

function few(names: readonly string[]): string {
  return `${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`
}

/** The parameter of that name, with or without its dashes. */
export function findParameter(word: string, parameters: readonly string[]): string | undefined {
  return parameters.find(name => name === word) ?? parameters.find(name => plain(name) === plain(word))
}

/** The parameters to average over. @param over as typed; empty for those that look like a seed, null for none */
export function averaged(over: readonly string[] | null, parameters: readonly string[]): string[] {
  if (over === null) return []
  if (over.length > 0) return over.map(word => parameterNamed('--over', word, parameters))
  const seeds = parameters.filter(looksLikeSeed)
  if (seeds.length > 0) return seeds
  throw new UserError(
    '--over: no option of the runs looks like a seed',
    `name one: --over ${parameters[0] ?? 'PARAMETER'}`,
  )
}

/** The name of an option without its dashes. */
export function plain(name: string): string {
  return name.replace(/^--?/, '')
}

/** A metric, and which value of a series, as in `acc:max`. */
export const ofSeries = /^(.*):(last|min|max)$/s

/**
 * Words that were split at commas, joined where names of metrics have commas.
 * @param there names of all metrics
 */
export function joinedNames(words: readonly string[], there: ReadonlyMap<string, boolean>): string[] {
  const names: string[] = []
  const isThere = (word: string) => there.has(word) || there.has(word.replace(ofSeries, '$1'))
  for (let first = 0; first < words.length; ) {
    let end = words.length
    while (end > first + 1 && !isThere(words.slice(first, end).join())) end--
    names.push(words.slice(first, end).join())
    first = end
  }
  return names
}

/**
 * A metric, and of a series the largest or smallest value, as in `acc:max`.
 * @param there names of all metrics
 * @param parameters which may be named in its place, even if there are none; null if only a metric may be named
 */
export function metricNamed(
  option: string,
  word: string,
  there: ReadonlyMap<string, boolean>,
  parameters: readonly string[] | null = null,
): [string, Statistic] {
  const [, name = word, statistic = 'last'] = there.has(word) ? [] : (ofSeries.exec(word) ?? [])
  if (there.has(name)) return [name, statistic as Statistic]
  const names = [...there.keys()]
  const meant = nearest(name, [...(parameters ?? []).map(plain), ...names])
  const kind = parameters ? 'this parameter or metric' : 'this metric'
  const metricsText = names.length > 0 ? `the metrics are ${few(names)}` : 'the groups have left no metrics'
  throw new UserError(
    `${option} ${name}: no group has ${kind}${meant === null ? '' : `. Did you mean ${meant}?`}`,
    parameters ? `${parametersText(parameters)}; ${metricsText}` : metricsText,
  )
}
