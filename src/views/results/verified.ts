import { notKnown } from '../../domain/environments/environment.js'
import { valueText } from '../../domain/results/number-text.js'
import {
  countVerdicts,
  isDifference,
  type KeptDifference,
  type KeptVerification,
  type MetricPair,
  type Verdict,
  type VerdictCounts,
  verdicts,
} from '../../domain/results/reproduced.js'
import type { Compared, Verification } from '../../operations/verify/verify-run.js'
import { counted } from '../format/counted.js'
import { displayableLine } from '../format/displayable.js'
import { isoTime, moment } from '../format/times.js'
import { finiteJson, type JsonObject } from '../render/json.js'

/** At most this many differences are listed. */
const shown = 30

const words: Readonly<Record<Verdict, string>> = {
  identical: 'identical',
  within_tolerance: 'within the tolerance',
  differs: 'differ',
  missing: 'missing',
  added: 'added',
  unknown: 'unknown (the first file is gone, and no hash of it was kept)',
  not_fetched: 'not fetched',
}

/** Whether a run was reproduced, then what differs, and what could not be made the same. */
export function verificationText(verification: Verification): string {
  const { run, again, files, metrics, groups, conditions, unknown } = verification
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
    `Run ${again} ${verification.isReproduced ? 'reproduces' : 'does not reproduce'} run ${run}: ${countsTexts(countVerdicts(files), countVerdicts(metrics))}`,
    ...lines.slice(0, shown).map(line => `  ${displayableLine(line)}`),
    ...(more > 0 ? [`  and ${more} more: --json lists all`] : []),
    ...conditions.map(text => `  could not be made the same: ${text}`),
    ...(verification.isReproduced ? [] : notKnown(unknown).map(text => `  ${text}`)),
  ].join('\n')
}

/** At most this many differences stand on the page of a run. */
const shownOnPage = 3

/** A verdict on the page of one of both runs: `run 2 reproduces it (2026-11-27 17:50:03): 3 files identical; no metrics`. */
export function keptVerificationText(run: number, kept: KeptVerification): string {
  const [first, again] = [kept.run, kept.again].map(id => (id === run ? 'it' : `run ${id}`))
  const reproduces = kept.isReproduced ? 'reproduces' : 'does not reproduce'
  const { differences, files, metrics, more, rtol, ignore, conditions, unknown } = kept
  const [named, others] = [differences.slice(0, shownOnPage), Math.max(0, differences.length - shownOnPage) + more]
  const parts = [
    countsTexts(files, metrics),
    ...(rtol > 0 ? [`with a tolerance of ${rtol}`] : []),
    ...(ignore.length > 0 ? [`without ${ignore.join(', ')}`] : []),
    ...named.map(each => displayableLine(keptDifferenceText(kept.run, each))),
    ...(others > 0 ? [`and ${counted(others, 'more difference')}`] : []),
    ...conditions.map(text => `could not be made the same: ${text}`),
    ...(kept.isReproduced ? [] : notKnown(unknown)),
  ]
  return `${again} ${reproduces} ${first} (${moment(kept.verified, true)}): ${parts.join('; ')}`
}

function keptDifferenceText(run: number, { group, of, name, result }: KeptDifference): string {
  if (of === 'end') return `group ${run}.${group}: ${result}`
  return `${labels[result as Verdict]} ${of === 'metric' ? 'metric ' : ''}${name} of group ${run}.${group}`
}

/** The same for programs. */
export function keptVerificationJson({ isReproduced, verified, more, ...kept }: KeptVerification): JsonObject {
  return { ...kept, reproduced: isReproduced, verified: isoTime(verified), more_differences: more }
}

/** The same for programs, with all files and metrics. */
export function verificationJson(verification: Verification): JsonObject {
  const { run, again, files, metrics, groups, conditions, unknown } = verification
  return {
    ...{ run, again, reproduced: verification.isReproduced },
    files: files.map(({ group, name, verdict }) => ({ group, file: name, result: verdict })),
    metrics: metrics.map(({ group, name, verdict, member, before, after }) => ({
      ...{ group, metric: name, result: verdict, member },
      ...{ before: finiteJson(before), after: finiteJson(after) },
    })),
    ...{ groups, conditions, unknown },
  }
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

function countsTexts(files: VerdictCounts, metrics: VerdictCounts): string {
  return `${countsText('file', files)}; ${countsText('metric', metrics)}`
}

/** `12 files identical, 1 differs`. */
function countsText(noun: string, all: VerdictCounts): string {
  const counts = verdicts.flatMap(verdict => (all[verdict] ? [{ verdict, count: all[verdict] }] : []))
  if (counts.length === 0) return `no ${noun}s`
  return counts
    .map(({ verdict, count }, at) => {
      const unit = at > 0 ? '' : ` ${noun}${count === 1 ? '' : 's'}`
      return `${count}${unit} ${count === 1 ? labels[verdict] : words[verdict]}`
    })
    .join(', ')
}
