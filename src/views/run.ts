import type { Container } from '../domain/container.js'
import { totalOf } from '../domain/runs/aggregate.js'
import type { GroupDetails, GroupReport, GroupStatus, Run } from '../domain/runs/run.js'
import { displayCommand } from '../domain/text/shell-text.js'
import { durationOf, progressText, stateText } from './experiment.js'
import { columns } from './format/columns.js'
import { markdownText } from './format/markdown.js'
import type { Style } from './format/style.js'
import { age, duration, moment } from './format/times.js'

/** What was launched of a run. */
interface LaunchFacts {
  /** How many groups. */
  readonly groups: number
  /** Whether they were launched before. */
  readonly again: boolean
  readonly submitTemplate: string | null
  /** What its user knows the submission by; empty where nobody else has it. */
  readonly submission: string
}

/** Said when groups of a run have been submitted. */
export function launchText(run: Run, launch: LaunchFacts, waits: boolean): string {
  const commit = `Run ${run.id} of ${run.experiment} · commit ${run.commit.slice(0, 7)}`
  const changes = run.dirty ? ' (with uncommitted changes)' : ''
  const lines =
    launch.submission === ''
      ? [`${commit}${changes}${run.frozen ? ' (frozen)' : ''} · ${slotsText(run, launch)}`]
      : [`${commit}${changes}${run.frozen ? `, frozen in ${run.frozen}` : ''}`, `  ${submissionText(run, launch)}`]
  lines.push(`  ${run.storagePath}`)
  if (!waits) lines.push(`  qanat experiment status ${run.experiment} --live`)
  return lines.join('\n')
}

function groupsText({ groups, again }: LaunchFacts): string {
  return `${groups} group${groups === 1 ? '' : 's'}${again ? ' again' : ''}`
}

function slotsText({ runnerParameters }: Run, launch: LaunchFacts): string {
  const slots = Math.min(runnerParameters.slots ?? 1, launch.groups)
  return launch.groups === 1 ? groupsText(launch) : `${groupsText(launch)} on ${slots} slot${slots === 1 ? '' : 's'}`
}

function submissionText({ runnerParameters }: Run, launch: LaunchFacts): string {
  const { slots } = runnerParameters
  const limit = slots !== null && slots < launch.groups ? `, ${slots} at a time` : ''
  return `${groupsText(launch)} → ${launch.submission}, template ${launch.submitTemplate}${limit}`
}

/** A group that did not finish, as the outcome of its run names it. */
interface FailureText {
  readonly report: GroupReport
  readonly arguments: readonly string[]
  readonly lastError: string | null
}

/** Said when a run that was waited for is over: what became of it, the first failures, what to type next. */
export function outcomeText(style: Style, run: Run, failures: readonly FailureText[]): string {
  const { counts, experiment, id } = run
  const parts = (['finished', 'failed', 'cancelled', 'lost'] as const)
    .filter(state => counts[state] > 0)
    .map(state => `${counts[state]} ${state}`)
  const took = duration(durationOf(run, Date.now()))
  const head = `Run ${id} ${stateText(style, run.status)}: ${parts.join(', ')}${took && ` in ${took}`}`
  if (run.status === 'finished') return head
  const lines = failures.map(({ report, arguments: words, lastError }) => {
    const reason = [causeText(report.status), lastError].filter(text => text).join(': ')
    const given = words.length > 0 ? ` (${displayCommand(words).replaceAll('\n', '⏎')})` : ''
    return `  group ${report.index}${given}: ${reason}`
  })
  const [first] = failures
  const why = `qanat why ${experiment} ${id}${first && totalOf(counts) > 1 ? `.${first.report.index}` : ''}`
  return [head, ...lines, `  ${why}        qanat run_retry ${experiment} ${id}`].join('\n')
}

/** Why a group is in its state, in a few words. */
export function causeText(status: GroupStatus): string {
  if (status.state === 'lost') {
    return status.cause === 'vanished' ? 'vanished without a record of its end' : 'never started'
  }
  if (status.state !== 'failed') return status.state
  const causes = {
    exit: `exit ${status.exitCode}`,
    signal: `ended by ${status.signal}`,
    oom: 'out of memory',
    timeout: 'reached its time limit',
    node_fail: 'its node failed',
    preempted: 'preempted',
    launch: 'failed before the script started',
    deadline: 'reached its deadline',
  }
  return causes[status.cause]
}

/** What the list of groups says beside the state. */
function remarkText(status: GroupStatus): string {
  if (status.state === 'held') return status.reason ?? ''
  return status.state === 'failed' || status.state === 'lost' ? causeText(status) : ''
}

/** What is known of a run beside itself. */
interface RunDetails {
  readonly groups: readonly GroupDetails[]
  /** What its user knows the last submission by; empty where nobody else has it. */
  readonly submission: string
  readonly retries: readonly {
    readonly groups: readonly number[]
    readonly submitTemplate: string | null
    readonly launched: number
  }[]
  /** Whether its folder is where it was. */
  readonly hasFolder: boolean
  /** Markdown, as its user wrote it. */
  readonly comment: string | null
}

/** A run's page: everything that is recorded of it, then its groups. */
export function runPage(style: Style, run: Run, details: RunDetails, now: number): string {
  const { groups, submission, retries, hasFolder, comment } = details
  const { symbol } = style
  const { submitTemplate, slots, container } = run.runnerParameters
  const limit = slots === null ? '' : `, ${slots} slot${slots === 1 ? '' : 's'}`
  const runner = `${run.runner}${submitTemplate ? ` (submit_template ${submitTemplate})` : ''}${limit}`
  const took = durationOf(run, now)
  const lines = [
    `Run ${run.id} of experiment ${run.experiment}`,
    `${symbol('🔍')}Status: ${stateText(style, run.status)}, ${progressText(run)}`,
    `${symbol('🖥')}Runner: ${runner}`,
    ...(submission ? [`${symbol('🎫')}Jobs: ${submission}`] : []),
    ...(container ? [`${symbol('📦')}Container: ${containerText(container)}`] : []),
    `${symbol('📁')}Path: ${run.storagePath}${hasFolder ? '' : ' (gone)'}`,
    `${symbol('📆')}Launched: ${moment(run.launched, true)}`,
    ...retries.map(
      retry =>
        `${symbol('📆')}Launched again: ${moment(retry.launched, true)}, ${retry.groups.length} group${retry.groups.length === 1 ? '' : 's'}, template ${retry.submitTemplate}`,
    ),
    `${symbol('⏱')}Ran: ${ranText(run)}${took === null ? '' : ` (${duration(took)})`}`,
    `${symbol('📑')}Commit: ${run.commit}${codeText(run)}`,
    `${symbol('🏷')}Tags: ${run.tags.join(', ')}`,
    `${symbol('💬')}Description: ${run.description}`,
  ]
  if (run.finished === null)
    lines.push(`As of ${moment(run.asOf, true)} (${age(now - run.asOf)} ago)${run.host ? `, from ${run.host}` : ''}`)
  const card = lines.map(line => line.trimEnd()).join('\n')
  const parts = [card, ...(comment ? [markdownText(style, comment).trimEnd()] : []), groupTable(style, groups, now)]
  return `${parts.join('\n\n')}\n`
}

function containerText({ image, gpu, digest }: Container): string {
  return `${image}${gpu ? ', with GPUs' : ''}${digest ? ` (${digest})` : ''}`
}

function ranText(run: Run): string {
  if (run.started === null) return 'not started'
  return `${moment(run.started, true)} → ${run.finished === null ? 'now' : moment(run.finished, true)}`
}

function codeText(run: Run): string {
  const remarks = [
    run.dirty ? 'with uncommitted changes, kept in .run/uncommitted.patch' : '',
    run.frozen ? `frozen in ${run.frozen}` : '',
    run.codeChanged ? 'the tree changed while it ran' : '',
  ].filter(text => text !== '')
  return remarks.length > 0 ? ` (${remarks.join('; ')})` : ''
}

function groupTable(style: Style, groups: readonly GroupDetails[], now: number): string {
  const hasAttempts = groups.some(({ attempt }) => attempt > 1)
  const hasJobs = groups.some(({ status }) => 'jobId' in status && status.jobId !== null)
  const rows = groups.map(({ index, status, attempt, parameters, storagePath }) => {
    const started = 'started' in status ? status.started : null
    const finished = 'finished' in status ? status.finished : status.state === 'running' ? now : null
    return [
      String(index),
      stateText(style, status.state),
      remarkText(status),
      ...(hasAttempts ? [String(attempt)] : []),
      moment(started, true),
      duration(started !== null && finished !== null ? finished - started : null),
      'host' in status ? (status.host ?? '') : '',
      ...(hasJobs ? ['jobId' in status ? (status.jobId ?? '') : ''] : []),
      parametersText(parameters),
      storagePath,
    ]
  })
  const job = hasJobs ? ['Job'] : []
  const attempt = hasAttempts ? ['Attempt'] : []
  return columns([
    ['Group', 'Status', 'Cause', ...attempt, 'Started', 'Duration', 'Host', ...job, 'Parameters', 'Path'],
    ...rows,
  ])
}

/** Parameters as they stand on a command line. */
export function parametersText(parameters: GroupDetails['parameters']): string {
  const words = Object.entries(parameters).flatMap(([name, value]) => {
    const values = [value].flat()
    return name.startsWith('pos_') ? values : values.flatMap(text => (text === '' ? [name] : [name, text]))
  })
  return displayCommand(words).replaceAll('\n', '⏎')
}
