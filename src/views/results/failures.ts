import { fewInSentence } from '../../domain/text/names.js'
import type { FailureKind, Failures } from '../../operations/results/failure-kinds.js'
import { aligned } from '../format/aligned.js'
import { counted } from '../format/counted.js'
import { displayable } from '../format/displayable.js'
import type { JsonObject } from '../render/json.js'
import { notCountedJson, runsText } from './comparison-remarks.js'

const shownKinds = 28
const shownGroups = 3
const longestLine = 80

/** Failures by what they have in common, at most 30 lines. */
export function failuresText({ experiment, runs, notes, failed, total, kinds }: Failures): string {
  const where = `${runsText(runs).replace('run', 'Run')} of ${experiment}`
  const remarks = notes.length > 0 ? [`  ${fewInSentence(notes)}`] : []
  if (failed === 0) return [`${where}: none of ${counted(total, 'group')} failed`, ...remarks].join('\n')
  const hasCancelled = kinds.some(({ cause }) => cause === 'cancelled')
  const head = `${where}: ${failed} of ${counted(total, 'group')} ${hasCancelled ? 'did not finish' : 'failed'}`
  const rows = kinds.slice(0, shownKinds - remarks.length)
  const width = String(kinds[0]!.groups.length).length
  const lines = rows.map(kind => [
    `  ${String(kind.groups.length).padStart(width)} × ${kind.label}`,
    shortened(kind.line ?? '(nothing on stderr)'),
    groupIds(kind).slice(0, shownGroups).join(' ') + (kind.groups.length > shownGroups ? ' …' : ''),
    kind.next,
  ])
  const left = kinds.length - rows.length
  const more = left > 0 ? [`  and ${left} more kinds: --json lists them`] : []
  return [head, aligned(lines), ...more, ...remarks].join('\n')
}

/** The same for programs, with all groups. */
export function failuresJson({ runs, left, notes, failed, total, kinds }: Failures): JsonObject {
  return {
    runs: runs.map(({ id }) => id),
    not_counted: notCountedJson(left),
    notes,
    failed,
    total,
    kinds: kinds.map(kind => ({
      cause: kind.cause,
      line: kind.line,
      count: kind.groups.length,
      groups: groupIds(kind),
      next: kind.next,
    })),
  }
}

function groupIds({ groups }: FailureKind): string[] {
  return groups.map(({ run, index }) => `${run}.${index}`)
}

/** On one line, without control characters, whose width is not known. */
function shortened(line: string): string {
  const text = displayable(line.replace(/\t/g, ' '))
  return text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text
}
