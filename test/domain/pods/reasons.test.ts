import { describe, expect, test } from 'vitest'
import type { Event, Job, Pod } from '../../../src/domain/pods/objects.js'
import { jobEnd, jobWait, podEnd, podWait } from '../../../src/domain/pods/reasons.js'

type Status = NonNullable<Pod['status']>
type Terminated = NonNullable<NonNullable<NonNullable<Status['containerStatuses']>[number]['state']>['terminated']>

/** A pod, as `kubectl get -o json` tells it. */
function pod(status: Status, metadata: Partial<Pod['metadata']> = {}): Pod {
  return { kind: 'Pod', metadata: { name: 'qanat-it-1-0-abcde', ...metadata }, status }
}

function ended(terminated: Terminated, more: Partial<Status> = {}): Pod {
  const phase = terminated.exitCode === 0 ? 'Succeeded' : 'Failed'
  return pod({ phase, containerStatuses: [{ name: 'main', state: { terminated } }], ...more })
}

function waiting(reason: string, message = ''): Pod {
  const state = { waiting: { reason, ...(message !== '' && { message }) } }
  return pod({ phase: 'Pending', containerStatuses: [{ name: 'main', state }] })
}

const disrupted = (reason: string, message: string) => ({
  conditions: [{ type: 'DisruptionTarget', status: 'True', reason, message }],
})

/** Statuses that clusters have written: what they mean, where they were seen, and the pod. */
const ends: readonly [outcome: string, signal: string | null, where: string, pod: Pod][] = [
  ['finished', null, '1.36', ended({ exitCode: 0, reason: 'Completed' })],
  ['exit', null, '1.36', ended({ exitCode: 3, reason: 'Error' })],
  ['launch', null, 'a pod that cannot read the volume', ended({ exitCode: 125, reason: 'Error' })],
  ['oom', null, '1.36, the whole container', ended({ exitCode: 137, reason: 'OOMKilled' })],
  ['exit', null, '1.20, only a child was killed', ended({ exitCode: 5, reason: 'OOMKilled' })],
  ['finished', null, '1.20, only a child was killed', ended({ exitCode: 0, reason: 'OOMKilled' })],
  ['signal', 'SIGKILL', 'killed from outside', ended({ exitCode: 137, reason: 'Error' })],
  ['signal', 'SIGTERM', 'deleted by hand, still there', { ...ended({ exitCode: 143, reason: 'Error' }) }],
  [
    'signal',
    'SIGTERM',
    'deleted by hand, whatever the code',
    {
      ...ended({ exitCode: 1, reason: 'Error' }),
      metadata: { name: 'x', deletionTimestamp: '2026-11-28T16:00:00Z' },
    },
  ],
  [
    'timeout',
    null,
    '1.36, activeDeadlineSeconds of the pod',
    ended(
      { exitCode: 137, reason: 'Error' },
      { reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' },
    ),
  ],
  [
    'signal',
    'SIGKILL',
    '1.36, its own limit of disk',
    ended(
      { exitCode: 137, reason: 'Error' },
      { reason: 'Evicted', message: 'Pod ephemeral local storage usage exceeds the total limit of containers 20Mi. ' },
    ),
  ],
  [
    'signal',
    'SIGKILL',
    '1.36, the limit of an emptyDir',
    ended(
      { exitCode: 137, reason: 'Error' },
      { reason: 'Evicted', message: 'Usage of EmptyDir volume "e" exceeds the limit "20Mi". ' },
    ),
  ],
  [
    'oom',
    null,
    '1.24, the node lacked memory',
    pod({
      phase: 'Failed',
      reason: 'Evicted',
      message:
        'The node was low on resource: memory. Container main was using 3520400Ki, which exceeds its request of 0. ',
    }),
  ],
  [
    'node_fail',
    null,
    '1.28, the node lacked disk',
    pod({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'The node was low on resource: ephemeral-storage. Threshold quantity: 1, available: 0. ',
    }),
  ],
  [
    'preempted',
    null,
    '1.28, a pod with a higher priority',
    ended(
      { exitCode: 143, reason: 'Error' },
      disrupted('PreemptionByScheduler', 'default-scheduler: preempting to accommodate a higher priority pod'),
    ),
  ],
  [
    'preempted',
    null,
    '1.32, a drain',
    ended({ exitCode: 143, reason: 'Error' }, disrupted('EvictionByEvictionAPI', 'Eviction API: evicting')),
  ],
  [
    'node_fail',
    null,
    '1.32, a taint',
    ended(
      { exitCode: 143, reason: 'Error' },
      disrupted('DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint'),
    ),
  ],
  [
    'node_fail',
    null,
    '1.28, a node that is gone',
    pod({ phase: 'Failed', ...disrupted('DeletionByPodGC', 'PodGC: node no longer exists') }),
  ],
  [
    'node_fail',
    null,
    '1.20, the node was shut down',
    pod({ phase: 'Failed', reason: 'Shutdown', message: 'Node is shutting, evicting pods' }),
  ],
  [
    'node_fail',
    null,
    '1.24, the node was shut down',
    pod({
      phase: 'Failed',
      reason: 'Terminated',
      message: 'Pod was terminated in response to imminent node shutdown.',
    }),
  ],
  [
    'node_fail',
    null,
    '1.24, refused by the kubelet',
    pod({ phase: 'Failed', reason: 'OutOfcpu', message: "Pod Node didn't have enough resource: cpu" }),
  ],
  [
    'launch',
    null,
    'no shell in the image',
    ended({ exitCode: 128, reason: 'StartError', message: 'failed to create containerd task: exec: "sh": not found' }),
  ],
  [
    'node_fail',
    null,
    'a kubelet that was away',
    ended({ exitCode: 137, reason: 'ContainerStatusUnknown', message: 'The container could not be located' }),
  ],
]

describe('the end of a pod', () => {
  test.each(ends)('%s %s: %s', (outcome, signal, _, of) => {
    const end = podEnd(of)!
    expect([end.outcome, end.signal]).toEqual([outcome, signal])
    expect(end.text).not.toBe('')
  })

  test.each(['Pending', 'Running', 'Unknown'])('is not known of one that is %s', phase => {
    expect(podEnd(pod({ phase }))).toBe(null)
  })

  test('has its time, and the words of the cluster', () => {
    const end = podEnd(ended({ exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-11-28T16:10:00Z' }))!
    expect([end.finished, end.text, end.exitCode]).toEqual([Date.UTC(2026, 10, 28, 16, 10), 'OOMKilled', 137])
  })
})

describe('what keeps a pod from beginning', () => {
  const pull = 'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nope:1": not found'

  test.each([
    ['ErrImagePull', pull],
    ['ImagePullBackOff', 'Back-off pulling image "nope:1"'],
    ['ErrImageNeverPull', 'Container image "localhost/none:1" is not present with pull policy of Never'],
    ['InvalidImageName', 'Failed to apply default image tag "A B": invalid reference format'],
    [
      'CreateContainerConfigError',
      'container has runAsNonRoot and image will run as root (pod: "x_lab(1)", container: main)',
    ],
    ['CreateContainerError', 'context deadline exceeded'],
  ])('%s needs a person', (reason, message) => {
    expect(podWait(waiting(reason, message))).toEqual({ text: `${reason}: ${message}`, isStuck: true })
  })

  test('a pod that is made waits', () => {
    expect(podWait(waiting('ContainerCreating'))).toEqual({ text: 'ContainerCreating', isStuck: false })
  })

  test('one that fits nowhere waits, with the reason', () => {
    const message = '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.'
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }]
    expect(podWait(pod({ phase: 'Pending', conditions }))).toEqual({
      text: `Unschedulable: ${message}`,
      isStuck: false,
    })
  })

  test('one that runs does not wait', () => {
    expect(podWait(pod({ phase: 'Running' }))).toBe(null)
  })
})

describe('a job', () => {
  const job = (more: Partial<Job> = {}): Job => ({ kind: 'Job', metadata: { name: 'qanat-it-1-0' }, ...more })
  const condition = (type: string, reason: string, message: string): Job =>
    job({ status: { conditions: [{ type, status: 'True', reason, message }] } })
  const event = (message: string): Event => ({
    kind: 'Event',
    involvedObject: { kind: 'Job', name: 'qanat-it-1-0' },
    type: 'Warning',
    reason: 'FailedCreate',
    message,
  })

  test('is complete, or has failed, or neither', () => {
    expect(jobEnd(condition('Complete', 'CompletionsReached', ''))).toBe('complete')
    expect(jobEnd(condition('Failed', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit'))).toBe(
      'failed',
    )
    expect(jobEnd(job({ status: { active: 1 } }))).toBe(null)
  })

  test.each([
    ['exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5'],
    ['violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false'],
  ])('without a pod, its events say why: %s', reason => {
    const text = `Error creating: pods "qanat-it-1-0-x" is forbidden: ${reason}`
    expect(jobWait(job(), [event(text)])).toEqual({ text: `FailedCreate: ${text}`, isStuck: true })
  })

  test('may be suspended by Kueue, or new', () => {
    expect(jobWait(job({ spec: { suspend: true } }), []).text).toContain('Kueue')
    expect(jobWait(job(), [])).toEqual({ text: 'its pod is not made yet', isStuck: false })
  })
})
