import { resamples } from '../../domain/results/bootstrap.js'
import type { NotCounted } from '../../domain/results/comparison/speaking.js'
import { confidence, type IntervalMethod } from '../../domain/results/statistics.js'
import { type Run, ranOtherCode } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import type { ComparedCell, ExperimentComparison } from '../../operations/results/compare/compare-experiment.js'
import { counted } from '../format/counted.js'
import { parametersText } from '../runs/groups.js'
import { hasLive, type ShownPart } from './shown-cells.js'

/** What is compared, and what is the same for all cells that are shown. If none is, all groups that were looked at. */
export function headline(comparison: ExperimentComparison, shown: ShownPart): string[] {
  const { columns, constants } = shown
  const isEmpty = shown.cells.length === 0
  const runs = isEmpty ? comparison.runs : comparison.runs.filter(({ id }) => shown.runs.has(id))
  const groups = isEmpty ? comparison.groups : shown.groups
  return [
    `${counted(groups, 'group')} of ${runsText(runs)}`,
    ...(columns.has('commit') ? [] : commonCode(runs)),
    ...(Object.keys(constants).length > 0 ? [`constant: ${parametersText(constants)}`] : []),
  ]
}

/** The commit of runs with the same code, or their commits. Not even that is known if the code changed while one of them ran. */
function commonCode(runs: readonly Run[]): string[] {
  const commits = [...new Set(runs.map(({ commit }) => commit.slice(0, 7)))]
  const changes = runs.every(({ dirty }) => dirty) ? ' with uncommitted changes' : ''
  const unsure = runs.filter(ranOtherCode).map(({ id }) => `, but the code changed while run ${id} ran`)
  const codes = new Set(runs.map(({ codeUsed }) => codeUsed))
  if (codes.size > 1 && runs.some(({ dirty }) => dirty)) return []
  if (commits.length === 1) return [`commit ${commits[0]}${changes}${unsure.join('')}`]
  return codes.size === 1 && !codes.has(null) ? [`commits ${fewInSentence(commits)} with the same code`] : []
}

/** How many combinations with a finished group are not shown, since they have none of the metrics. */
export function unmeasuredRemark({ unmeasured }: ShownPart): string[] {
  return unmeasured > 0 ? [`${combinationsHave(unmeasured)} none of these metrics`] : []
}

function combinationsHave(count: number): string {
  return count === 1 ? '1 combination of parameters has' : `${count} combinations of parameters have`
}

/** What a reader has to know besides the rows. @param cells how many there are to show @param rows how many are shown */
export function remarks(comparison: ExperimentComparison, cells: number, rows: number): string[] {
  const { experiment, otherMetrics, metrics, unreadable, runs, notes, origins } = comparison
  const isShownLive = (cell: ComparedCell) => comparison.isLive && hasLive(cell)
  const without = comparison.cells.filter(cell => cell.finished === 0 && !isNotRun(cell) && !isShownLive(cell))
  const waiting = without.filter(isUnderWay).length
  const empty = without.length - waiting
  if (runs.length === 0) return []
  const lines: string[] = []
  if (rows < cells) lines.push(`${cells - rows} more rows: --all`)
  if (waiting > 0) lines.push(`${combinationsHave(waiting)} no finished group yet`)
  if (empty > 0) lines.push(`${combinationsHave(empty)} no finished group: qanat failures ${experiment}`)
  if (comparison.cells.some(isShownLive)) lines.push('values with … are of groups that run, and count in no mean')
  lines.push(...origins, ...notes)
  if (metrics.length === 0) lines.push('no metrics of these groups are known that can be compared')
  else if (otherMetrics.length > 0) lines.push(`${counted(otherMetrics.length, 'more metric')}: --metrics NAME,…`)
  if (!unreadable) return lines
  const groups = counted(unreadable.groups, 'group')
  return [...lines, `there are warnings about the metrics of ${groups}: qanat run_show ${unreadable.run}`]
}

/** Remarks for which no table for other programs has a place. */
export function tableRemarks(comparison: ExperimentComparison): string[] {
  return [...remarks({ ...comparison, origins: [], otherMetrics: [], isLive: false }, 0, 0), ...gridRemarks(comparison)]
}

/** How many groups of which runs do not count, for programs. */
export function notCountedJson(left: NotCounted): { run: number; groups: number }[] {
  return [...left].map(([run, { size }]) => ({ run, groups: size }))
}

/** What intervals beside means are. */
export function intervalRemark(ci: IntervalMethod): string {
  const how = ci.method === 't' ? 't distribution' : `percentile bootstrap, ${resamples} resamples, seed ${ci.seed}`
  return `[low, high] is the ${100 * confidence} % confidence interval of the mean (${how})`
}

/** Which groups of a parameter file are missing, with the command that runs them at the end. */
export function gridRemarks({ grid }: ExperimentComparison): string[] {
  if (!grid) return []
  const { file, cells, notRun, leftOut, command } = grid
  const [are, were] = [leftOut === 1 ? 'is' : 'are', notRun === 1 ? 'was' : 'were']
  const next = command === null ? '' : `: ${command}`
  return [
    ...(leftOut > 0 ? [`${counted(leftOut, 'group')} of the runs ${are} not in ${file} and left out`] : []),
    ...(notRun > 0 ? [`${notRun} of the ${cells} groups of ${file} ${were} not run${next}`] : []),
  ]
}

function isNotRun({ expected, missing }: ComparedCell): boolean {
  return missing.get('not_run')?.length === expected
}

/** `9/10 · 1 oom: 4.217`; empty if nothing is missing. */
export function missingText(cell: ComparedCell): string {
  const { finished, expected, missing } = cell
  if (finished === expected) return ''
  if (isNotRun(cell)) return 'not run'
  const causes = [...missing].map(([cause, { length, 0: first }]) =>
    cause === 'not_run' ? `${length} not run` : `${length} ${cause}: ${first!.run}.${first!.index}`,
  )
  return [`${finished}/${expected}`, ...causes].join(' · ')
}

function isUnderWay({ missing }: ComparedCell): boolean {
  return ['pending', 'running', 'held'].some(state => missing.has(state))
}

/** `runs 4, 7`, or `runs 4 to 19 (12 runs)` if they are many. */
export function runsText(runs: readonly Pick<Run, 'id'>[]): string {
  const ids = runs.map(({ id }) => id)
  const text = ids.length <= 5 ? ids.join(', ') : `${ids[0]} to ${ids.at(-1)} (${ids.length} runs)`
  return `run${ids.length === 1 ? '' : 's'} ${text}`
}
