import type { GroupResult } from '../../domain/results/compare.js'
import { type Metric, numberOf } from '../../domain/results/metrics.js'
import { valueText } from '../../domain/results/number-text.js'
import type { ComparedPair } from '../../operations/results/compare-pair.js'
import { aligned } from '../format/aligned.js'
import { displayable } from '../format/displayable.js'
import { duration } from '../format/times.js'
import type { JsonObject } from '../render/json.js'

/** Two groups side by side: what differs in their parameters, their metrics, and the diff of their code. */
export function pairText({ experiment, groups, commits, diff }: ComparedPair): string {
  const names = namesIn(groups.map(({ parameters }) => parameters))
  const different = names.filter(name => parameterText(groups[0], name) !== parameterText(groups[1], name))
  const rows = [
    [experiment, ...groups.map(({ run, index }) => `${run}.${index}`)],
    ...different.map(name => [name, ...groups.map(group => parameterText(group, name))]),
    ['status', ...groups.map(({ state, cause }) => (cause === null ? state : `${state}: ${cause}`))],
    ['time', ...groups.map(({ seconds }) => duration(seconds === null ? null : seconds * 1000))],
    ['commit', ...commits.map(commit => commit.slice(0, 7))],
    ...namesIn(groups.map(({ metrics }) => metrics)).map(name => [
      name,
      ...groups.map(group => metricText(group, name)),
    ]),
  ]
  const lines = rows.map(row => row.map(cell => displayable(cell.replace(/[\n\t]/g, ' '))))
  return [aligned(lines), '', codeText(diff)].join('\n')
}

function codeText(diff: string | null): string {
  if (diff === null) return 'The code of one of them is not in this repository.'
  return diff === '' ? 'The code is the same.' : `The code differs:\n${diff.trimEnd()}`
}

/** The same for programs, with all parameters. */
export function pairJson({ experiment, groups, commits, diff }: ComparedPair): JsonObject {
  const both = (value: (group: GroupResult) => unknown) => groups.map(value)
  const metrics = namesIn(groups.map(group => group.metrics))
  return {
    experiment,
    groups: both(({ run, index }) => `${run}.${index}`),
    status: both(({ state }) => state),
    commits,
    parameters: Object.fromEntries(
      namesIn(groups.map(({ parameters }) => parameters)).map(name => [
        name,
        both(group => group.parameters[name] ?? null),
      ]),
    ),
    metrics: Object.fromEntries(metrics.map(name => [name, both(group => metricJson(metricOf(group, name)))])),
    code_diff: diff,
  }
}

function namesIn(mappings: readonly object[]): string[] {
  return [...new Set(mappings.flatMap(mapping => Object.keys(mapping)))]
}

/** A parameter of a group; a tick for a flag. */
export function parameterText({ parameters }: Pick<GroupResult, 'parameters'>, name: string): string {
  const value = parameters[name]
  if (value === undefined) return '–'
  return value === '' ? '✓' : [value].flat().join(' ')
}

function metricOf({ metrics }: Pick<GroupResult, 'metrics'>, name: string): Metric | undefined {
  return Object.hasOwn(metrics, name) ? metrics[name] : undefined
}

/** A metric of a group; a series by its last value. */
export function metricText(group: Pick<GroupResult, 'metrics'>, name: string): string {
  const metric = metricOf(group, name)
  if (metric === undefined) return '–'
  return typeof metric === 'string' || typeof metric === 'boolean' ? String(metric) : valueText(numberOf(metric)!, 6)
}

function metricJson(metric: Metric | undefined): unknown {
  const value = typeof metric === 'object' ? metric.last : (metric ?? null)
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
