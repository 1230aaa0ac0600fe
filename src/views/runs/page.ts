import type { Container } from '../../domain/container.js'
import type { Run } from '../../domain/runs/run.js'
import type { RunDetails } from '../../operations/runs/run-details.js'
import { markdownText } from '../format/markdown.js'
import type { Style } from '../format/style.js'
import { age, duration, moment } from '../format/times.js'
import { groupTable } from './groups.js'
import { durationOf, progressText, stateText } from './state.js'

const shownWarnings = 10

/** A run's page: all that is recorded about it, then its groups. */
export function runPage(style: Style, run: Run, details: RunDetails, now: number): string {
  const { groups, submission, attempts, hasFolder, leftBehind, warnings, comment } = details
  const { symbol } = style
  const { container } = run.runnerParameters
  const took = durationOf(run, now)
  const lines = [
    `Run ${run.id} of experiment ${run.experiment}`,
    `${symbol('🔍')}Status: ${stateText(style, run.status)}, ${progressText(run)}`,
    `${symbol('🖥')}Runner: ${runnerText(run)}`,
    ...(submission ? [`${symbol('🎫')}Jobs: ${submission}`] : []),
    ...(container ? [`${symbol('📦')}Container: ${containerText(container)}`] : []),
    ...(run.rerunOf === null ? [] : [`${symbol('🔁')}Rerun of: run ${run.rerunOf}`]),
    `${symbol('📁')}Path: ${run.storagePath}${hasFolder ? '' : ' (gone)'}`,
    ...(leftBehind.length === 0
      ? []
      : [`${symbol('📁')}Left behind: ${leftBehind.join(', ')} (files that its scripts wrote to the frozen copy)`]),
    `${symbol('📆')}Launched: ${moment(run.launched, true)}`,
    ...attempts.flatMap(({ groups: again, launched, submitTemplate: template }) =>
      again === null
        ? []
        : `${symbol('📆')}Launched again: ${moment(launched, true)}, ${again.length} group${again.length === 1 ? '' : 's'}, template ${template}`,
    ),
    `${symbol('⏱')}Ran: ${ranText(run)}${took === null ? '' : ` (${duration(took)})`}`,
    `${symbol('📑')}Commit: ${run.commit}${codeText(run)}`,
    `${symbol('🏷')}Tags: ${run.tags.join(', ')}`,
    `${symbol('💬')}Description: ${run.description}`,
    ...warnings.slice(0, shownWarnings).map(warning => `${symbol('⚠')}Warning: ${warning}`),
  ]
  if (run.finished === null)
    lines.push(`As of ${moment(run.asOf, true)} (${age(now - run.asOf)} ago)${run.host ? `, from ${run.host}` : ''}`)
  const card = lines.map(line => line.trimEnd()).join('\n')
  const parts = [card, ...(comment ? [markdownText(style, comment).trimEnd()] : []), groupTable(style, groups, now)]
  return `${parts.join('\n\n')}\n`
}

/** The runner of a run and its parameters. */
export function runnerText({ runner, runnerParameters }: Run): string {
  const { submitTemplate, slots } = runnerParameters
  const limit = slots === null ? '' : `, ${slots} slot${slots === 1 ? '' : 's'}`
  return `${runner}${submitTemplate ? ` (submit_template ${submitTemplate})` : ''}${limit}`
}

/** A container, whether it has GPUs, and the digest of its image. */
export function containerText({ image, gpu, digest }: Container): string {
  return `${image}${gpu ? ', with GPUs' : ''}${digest ? ` (${digest})` : ''}`
}

function ranText(run: Run): string {
  if (run.started === null) return 'not started'
  return `${moment(run.started, true)} → ${run.finished === null ? 'now' : moment(run.finished, true)}`
}

/** Remarks on the code of a run, in parentheses; empty if it is just the commit. */
export function codeText(run: Run): string {
  const remarks = [
    run.dirty ? 'with uncommitted changes, kept in .run/uncommitted.patch' : '',
    run.frozen ? `frozen in ${run.frozen}` : '',
    run.codeChanged ? `${run.frozen ? 'its files' : 'the tree'} changed while it ran` : '',
  ].filter(text => text !== '')
  return remarks.length > 0 ? ` (${remarks.join('; ')})` : ''
}
