import { signalName } from '../runs/group-record.js'
import type { FailureCause } from '../runs/run.js'
import { launchFailed } from '../runs/verdicts.js'
import { type ContainerStatus, conditionOf, type Event, type Job, type Pod } from './objects.js'

/** How a pod has ended, for the group that it ran. */
export interface PodEnd {
  readonly outcome: 'finished' | FailureCause
  readonly exitCode: number | null
  /** As in `SIGKILL`. */
  readonly signal: string | null
  /** Milliseconds since the epoch. */
  readonly finished: number | null
  /** The words of Kubernetes. */
  readonly text: string
}

/** Why a pod has not begun. */
export interface PodWait {
  readonly text: string
  /** Whether it will not begin before somebody has done something. */
  readonly isStuck: boolean
}

/** The name of the container that runs groups. */
export const mainContainer = 'main'

/** Why a pod was taken from its node, by the reason of its condition DisruptionTarget (from Kubernetes 1.26 on). */
const disruptions: Readonly<Record<string, FailureCause>> = {
  PreemptionByScheduler: 'preempted',
  PreemptionByKubeScheduler: 'preempted',
  EvictionByEvictionAPI: 'preempted',
  DeletionByTaintManager: 'node_fail',
  DeletionByPodGC: 'node_fail',
  TerminationByKubelet: 'node_fail',
}

/** The same by the reason of the pod, which the kubelet writes. */
const podReasons: Readonly<Record<string, FailureCause>> = {
  DeadlineExceeded: 'timeout',
  Preempting: 'preempted',
  NodeLost: 'node_fail',
  Shutdown: 'node_fail',
  NodeShutdown: 'node_fail',
  Terminated: 'node_fail',
  UnexpectedAdmissionError: 'node_fail',
  OutOfcpu: 'node_fail',
  OutOfmemory: 'node_fail',
  OutOfpods: 'node_fail',
  NodeAffinity: 'node_fail',
}

/** The same by the reason of its container. */
const containerReasons: Readonly<Record<string, FailureCause>> = {
  ContainerStatusUnknown: 'node_fail',
  ContainerCannotRun: 'launch',
  StartError: 'launch',
  RunContainerError: 'launch',
  DeadlineExceeded: 'timeout',
}

/** How a pod has ended; null if it has not. */
export function podEnd({ metadata, status = {} }: Pod): PodEnd | null {
  const { phase, reason, message, conditions } = status
  if (phase !== 'Failed' && phase !== 'Succeeded') return null
  const end = mainOf(status.containerStatuses)?.state?.terminated
  const finished = end?.finishedAt ? Date.parse(end.finishedAt) : null
  const exitCode = end?.exitCode ?? null
  const disrupted = conditionOf(conditions, 'DisruptionTarget')
  const words = [reason, message, disrupted?.reason, end?.reason, end?.message].map(text => text?.trim())
  const told = [...new Set(words.filter(text => text))].join(': ')
  const text = told === '' ? `exit ${exitCode}` : told
  const forced = (outcome: FailureCause): PodEnd => ({ outcome, exitCode, signal: null, finished, text })
  if (reason === 'Evicted') return evicted(message ?? '', { exitCode, finished, text })
  if (reason !== undefined && Object.hasOwn(podReasons, reason)) return forced(podReasons[reason]!)
  if (disrupted) return forced(disruptions[disrupted.reason ?? ''] ?? 'preempted')
  if (exitCode === null) return forced('node_fail')
  // A container can be OOMKilled beside any code, if only a child of its program was killed.
  if (end!.reason === 'OOMKilled' && exitCode === 137) return forced('oom')
  if (end!.reason !== undefined && Object.hasOwn(containerReasons, end!.reason))
    return forced(containerReasons[end!.reason]!)
  if (exitCode === launchFailed) return forced('launch')
  if (exitCode === 0) return { outcome: 'finished', exitCode, signal: null, finished, text }
  // Somebody has deleted it: its program was told to end.
  if (metadata.deletionTimestamp !== undefined) return { ...forced('signal'), signal: 'SIGTERM' }
  const signal = signalName(end!.signal ?? exitCode - 128)
  return { ...forced(signal ? 'signal' : 'exit'), signal }
}

/** A pod that the kubelet has evicted: for what its node lacked, or for a limit of its own. */
function evicted(message: string, end: Pick<PodEnd, 'exitCode' | 'finished' | 'text'>): PodEnd {
  const lacked = /low on resource: ([\w-]+)/.exec(message)?.[1]
  if (lacked !== undefined) return { ...end, outcome: lacked === 'memory' ? 'oom' : 'node_fail', signal: null }
  if (/memory/i.test(message)) return { ...end, outcome: 'oom', signal: null }
  if (/exceed/i.test(message)) return { ...end, outcome: 'signal', signal: 'SIGKILL' }
  return { ...end, outcome: 'preempted', signal: null }
}

/** Reasons of containers that wait for a person. */
const stuckReasons = [
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'CrashLoopBackOff',
]

/** Why a pod has not begun; null if it has. */
export function podWait({ status = {} }: Pod): PodWait | null {
  if (status.phase !== 'Pending' && status.phase !== undefined) return null
  const waiting = mainOf(status.containerStatuses)?.state?.waiting
  if (waiting?.reason && stuckReasons.includes(waiting.reason))
    return { text: sentence(waiting.reason, waiting.message), isStuck: true }
  const unscheduled = status.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  if (unscheduled) return { text: sentence(unscheduled.reason, unscheduled.message), isStuck: false }
  return { text: sentence(waiting?.reason ?? 'Pending', waiting?.message), isStuck: false }
}

/** Whether a job makes no further pod, and how it has ended. */
export function jobEnd({ status = {} }: Job): 'complete' | 'failed' | null {
  if (conditionOf(status.conditions, 'Complete')) return 'complete'
  return conditionOf(status.conditions, 'Failed') ? 'failed' : null
}

/** Why a job has no pod, in words. @param events about it, oldest first */
export function jobWait({ metadata, spec, status = {} }: Job, events: readonly Event[]): PodWait {
  if (spec?.suspend) return { text: 'it is suspended: a queue (Kueue) has not admitted it', isStuck: false }
  const failed = conditionOf(status.conditions, 'Failed')
  if (failed) return { text: sentence(failed.reason, failed.message), isStuck: true }
  const refused = events.findLast(
    ({ involvedObject, reason }) => involvedObject.name === metadata.name && reason === 'FailedCreate',
  )
  if (refused) return { text: sentence('FailedCreate', refused.message), isStuck: true }
  return { text: 'its pod is not made yet', isStuck: false }
}

function sentence(reason = 'Waiting', message = ''): string {
  const text = message.trim().replace(/\s+/g, ' ')
  return text === '' ? reason : `${reason}: ${text}`
}

function mainOf(statuses: readonly ContainerStatus[] = []): ContainerStatus | undefined {
  return statuses.find(({ name }) => name === mainContainer)
}
