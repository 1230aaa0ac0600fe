import { type GroupFilter, readGroupFilter } from '../domain/runs/group-filter.js'
import { type GroupState, groupStates } from '../domain/runs/run.js'
import { readFilter } from '../domain/runs/run-filter.js'
import { displayCommand } from '../domain/text/shell-text.js'
import { splitWords } from '../domain/text/words.js'
import { UserError } from '../errors.js'
import type { CompareRequest } from '../operations/results/compare/compare-experiment.js'
import { type PlotRequest, plotKinds } from '../operations/results/plot/plot-experiment.js'
import type { Part, RunSelection } from '../operations/results/select-runs.js'

// What the query of an address asks for, and the words that ask the command line for the same.

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
  return oneOf(query, 'status', groupStates)
}

/** Which runs are wanted, in which order, and the options of a list of runs that ask for them. */
export interface AskedRuns extends RunSelection {
  readonly options: readonly string[]
}

/**
 * Reads the filter of a list of runs: `tag:baseline commit:3f2c since:3d search:word --lr:0.1`, other words are values of parameters; and
 * conditions on metrics, `acc > 0.9, loss < 1`.
 * @throws UserError for what is not understood
 */
export function askedRuns(query: URLSearchParams): AskedRuns {
  const [status, sort] = [query.get('status'), query.get('sort')]
  const chosen = status === null ? [] : [status]
  const { given, where, all } = askedWords(query, /^(status|tag|context|commit|since|search):(.+)$/s)
  const statuses = [...chosen, ...all('status')]
  const lists = {
    tag: all('tag'),
    status: statuses,
    context: all('context'),
    param: all('param'),
    search: all('search'),
    where,
  }
  const single = Object.fromEntries(given.filter(([name]) => name === 'commit' || name === 'since'))
  const filter = readFilter({ ...lists, ...single }, Date.now())
  const typed = [...chosen.map(text => ['status', text] as const), ...given]
  return { filter, sort, options: [...typed.flatMap(([name, value]) => [`--${name}`, value]), ...optionsOf({ sort })] }
}

/** Which groups of a run are wanted, in which order, and the words of a command that asks for them. */
export interface AskedGroups {
  readonly filter: GroupFilter
  readonly sort: string | null
  readonly options: readonly string[]
}

/** The names by which the columns of a list of groups are sorted, where they are others. */
const groupSorts: Readonly<Record<string, string>> = { index: 'group', duration_s: 'duration' }

/**
 * Reads the filter of a list of groups: `cause:oom host:n1 --lr:0.1`, other words are values of parameters; and conditions on
 * metrics.
 * @returns null for all groups in their order, or those in one state
 * @throws UserError for what is not understood
 */
export function askedGroupList(query: URLSearchParams): AskedGroups | null {
  if (!['filter', 'where', 'sort'].some(name => query.has(name))) return null
  const status = query.get('status')
  const { given, where, all } = askedWords(query, /^(status|cause|host):(.+)$/s)
  const filter = readGroupFilter({
    ...{ status: [...(status === null ? [] : [status]), ...all('status')] },
    ...{ cause: all('cause'), host: all('host'), param: all('param'), where },
  })
  const [, sign = '', column = ''] = /^(-?)(.*)$/s.exec(query.get('sort') ?? '') ?? []
  const sort = column === '' ? null : `${sign}${groupSorts[column] ?? column}`
  const typed = [...(status === null ? [] : [['status', status] as const]), ...given]
  return { filter, sort, options: [...typed.flatMap(([name, value]) => [`--${name}`, value]), ...optionsOf({ sort })] }
}

/** The words of a filter with what they are about, and the conditions on metrics. @param named a word that says it */
function askedWords(query: URLSearchParams, named: RegExp) {
  const words = splitWords(query.get('filter') ?? '').map(word => {
    const [, name, value] = named.exec(word) ?? []
    return name === undefined ? (['param', word] as const) : ([name, value!] as const)
  })
  const where = listed(query, 'where')?.map(text => text.trim()) ?? []
  const given = [...words, ...where.map(text => ['where', text] as const)]
  return { given, where, all: (wanted: string) => words.flatMap(([name, value]) => (name === wanted ? [value] : [])) }
}

export interface AskedComparison {
  readonly request: CompareRequest
  readonly ci: boolean
  readonly options: readonly string[]
}

/** Reads which comparison of an experiment is wanted. */
export function askedComparison(experiment: string, query: URLSearchParams): AskedComparison {
  const [by, over, metrics] = [listed(query, 'by'), listed(query, 'over'), listed(query, 'metrics')]
  const sort = query.get('sort')
  const [ci, repeats] = [query.has('ci'), query.has('repeats')]
  const runs = splitWords(query.get('runs') ?? '')
  const flags = [...(ci ? ['--ci'] : []), ...(repeats ? ['--repeats'] : [])]
  const options = [...runs, ...optionsOf({ by, over, metrics, sort }), ...flags]
  const request = { experiment, runs, by, over, metrics, sort, top: null, repeats, parameterFile: null }
  return { request, ci, options }
}

/** Which groups are wanted, as 4.1 and 4.7. */
export function askedGroups(query: URLSearchParams): string[] {
  return listed(query, 'groups') ?? []
}

interface AskedPlot {
  readonly request: PlotRequest
  readonly options: readonly string[]
}

/** Reads which plot of an experiment is wanted. @throws UserError for an unknown kind or axis */
export function askedPlot(experiment: string, query: URLSearchParams): AskedPlot {
  const [x, y, facet] = [query.get('x'), query.get('y'), query.get('facet')]
  const [by, over] = [listed(query, 'by'), listed(query, 'over')]
  const kind = oneOf(query, 'kind', plotKinds)
  const log = oneOf(query, 'log', ['x', 'y', 'xy', 'none'])
  const runs = splitWords(query.get('runs') ?? '')
  const axes = log && { x: log.includes('x'), y: log.includes('y') }
  return {
    request: { experiment, runs, kind, x, y, by, over, facet, log: axes },
    options: [...runs, ...optionsOf({ x, y, by, over, facet, log, kind })],
  }
}

/** The width of a picture, in millimetres. @throws UserError if it is not one */
export function askedWidth(query: URLSearchParams): number {
  return Math.min(Math.max(wholeNumber(query, 'width', 120), 40), 1000)
}

function oneOf<Word extends string>(query: URLSearchParams, name: string, words: readonly Word[]): Word | null {
  const text = query.get(name)
  if (text === null) return null
  const word = words.find(each => each === text)
  if (word) return word
  throw new UserError(`${name}=${text}: unknown`, `use one of ${words.join(', ')}`)
}

/** The words that give options, those of one letter with one dash. */
function optionsOf(values: Readonly<Record<string, string | readonly string[] | null>>): string[] {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== '')
  return given.flatMap(([name, value]) => [`${name.length === 1 ? '-' : '--'}${name}`, [value!].flat().join(',')])
}

function listed(query: URLSearchParams, name: string): string[] | null {
  const words = query.get(name)?.split(',')
  return words?.filter(word => word !== '') ?? null
}

/** A command as one types it. */
export function commandText(...words: readonly string[]): string {
  return displayCommand(['qanat', ...words])
}
