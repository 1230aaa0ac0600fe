import type { Container } from '../../domain/container.js'
import { differenceText, goneText, isChanged } from '../../domain/data/compare-listings.js'
import type { ListedRun } from '../../domain/results/best.js'
import { valueText } from '../../domain/results/number-text.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { causeLabel } from '../../domain/runs/cause-label.js'
import { HERE, importsLiveCode, liveCodeMark, type Retirement, type Run } from '../../domain/runs/run.js'
import type { DataChange } from '../../operations/data/data-now.js'
import type { KeptOutputs } from '../../operations/outputs/outputs.js'
import type { RunDetails } from '../../operations/runs/run-details.js'
import type { GroupSummary } from '../../store/pages.js'
import { counted } from '../format/counted.js'
import { markdownText } from '../format/markdown.js'
import { byteText } from '../format/sizes.js'
import type { Style } from '../format/style.js'
import { age, duration, moment } from '../format/times.js'
import type { Fact } from '../model.js'
import { fingerprintText } from '../registry/data.js'
import { keptVerificationText } from '../results/verified.js'
import { environmentLine } from './environments.js'
import { groupTable } from './groups.js'
import { durationOf, progressText, runStatusText } from './state.js'

const shownWarnings = 10

/** At most this many groups are listed on the page of a run. */
export const shownGroups = 50
/** A summary of fewer groups would say nothing that the list does not. */
const summarized = 10
const shownHosts = 5

/**
 * A run's page: all that is recorded about it, then its groups, or the first of them.
 * @param changes of its data since it was launched
 */
export function runPage(
  style: Style,
  run: ListedRun,
  details: RunDetails,
  now: number,
  changes: readonly DataChange[] = [],
): string {
  const { comment, groups } = details
  const total = totalOf(run.counts)
  const best = bestText(run, details.folder)
  const bestFact = best === null ? [] : [{ symbol: '🏆', title: 'Best', text: best }]
  const facts = runFacts(style, run, details, now).toSpliced(1, 0, ...summaryFacts(run, details.summary), ...bestFact)
  const changed = changes.map(change => ({ symbol: '💾', title: 'Data now', text: changeText(run, change) }))
  const lines = [
    `Run ${run.id} of experiment ${run.experiment}`,
    ...[...facts, ...changed].map(({ symbol, title, text }) =>
      `${symbol ? style.symbol(symbol) : ''}${title}: ${text}`.trimEnd(),
    ),
  ]
  const parts = [
    lines.join('\n'),
    ...(comment ? [markdownText(style, comment).trimEnd()] : []),
    groupTable(style, groups, now),
    ...(groups.length < total ? [moreText(run, total - groups.length)] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

function changeText({ id }: Run, { dataset, now, difference, missing }: DataChange): string {
  const name = now === null || now === dataset ? dataset : `${now}, formerly ${dataset},`
  if (missing !== null) return `${name} ${goneText(missing)}`
  const since = isChanged(difference) ? ' changed since' : ''
  const hint = now === null ? '' : `: qanat dataset diff ${now} ${id}`
  return `${name}${since}: ${differenceText(difference)}${hint}`
}

function moreText({ id, counts }: Run, more: number): string {
  const failed = counts.failed > shownGroups ? `        qanat failures ${id}` : ''
  return `and ${counted(more, 'more group')}: qanat groups ${id}${failed}`
}

function summaryFacts({ id, counts }: Run, { ends, hosts, slowest }: GroupSummary): Fact[] {
  if (totalOf(counts) <= summarized) return []
  const causes = ends
    .filter(({ state }) => state === 'failed' || state === 'lost')
    .map(end => `${end.groups} × ${causeLabel(end)}`)
  const places = hosts.slice(0, shownHosts).map(({ host, groups }) => `${host} (${groups})`)
  const more = hosts.length > shownHosts ? ` and ${hosts.length - shownHosts} more` : ''
  const longest = slowest.map(({ index, took }) => `${id}.${index} (${duration(took)})`)
  return [
    ...(causes.length > 0 ? [{ symbol: '💥', title: 'Causes', text: causes.join(', ') }] : []),
    ...(longest.length > 0 ? [{ symbol: '🐢', title: 'Slowest', text: longest.join(', ') }] : []),
    ...(places.length > 0 ? [{ symbol: '🖥', title: 'Hosts', text: places.join(', ') + more }] : []),
  ]
}

/** All that is recorded about a run but its comment and its groups. @param now milliseconds since the epoch */
export function runFacts(style: Style, run: Run, details: Omit<RunDetails, 'groups' | 'summary'>, now: number): Fact[] {
  const { submission, attempts, folder, hasCopy, leftBehind, warnings, data, environments, outputs, actions } = details
  const { processes, verifications } = details
  const environment = environmentLine(run, environments)
  const { container, resolved } = run.runnerParameters
  const calls = actions.map(({ action, times }) => (times === 1 ? action : `${times} × ${action}`)).join(', ')
  const took = durationOf(run, now)
  const left = `${leftBehind.join(', ')} (files that its scripts wrote to the frozen copy)`
  const again = attempts.flatMap(({ groups, launched, submitTemplate }) =>
    groups === null ? [] : `${moment(launched, true)}, ${counted(groups.length, 'group')}, template ${submitTemplate}`,
  )
  const asOf = `${moment(run.asOf, true)} (${age(now - run.asOf)} ago)${run.host ? `, from ${run.host}` : ''}`
  return [
    { symbol: '🔍', title: 'Status', text: `${runStatusText(style, run)}, ${progressText(run)}` },
    { symbol: '🖥', title: 'Runner', text: runnerText(run) },
    ...(submission ? [{ symbol: '🎫', title: 'Jobs', text: submission }] : []),
    ...(container ? [{ symbol: '📦', title: 'Container', text: containerText(container) }] : []),
    ...(typeof resolved.image === 'string' ? [{ symbol: '📦', title: 'Image', text: resolved.image }] : []),
    ...(run.fillOf === null ? [] : [{ symbol: '🔁', title: 'Fills', text: `run ${run.fillOf}` }]),
    ...(run.rerunOf === null ? [] : [{ symbol: '🔁', title: 'Rerun of', text: `run ${run.rerunOf}` }]),
    ...(run.retired === null ? [] : [{ symbol: '🗄', title: 'Retired', text: retiredText(run.retired) }]),
    ...verifications.map(each => ({ symbol: '🔁', title: 'Verified', text: keptVerificationText(run.id, each) })),
    { symbol: '📁', title: 'Path', text: `${run.storagePath}${folder === 'there' ? '' : ` (${folder})`}` },
    ...(leftBehind.length === 0 ? [] : [{ symbol: '📁', title: 'Left behind', text: left }]),
    ...(processes === '' ? [] : [{ symbol: '👻', title: 'Still runs', text: processes }]),
    ...(calls === '' ? [] : [{ symbol: '🛠', title: 'Actions', text: `${calls}: qanat action --list ${run.id}` }]),
    { symbol: '📆', title: 'Launched', text: moment(run.launched, true) },
    ...again.map(text => ({ symbol: '📆', title: 'Launched again', text })),
    { symbol: '⏱', title: 'Ran', text: `${ranText(run)}${took === null ? '' : ` (${duration(took)})`}` },
    { symbol: '📑', title: 'Commit', text: `${run.commit}${codeText(run, hasCopy, importsLiveCode(warnings))}` },
    ...(run.codeUsed ? [{ symbol: '🧬', title: 'Code used', text: run.codeUsed.slice(0, 12) }] : []),
    ...data.map(each => ({ symbol: '💾', title: 'Data', text: `${each.name}: ${fingerprintText(each)}` })),
    ...(outputs === null ? [] : [{ symbol: '🗃', title: 'Output', text: outputsText(outputs, folder) }]),
    { symbol: '🏷', title: 'Tags', text: run.tags.join(', ') },
    { symbol: '💬', title: 'Description', text: run.description },
    ...(environment === null ? [] : [{ symbol: '🧩', title: 'Environment', text: environment }]),
    ...warnings.slice(0, shownWarnings).map(text => ({ symbol: '⚠', title: 'Warning', text })),
    ...(run.finished === null ? [{ title: 'As of', text: asOf }] : []),
  ]
}

function retiredText({ at, why }: Retirement): string {
  return `${moment(at, true)}${why === '' ? '' : `: ${why}`}`
}

function outputsText({ files, bytes, hashed, partial }: KeptOutputs, folder: RunDetails['folder']): string {
  const hashes = hashed === 0 ? '' : hashed === files ? ', hashed' : `, ${hashed} of them hashed`
  const count = `${files.toLocaleString('en-US')} file${files === 1 ? '' : 's'}`
  return `${count}, ${byteText(bytes)}${hashes}${partial === null ? '' : `; partial: ${partial}`}${folder === 'there' ? '' : folder === 'gone' ? ' (gone with the folder)' : ' (not fetched)'}`
}

/** The best metrics of a run, with the groups that have them; null if there are none. @param folder whether its files are there */
export function bestText({ best, counts }: ListedRun, folder: RunDetails['folder'] = 'there'): string | null {
  if (best === null && folder !== 'there')
    return `not known: the folder of the run is ${folder}, and not all metrics had been read`
  if (best === null) return '…, not all metrics have been read yet'
  if (best.length === 0) return null
  const groupText = (group: number) => (totalOf(counts) > 1 ? ` (group ${group})` : '')
  return best.map(({ metric, value, group }) => `${metric} ${valueText(value)}${groupText(group)}`).join(', ')
}

/** The runner of a run and its parameters. */
export function runnerText({ runner, site, runnerParameters, dealing }: Run): string {
  const { submitTemplate, slots } = runnerParameters
  const place = site === HERE ? '' : ` on ${site}`
  const now = dealing.slots === null ? '' : `, now ${dealing.slots}`
  const limit = (slots === null ? '' : `, ${counted(slots, 'slot')}`) + now
  return `${runner}${place}${submitTemplate ? ` (submit_template ${submitTemplate})` : ''}${limit}`
}

/** A container, whether it has GPUs, and the digest of its image. */
export function containerText({ image, gpu, digest }: Container): string {
  return `${image}${gpu ? ', with GPUs' : ''}${digest ? ` (${digest})` : ''}`
}

function ranText(run: Run): string {
  if (run.started === null) return 'not started'
  return `${moment(run.started, true)} → ${run.finished === null ? 'now' : moment(run.finished, true)}`
}

/**
 * Remarks on the code of a run, in parentheses; empty if it is just the commit.
 * @param hasCopy whether its frozen copy is still there
 * @param isLive whether its groups import code of the tree
 */
export function codeText(run: Run, hasCopy: boolean, isLive = false): string {
  const changed = run.frozen ? 'its files changed while it ran' : 'the tree was not as recorded when it ended'
  const remarks = [
    run.dirty ? 'with uncommitted changes, kept in .run/uncommitted.patch' : '',
    run.frozen ? `frozen in ${run.frozen}${hasCopy || run.site !== HERE ? '' : ', which was removed'}` : '',
    isLive ? liveCodeMark : '',
    run.codeChanged ? changed : '',
  ].filter(text => text !== '')
  return remarks.length > 0 ? ` (${remarks.join('; ')})` : ''
}
