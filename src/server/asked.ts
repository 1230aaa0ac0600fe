import { type GroupState, groupStates } from '../domain/runs/run.js'
import { type RunFilter, readFilter, refuseUnknownMetrics } from '../domain/runs/run-filter.js'
import { displayCommand } from '../domain/text/shell-text.js'
import { splitWords } from '../domain/text/words.js'
import { UserError } from '../errors.js'
import type { Part } from '../operations/browse/run-pages.js'
import type { CompareRequest } from '../operations/results/compare-experiment.js'

// What the query of an address asks for, and the words that ask the command line for the same.

/** Rows of a page. */
const pageSize = 50
const largestPage = 500

/** Which rows are wanted. @throws UserError if the numbers are none */
export function askedPart(query: URLSearchParams): Part {
  const first = wholeNumber(query, 'offset', 0)
  return { first, count: Math.min(wholeNumber(query, 'limit', pageSize), largestPage) }
}

/** A whole number in the query. @throws UserError if it is not one */
export function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name) ?? String(otherwise)
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UserError(`${name}=${text}: not a whole number`)
}

/** The state of the groups that are wanted; null for all. @throws UserError for an unknown one */
export function askedState(query: URLSearchParams): GroupState | null {
  const text = query.get('status')
  if (text === null) return null
  const state = groupStates.find(each => each === text)
  if (state) return state
  throw new UserError(`status=${text}: unknown status`, `use one of ${groupStates.join(', ')}`)
}

/** Which runs are wanted, in which order, and the options of a list of runs that ask for them. */
export interface AskedRuns {
  readonly filter: RunFilter
  readonly sort: string | null
  readonly options: readonly string[]
}

/**
 * Reads the filter of a list of runs: `tag:baseline commit:3f2c since:3d --lr:0.1`, other words are values of parameters.
 * @throws UserError for what is not understood
 */
export function askedRuns(query: URLSearchParams): AskedRuns {
  const [status, sort] = [query.get('status'), query.get('sort')]
  const words = [...(status === null ? [] : [`status:${status}`]), ...splitWords(query.get('filter') ?? '')]
  const given = words.map(word => {
    const [, name, value] = /^(status|tag|commit|since):(.+)$/s.exec(word) ?? []
    return name === undefined ? (['param', word] as const) : ([name, value!] as const)
  })
  const all = (wanted: string) => given.flatMap(([name, value]) => (name === wanted ? [value] : []))
  const [commit, since] = [all('commit').at(-1), all('since').at(-1)]
  const filter = readFilter(
    {
      ...{ tag: all('tag'), status: all('status'), param: all('param') },
      ...(commit !== undefined && { commit }),
      ...(since !== undefined && { since }),
    },
    Date.now(),
  )
  refuseUnknownMetrics(filter, sort ?? undefined, [])
  return {
    filter,
    sort,
    options: [...given.flatMap(([name, value]) => [`--${name}`, value]), ...(sort === null ? [] : ['--sort', sort])],
  }
}

/** A comparison, and the options of `compare` that ask for it. */
export interface AskedComparison {
  readonly request: CompareRequest
  readonly ci: boolean
  readonly options: readonly string[]
}

/** Reads which comparison of an experiment is wanted. */
export function askedComparison(experiment: string, query: URLSearchParams): AskedComparison {
  const listed = (name: string) =>
    query
      .get(name)
      ?.split(',')
      .filter(word => word !== '') ?? null
  const [by, over, metrics, sort] = [listed('by'), listed('over'), listed('metrics'), query.get('sort')]
  const [ci, repeats] = [query.has('ci'), query.has('repeats')]
  const runs = splitWords(query.get('runs') ?? '')
  const options = [
    ...runs,
    ...Object.entries({ by, over, metrics }).flatMap(([name, words]) => (words ? [`--${name}`, words.join(',')] : [])),
    ...(sort === null ? [] : ['--sort', sort]),
    ...Object.entries({ ci, repeats }).flatMap(([name, isOn]) => (isOn ? [`--${name}`] : [])),
  ]
  const request = { experiment, runs, by, over, metrics, sort, top: null, repeats, parameterFile: null }
  return { request, ci, options }
}

/** A command as one types it. */
export function commandText(...words: readonly string[]): string {
  return displayCommand(['qanat', ...words])
}
