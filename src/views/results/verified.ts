import { valueText } from '../../domain/results/number-text.js'
import { isDifference, type MetricPair, type Verdict, verdicts } from '../../domain/results/reproduced.js'
import type { Compared, Verification } from '../../operations/verify/verify-run.js'
import { displayableLine } from '../format/displayable.js'
import type { JsonObject } from '../render/json.js'

/** At most this many differences are listed. */
const shown = 30

const words: Readonly<Record<Verdict, string>> = {
  identical: 'identical',
  within_tolerance: 'within the tolerance',
  differs: 'differ',
  missing: 'missing',
  added: 'added',
  unknown: 'unknown (the first file is gone, and no hash of it was kept)',
}

/** Whether a run was reproduced, then what differs, and what could not be made the same. */
export function verificationText(verification: Verification): string {
  const { run, again, files, metrics, groups, conditions } = verification
  const lines = [
    ...groups.map(({ group, before, after }) => `group ${run}.${group}: ${before} → ${after}`),
    ...differencesOf(files).map(({ group, name, verdict }) => `${labels[verdict]}  ${name} of group ${run}.${group}`),
    ...differencesOf(metrics).map(
      metric =>
        `${labels[metric.verdict]}  metric ${metric.name} of group ${run}.${metric.group}: ${valuesText(metric)}`,
    ),
  ]
  const more = lines.length - shown
  return [
    `Run ${again} ${verification.isReproduced ? 'reproduces' : 'does not reproduce'} run ${run}: ${countsText('file', files)}; ${countsText('metric', metrics)}`,
    ...lines.slice(0, shown).map(line => `  ${displayableLine(line)}`),
    ...(more > 0 ? [`  and ${more} more: --json lists all`] : []),
    ...conditions.map(text => `  could not be made the same: ${text}`),
  ].join('\n')
}

/** The same for programs, with all files and metrics. */
export function verificationJson(verification: Verification): JsonObject {
  const { run, again, files, metrics, groups, conditions } = verification
  return {
    ...{ run, again, reproduced: verification.isReproduced },
    files: files.map(({ group, name, verdict }) => ({ group, file: name, result: verdict })),
    metrics: metrics.map(({ group, name, verdict, member, before, after }) => ({
      ...{ group, metric: name, result: verdict, member },
      ...{ before: finiteJson(before), after: finiteJson(after) },
    })),
    ...{ groups, conditions },
  }
}

/** JSON has neither NaN nor infinity. */
function finiteJson(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

/** Both values, all digits of them, and by how much numbers differ: `0.5 → 0.75 (+0.25)`, `min 1 → 2 (+1)`. */
function valuesText({ member, before, after }: MetricPair): string {
  const both = [before, after].map(value => (value === null ? '–' : String(value))).join(' → ')
  const change = typeof before === 'number' && typeof after === 'number' ? after - before : Number.NaN
  const difference = Number.isFinite(change) ? ` (${change > 0 ? '+' : ''}${valueText(change)})` : ''
  return `${member === null || member === 'last' ? '' : `${member} `}${both}${difference}`
}

const labels: Readonly<Record<Verdict, string>> = { ...words, differs: 'differs' }

function differencesOf<One extends Compared>(all: readonly One[]): One[] {
  return all.filter(({ verdict }) => isDifference(verdict))
}

/** `12 files identical, 1 differs`. */
function countsText(noun: string, all: readonly Compared[]): string {
  if (all.length === 0) return `no ${noun}s`
  const counts = verdicts
    .map(verdict => ({ verdict, count: all.filter(each => each.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
  return counts
    .map(({ verdict, count }, at) => {
      const unit = at > 0 ? '' : ` ${noun}${count === 1 ? '' : 's'}`
      return `${count}${unit} ${count === 1 ? labels[verdict] : words[verdict]}`
    })
    .join(', ')
}
