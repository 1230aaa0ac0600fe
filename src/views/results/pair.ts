import { textOfValue } from '../../domain/parameters/same-value.js'
import type { GroupResult } from '../../domain/results/compare.js'
import { type Metric, numberOf } from '../../domain/results/metrics.js'
import { valueText } from '../../domain/results/number-text.js'
import { ranOtherCode } from '../../domain/runs/run.js'
import { quoteWords } from '../../domain/text/shell-text.js'
import type { ComparedPair } from '../../operations/results/compare/compare-pair.js'
import { aligned } from '../format/aligned.js'
import { displayableLine } from '../format/displayable.js'
import { duration } from '../format/times.js'
import { finiteJson, type JsonObject } from '../render/json.js'
import { groupLink } from '../render/page.js'

/** Two groups side by side: what differs in their parameters, their metrics, and the diff of their code. */
export function pairText(pair: ComparedPair): string {
  const { parameters, facts, metrics } = pairRows(pair)
  const heading = { name: pair.experiment, texts: pair.groups.map(groupName) }
  const rows = [heading, ...parameters.filter(({ isSame }) => !isSame), ...facts, ...metrics]
  const lines = rows.map(({ name, texts }) => [name, ...texts].map(displayableLine))
  return [aligned(lines), '', codeText(pair)].join('\n')
}

/** Longer diffs are cut on pages, in characters. */
const mostOfDiff = 200_000

/** The same for a page in the browser, with all parameters. */
export function pairPage(pair: ComparedPair) {
  const { experiment, groups, diff } = pair
  return {
    groups: groups.map(group => ({ title: groupName(group), link: groupLink(group.run, group.index) })),
    ...pairRows(pair),
    code: diff === null || diff === '' ? codeText(pair) : 'The code differs:',
    diff: diff?.slice(0, mostOfDiff) ?? '',
    isCut: (diff?.length ?? 0) > mostOfDiff,
    experiment,
  }
}

function pairRows({ groups, runs, programs }: ComparedPair) {
  const row = (name: string, textOf: (group: GroupResult, at: number) => string) => {
    const texts = groups.map(textOf)
    return { name, texts, isSame: texts[0] === texts[1] }
  }
  return {
    parameters: namesIn(groups.map(({ parameters }) => parameters)).map(name => ({
      ...row(name, group => parameterText(group, name)),
      isSame: isSameParameter(name, groups),
    })),
    facts: [
      row('status', ({ state, cause }) => (cause === null ? state : `${state}: ${cause}`)),
      row('time', ({ seconds }) => duration(seconds === null ? null : seconds * 1000)),
      row('commit', (_, at) => runs[at]!.commit.slice(0, 7)),
      ...[row('executable', (_, at) => programs[at]!)].filter(({ isSame }) => !isSame),
    ],
    metrics: namesIn(groups.map(({ metrics }) => metrics)).map(name => row(name, group => metricText(group, name))),
  }
}

function isSameParameter(name: string, groups: ComparedPair['groups']): boolean {
  const [one, other] = groups.map(({ parameters }) => {
    const value = parameters[name]
    return value === undefined ? null : textOfValue(value)
  })
  return one === other
}

function groupName({ run, index }: GroupResult): string {
  return `${run}.${index}`
}

function codeText({ diff, runs }: ComparedPair): string {
  if (diff === null) return 'The code of one of them is not in this repository.'
  if (diff !== '') return `The code differs:\n${diff.trimEnd()}`
  const changed = runs.find(ranOtherCode)
  return changed
    ? `The recorded code is the same, but the tree was not as recorded when run ${changed.id} ended.`
    : 'The code is the same.'
}

/** The same for programs, with all parameters. */
export function pairJson({ experiment, groups, runs, programs, diff }: ComparedPair): JsonObject {
  const both = (value: (group: GroupResult) => unknown) => groups.map(value)
  const byName = (mappings: readonly object[], value: (group: GroupResult, name: string) => unknown) =>
    Object.fromEntries(namesIn(mappings).map(name => [name, both(group => value(group, name))]))
  return {
    experiment,
    groups: both(groupName),
    status: both(({ state }) => state),
    commits: runs.map(({ commit }) => commit),
    parameters: byName(
      groups.map(group => group.parameters),
      ({ parameters }, name) => parameters[name] ?? null,
    ),
    metrics: byName(
      groups.map(group => group.metrics),
      (group, name) => metricJson(metricOf(group, name)),
    ),
    executables: programs,
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
  if (value === '') return '✓'
  return typeof value === 'string' ? value : quoteWords(value)
}

function metricOf({ metrics }: Pick<GroupResult, 'metrics'>, name: string): Metric | undefined {
  return Object.hasOwn(metrics, name) ? metrics[name] : undefined
}

/** A metric of a group; a series by its last value. @param digits of a number, at most */
export function metricText(group: Pick<GroupResult, 'metrics'>, name: string, digits = 6): string {
  const metric = metricOf(group, name)
  if (metric === undefined) return '–'
  return typeof metric === 'string' || typeof metric === 'boolean'
    ? String(metric)
    : valueText(numberOf(metric)!, digits)
}

function metricJson(metric: Metric | undefined): unknown {
  return finiteJson(typeof metric === 'object' ? metric.last : (metric ?? null))
}
