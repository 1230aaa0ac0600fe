import { differenceText as dataText } from '../../domain/data/compare-listings.js'
import { notKnown } from '../../domain/environments/environment.js'
import type { GridParameter } from '../../domain/parameters/group-parameters.js'
import { measuredText, valueText } from '../../domain/results/number-text.js'
import type { Summary } from '../../domain/results/statistics.js'
import { type Run, ranOtherCode } from '../../domain/runs/run.js'
import type { RunDifference } from '../../operations/results/compare/diff-runs.js'
import { aligned } from '../format/aligned.js'
import { displayableLine } from '../format/displayable.js'
import { duration, isoTime, moment, secondsOf } from '../format/times.js'
import { countsJson } from '../registry/data.js'
import { finiteJson, type JsonObject } from '../render/json.js'
import { comparedEnvironmentsJson, comparedEnvironmentsText } from '../runs/environments.js'
import { durationOf } from '../runs/state.js'

/** At most this many rows of a section are shown, so that all sections fit on one screen. */
const shown = 8

/** What differs between two runs, on one screen. @param withPatch whether the diff of their code comes after it */
export function differenceText(difference: RunDifference, withPatch: boolean): string {
  const { runs, code, metrics } = difference
  const [one, other] = runs
  const ids = `${one.id} ${other.id}`
  const sections = [
    facts(difference),
    parametersSection(difference),
    codeSection(difference, withPatch ? '' : `qanat diff ${ids} --patch`),
    dataSection(difference),
    environmentSection(difference),
    section(
      'Metrics',
      metrics.map(({ name, of }) => [name, ...arrow(of.map(metricText)), changeText(of)]),
      `qanat diff ${ids} --json`,
    ),
  ]
  const patch = withPatch && code?.diff ? [code.diff.trimEnd()] : []
  return [...sections.filter(text => text !== ''), ...patch].join('\n\n')
}

function facts({ runs, programs, groupSeconds }: RunDifference): string {
  const row = (name: string, text: (run: Run, at: number) => string) => [name, ...runs.map(text)]
  const seconds = (summary: Summary | null) => (summary === null ? '–' : duration(1000 * summary.mean))
  const always = [
    row('', run => `run ${run.id} of ${run.experiment}`),
    row('launched', run => moment(run.launched)),
    row('status', run => run.status),
    row('took', run => duration(durationOf(run, null))),
    row('a group took', (_, at) => seconds(groupSeconds[at as 0 | 1])),
  ]
  const others = [
    row('groups', run => String(Object.values(run.counts).reduce((sum, count) => sum + count, 0))),
    row('commit', run => run.commit.slice(0, 7) + (run.dirty ? ', with changes' : '')),
    row('executable', (_, at) => programs[at]!),
    row('runner', run => run.runner),
    row('context', run => run.site),
    row('template', ({ runnerParameters }) => runnerParameters.submitTemplate ?? '–'),
    row('container', ({ runnerParameters }) => runnerParameters.container?.image ?? '–'),
  ].filter(([, before, after]) => before !== after)
  return aligned([...always, ...others].map(cells => cells.map(displayableLine)))
}

function section(title: string, rows: readonly (readonly string[])[], more: string): string {
  if (rows.length === 0) return title === 'Metrics' ? '' : `${title}: the same`
  const left = rows.length - shown
  const table = aligned(
    rows.slice(0, shown).map(cells => cells.map((cell, at) => (at === 0 ? '  ' : '') + displayableLine(cell))),
  )
  return [`${title}:`, table, ...(left > 0 ? [`  and ${left} more: ${more}`] : [])].join('\n')
}

function parametersSection({ runs, grids: { parameters, groups } }: RunDifference): string {
  if (parameters.length === 0 && groups === 'parameters') return 'Parameters: the same values, in other combinations'
  if (groups === 'numbers') return 'Parameters: the same combinations, but not equally often'
  return section('Parameters', parameters.map(parameterRow), `qanat run_show ${runs[0].id}`)
}

function parameterRow({ name, of }: RunDifference['grids']['parameters'][number]): string[] {
  const [before, after] = of
  const texts = of.map(valuesText)
  if (!before || !after || texts[0] !== texts[1]) return [name, ...arrow(texts)]
  // Their first and last values and their numbers are the same.
  const own = [without(before, after), without(after, before)]
  return [name, ...arrow(own.map(valuesText)), `besides ${before.count - own[0]!.count} of both`]
}

/** A parameter with only those values that it does not have in another grid. */
function without(one: GridParameter, other: GridParameter): GridParameter {
  const known = new Set(other.values)
  const values = one.values.filter(value => !known.has(value))
  return { ...one, values, count: values.length }
}

function codeSection({ runs, code }: RunDifference, more: string): string {
  if (code === null) return 'Code: that of one of them is not in this repository'
  const rows = code.files.map(({ path, added, removed }) => [
    path,
    ...(added === null ? ['binary', ''] : [`+${added}`, `-${removed}`]),
  ])
  const changed = runs.filter(ranOtherCode).map(({ id }) => `run ${id}`)
  if (rows.length === 0 && changed.length > 0)
    return `Code: the recorded code is the same, but the tree was not as recorded when ${changed.join(' and ')} ended`
  if (rows.length === 0 && runs[0].commit !== runs[1].commit) return 'Code: the same, although the commits differ'
  const text = section(
    changed.length > 0 ? `Code (which was not as recorded when ${changed.join(' and ')} ended)` : 'Code',
    rows,
    more,
  )
  return rows.length === 0 || rows.length > shown || more === '' ? text : `${text}\n  ${more}`
}

function dataSection({ runs, data }: RunDifference): string {
  const rows = data.flatMap(({ dataset, readBy, difference }) => {
    if (readBy.length === 1) return [[dataset, `read by run ${readBy[0]} only`]]
    if (difference === null) return [[dataset, 'not recorded of both']]
    const text = dataText(difference)
    const parts = [...(text === '' ? [] : [text]), ...(difference.isPartial ? ['a part was not looked at'] : [])]
    return parts.length === 0 ? [] : [[dataset, parts.join('; ')]]
  })
  if (data.length === 0) return ''
  const changed = data.find(({ difference }) => difference !== null && dataText(difference) !== '')
  const text = section('Data', rows, `qanat run_show ${runs[0].id}`)
  return changed ? `${text}\n  qanat dataset diff ${changed.dataset} ${runs[0].id} ${runs[1].id}` : text
}

function environmentSection({ runs, environment }: RunDifference): string {
  if (environment === null) return 'Environment: not known, since that of one of them is not recorded'
  if (environment.facts.length === 0) {
    const [unknown] = notKnown([...new Set(environment.runs.flatMap(each => each.unknown))])
    return `Environment: ${unknown ?? 'the same'}`
  }
  const [, ...lines] = comparedEnvironmentsText(environment).split('\n')
  const left = lines.length - shown
  const more = left > 0 ? [`  and ${left} more: qanat env diff ${runs[0].id} ${runs[1].id}`] : []
  return ['Environment:', ...lines.slice(0, shown), ...more].join('\n')
}

function arrow([before, after]: readonly string[]): string[] {
  return [before!, `→ ${after}`]
}

/** `0.1, 0.01`, or `0 … 9 (10)`; a tick for a flag. */
function valuesText(parameter: GridParameter | null): string {
  if (parameter === null) return '–'
  const { values, count, isEverywhere } = parameter
  const texts = values.map(value => value || '✓')
  const listed = count <= 4 ? texts.join(', ') : `${texts[0]} … ${texts.at(-1)} (${count})`
  return isEverywhere ? listed : `${listed}, or none`
}

/** `0.912 ± 0.004 (5)`, or the value of a single group. */
function metricText(summary: Summary | null): string {
  if (summary === null) return '–'
  return summary.count === 1
    ? valueText(summary.mean, 6)
    : `${measuredText(summary.mean, summary.sd)} (${summary.count})`
}

function changeText([before, after]: readonly (Summary | null)[]): string {
  if (!before || !after) return ''
  const change = after.mean - before.mean
  if (change === 0) return 'the same'
  return Number.isFinite(change) ? `${change > 0 ? '+' : ''}${valueText(change, 3)}` : ''
}

/** The same for programs. */
export function differenceJson(difference: RunDifference, withPatch: boolean): JsonObject {
  const { runs, programs, grids, code, data, environment, metrics, groupSeconds } = difference
  return {
    runs: runs.map(({ id, experiment, commit, dirty, launched }, at) => ({
      ...{ id, experiment, executable: programs[at], commit_sha: commit, dirty, launched: isoTime(launched) },
      ...{ duration_s: secondsOf(durationOf(runs[at]!, null)), group_s: groupSeconds[at as 0 | 1]?.mean ?? null },
    })),
    same_groups: grids.groups === 'same',
    parameters: Object.fromEntries(grids.parameters.map(({ name, of }) => [name, of.map(gridJson)])),
    code: {
      same: code && code.files.length === 0,
      files: code?.files ?? [],
      ...(withPatch && { patch: code?.diff ?? null }),
    },
    data: data.map(({ dataset, readBy, difference }) => ({
      ...{ dataset, read_by: readBy, difference: difference && countsJson(difference) },
    })),
    environment: environment && comparedEnvironmentsJson(environment),
    metrics: Object.fromEntries(metrics.map(({ name, of }) => [name, of.map(summaryJson)])),
  }
}

function gridJson(parameter: GridParameter | null) {
  return parameter && { values: parameter.values, count: parameter.count }
}

function summaryJson(summary: Summary | null) {
  if (summary === null) return null
  const { mean, sd, min, max, count } = summary
  return { mean: finiteJson(mean), sd: finiteJson(sd), min: finiteJson(min), max: finiteJson(max), count }
}
