import { compareGroups, type GroupResult, hasOneOf, numericParameters } from '../../../domain/results/compare.js'
import type { Metrics } from '../../../domain/results/metrics.js'
import { averaged, findParameter, metricNamed, parameterNamed, parameterNames } from '../../../domain/results/named.js'
import type { PlotKind } from '../../../domain/results/plot/plot.js'
import { type Horizontal, type PlotShape, type PlotWish, plotShape } from '../../../domain/results/plot/shape.js'
import { UserError } from '../../../errors.js'
import type { Results } from '../chosen-runs.js'
import type { ResultFilter } from '../looked-at.js'

/** A request for a plot, as it was typed. */
export interface PlotRequest {
  readonly experiment: string
  /** See {@link LookedAt}. */
  readonly runs: readonly string[]
  readonly filter?: ResultFilter | null
  readonly kind: PlotKind | null
  readonly x: string | null
  readonly y: string | null
  readonly by: readonly string[] | null
  /** Empty for the options that look like a seed, which must be there; null for those that are. */
  readonly over: readonly string[] | null
  readonly facet: string | null
  /** Null if nobody says. */
  readonly log: { readonly x: boolean; readonly y: boolean } | null
  /** Whether groups that run have a line of what they have left so far. */
  readonly isLive?: boolean
}

/** What was asked for, and what is known of the groups. @param isWhole whether no certain value of a series is asked for */
export function wishOf(
  request: Omit<PlotRequest, 'runs'>,
  { groups, there }: Results,
  metric: string,
  isWhole: boolean,
): PlotWish {
  const parameters = parameterNames(groups)
  const finished = groups.filter(mayBeDrawn)
  const measured = finished.filter(group => hasOneOf(group, [metric]) || isLiveIn(group, metric))
  // Only what differs among groups that are drawn has a place: an option that was mistyped once, or a trial, gets none.
  const drawn = measured.length > 0 ? measured : finished
  const varies = varyingIn(drawn)
  return {
    kind: request.kind,
    x: request.x === null ? null : horizontal(request.x, parameters, there),
    by: request.by?.map(word => parameterNamed('--by', word, parameters)) ?? null,
    over: request.over === null ? null : averaged(request.over, parameters),
    facet: request.facet === null ? null : parameterNamed('--facet', request.facet, parameters),
    // As long as a single one has finished, what will differ later has one.
    varying: varies.length > 0 ? varies : varyingIn(groups).filter(name => drawn.some(each => name in each.parameters)),
    numbers: numericParameters(drawn),
    isCrowded: (names, most) => hasMore(drawn, names, most),
    isSeries: isWhole && isSeries(groups, metric),
  }
}

/** The parameters in which groups differ. */
export function varyingIn(groups: readonly GroupResult[]): readonly string[] {
  return compareGroups(groups, { by: null, over: [] }).by
}

/** Whether groups have more combinations of values of these parameters than `most`. */
function hasMore(groups: readonly GroupResult[], names: readonly string[], most: number): boolean {
  const found = new Set<string>()
  for (const { parameters } of groups) {
    found.add(JSON.stringify(names.map(name => parameters[name] ?? null)))
    if (found.size > most) return true
  }
  return false
}

/** Whether some groups have more than one value of a metric. */
export function isSeries(groups: readonly GroupResult[], metric: string): boolean {
  const isIn = (metrics: Metrics) => Object.hasOwn(metrics, metric) && typeof metrics[metric] === 'object'
  return groups.some(({ metrics, soFar = {} }) => isIn(metrics) || isIn(soFar))
}

/** Parameters come first: `lr:last` means the metric of the same name. */
function horizontal(word: string, parameters: readonly string[], there: ReadonlyMap<string, boolean>): Horizontal {
  const parameter = findParameter(word, parameters)
  if (parameter !== undefined) return { is: 'parameter', name: parameter }
  if (/^(step|epoch)$/.test(word) && !there.has(word)) return { is: 'step', name: word }
  const [metric, statistic] = metricNamed('-x', word, there, parameters)
  return { is: 'metric', name: `${metric}:${statistic}` }
}

/** What fits a wish. @throws UserError if nothing does */
export function shapeOf(wish: PlotWish): PlotShape {
  const shape = plotShape(wish)
  if (typeof shape !== 'string') return shape
  if (shape.startsWith('series: no group has'))
    throw new UserError(
      shape,
      'name the file that has them in the YAML file: metrics: [{file: history.csv, step: epoch}]',
    )
  const others =
    wish.varying.length > 0
      ? `what varies is ${wish.varying.join(', ')}`
      : 'draw runs with different parameters, or a series'
  throw new UserError(shape, others)
}

/** Whether a group has finished, or has left something that is looked at while it runs. */
export function mayBeDrawn({ state, soFar }: GroupResult): boolean {
  return state === 'finished' || soFar !== undefined
}

/** Whether a group that runs has left a metric so far. */
export function isLiveIn({ soFar }: GroupResult, metric: string): boolean {
  return soFar !== undefined && Object.hasOwn(soFar, metric)
}
