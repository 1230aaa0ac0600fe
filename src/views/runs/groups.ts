import { causeLabel } from '../../domain/runs/cause-label.js'
import type { GroupDetails, GroupStatus, Usage } from '../../domain/runs/run.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { memoryText } from '../format/sizes.js'
import type { Style } from '../format/style.js'
import { duration, isoTime, moment, secondsOf } from '../format/times.js'
import { type Column, columnsOf } from '../model.js'
import { terminalTable } from '../render/terminal.js'
import { stateText } from './state.js'

type Group = Pick<GroupDetails, 'index' | 'status' | 'parameters'>

const column = columnsOf<Group>()

/** Columns of every list of groups. */
export const commonGroupColumns = {
  index: { key: 'index', title: 'Group', value: group => group.index },
  status: column('status', 'Status', ({ status }) => status.state, {
    text: ({ status }, style) => stateText(style, status.state),
  }),
  cause: column('cause', 'Cause', ({ status }) => ('cause' in status ? status.cause : null), {
    text: ({ status }) => remarkText(status),
  }),
  exitCode: { key: 'exit_code', value: ({ status }) => ('exitCode' in status ? status.exitCode : null) },
  signal: { key: 'signal', value: ({ status }) => ('signal' in status ? status.signal : null) },
  host: { key: 'host', title: 'Host', leaves: 4, value: ({ status }) => ('host' in status ? status.host : null) },
  started: column('started', 'Started', ({ status }) => isoTime(startOf(status)), {
    leaves: 5,
    text: ({ status }) => moment(startOf(status), true),
  }),
  finished: { key: 'finished', value: ({ status }) => isoTime(endOf(status)) },
  duration: column('duration', 'Duration', ({ status }) => secondsOf(groupDuration(status, null)), {
    leaves: 6,
    unit: 's',
  }),
  peakMemory: column('peak_memory', 'Memory', ({ status }) => usedBy(status)?.peakMemory ?? null, {
    leaves: 4,
    unit: 'bytes',
    text: ({ status }) => usedText(usedBy(status)?.peakMemory ?? null, null, memoryText),
  }),
  cpuTime: column('cpu', 'CPU time', ({ status }) => usedBy(status)?.cpuTime ?? null, {
    leaves: 3,
    unit: 's',
    text: ({ status }) => cpuText(usedBy(status)?.cpuTime ?? null),
  }),
  gpus: column('gpus', 'GPUs', ({ status }) => usedBy(status)?.gpus ?? null, {
    leaves: 3,
    // The programs of NVIDIA take the beginning of an id for the whole.
    text: ({ status }) => (usedBy(status)?.gpus ?? '').replace(/\b((?:GPU|MIG)-[0-9a-f]{8})-[0-9a-f-]+/g, '$1'),
  }),
  jobId: { key: 'job_id', title: 'Job', leaves: 2, value: ({ status }) => ('jobId' in status ? status.jobId : null) },
  parameters: column('parameters', 'Parameters', group => group.parameters, {
    text: group => parametersText(group.parameters),
  }),
} satisfies Readonly<Record<string, Column<Group>>>

/** All columns of the groups of a run. */
export const groupColumns = {
  ...commonGroupColumns,
  peakMemory: {
    ...commonGroupColumns.peakMemory,
    text: ({ status, asked }) => usedText(usedBy(status)?.peakMemory ?? null, asked.memory, memoryText),
  },
  attempt: { key: 'attempt', title: 'Attempt', leaves: 3, value: group => group.attempt },
  storagePath: { key: 'storage_path', title: 'Path', leaves: 1, value: group => group.storagePath },
  command: { key: 'command', value: group => group.command },
} satisfies Readonly<Record<string, Column<GroupDetails>>>

/**
 * Groups of a run, one a line. Columns without information are left out: attempts if all groups have one, jobs if there
 * are none, what was used if nobody knows it.
 * @param now milliseconds since the epoch, up to which the duration of running groups is counted
 */
export function groupTable(style: Style, groups: readonly GroupDetails[], now: number): string {
  const { index, status, cause, attempt, started, peakMemory, cpuTime, gpus, host, jobId, parameters, storagePath } =
    groupColumns
  const columns = [
    ...[index, status, cause],
    ...(groups.some(group => group.attempt > 1) ? [attempt] : []),
    ...[started, lastedColumn(now)],
    ...[peakMemory, cpuTime, gpus].filter(({ value }) => groups.some(group => value(group) !== null)),
    ...[host],
    ...(groups.some(group => jobId.value(group) !== null) ? [jobId] : []),
    ...[parameters, storagePath],
  ]
  return terminalTable({ columns, rows: groups }, style, 'whole')
}

/** How long groups ran; running ones until `now`. */
export function lastedColumn(now: number): Column<Group> {
  return { ...commonGroupColumns.duration, text: ({ status }) => duration(groupDuration(status, now)) }
}

/** What a group has used; undefined if nothing is known of it. */
export function usedBy(status: GroupStatus): Usage | undefined {
  return 'used' in status ? status.used : undefined
}

/** A time of processors in seconds; empty if it is not known. */
export function cpuText(seconds: number | null): string {
  return duration(seconds === null ? null : 1000 * seconds)
}

/** What was used, and of how much: `2.0 G of 2 G`; empty if it is not known. */
export function usedText(used: number | null, asked: number | null, text: (amount: number) => string): string {
  if (used === null) return ''
  return asked === null ? text(used) : `${text(used)} of ${text(asked)}`
}

function startOf(status: GroupStatus): number | null {
  return 'started' in status ? status.started : null
}

function endOf(status: GroupStatus): number | null {
  return 'finished' in status ? status.finished : null
}

/** Milliseconds from the start to the end, or until `now` while it runs; null if one of them is not known. */
function groupDuration(status: GroupStatus, now: number | null): number | null {
  const [started, ended] = [startOf(status), status.state === 'running' ? now : endOf(status)]
  return started !== null && ended !== null ? ended - started : null
}

/** The reason for the state: why the group is held, failed or lost, or that it is suspended. */
function remarkText(status: GroupStatus): string {
  if (status.state === 'held') return status.reason ?? ''
  if (status.state === 'running') return status.suspended ? 'suspended' : ''
  return status.state === 'failed' || status.state === 'lost' ? causeLabel(status) : ''
}

/** Whether an option has no value, also if it is repeated. */
function isFlag(value: string | readonly string[]): boolean {
  return value === '' || value.length > 1
}

/** Parameters as on a command line. */
export function parametersText(parameters: GroupDetails['parameters']): string {
  const words = Object.entries(parameters).flatMap(([name, value]) => {
    const values = [value].flat()
    return name.startsWith('pos_')
      ? values
      : values.flatMap(text => (text === '' && isFlag(value) ? [name] : [name, text]))
  })
  return displayCommand(words).replaceAll('\n', '⏎')
}
