import { describe, expect, test } from 'vitest'
import type { GroupRecord } from '../../../src/domain/runs/group-record.js'
import { readQueue, stateOfGroup } from '../../../src/runners/kubernetes/queue.js'

const labels = { 'qanat-run': 'token', 'qanat-attempt': '1' }

/** The answer of `kubectl get` for one launch. */
function launched(...items: readonly object[]) {
  return readQueue(JSON.stringify({ kind: 'List', items }))!('token', 1)
}

const job = (type: string | null = null) => ({
  kind: 'Job',
  metadata: { name: 'qanat-it-1-0', labels },
  status: { conditions: type === null ? [] : [{ type, status: 'True' }] },
})

const pod = (phase: string, status: object = {}, name = 'p') => ({
  kind: 'Pod',
  metadata: { name, labels },
  status: { phase, ...status },
})

const ended = (exitCode: number, reason: string) => ({
  containerStatuses: [{ name: 'main', state: { terminated: { exitCode, reason } } }],
})

const times = { index: 0, attempt: 1, started: 1000, host: 'node1', jobId: 'p', restarts: 0 }
const begun = { kind: 'start', pid: 7, ...times } as GroupRecord
const end = (outcome: string, code: number) => ({ kind: 'end', outcome, code, ended: 2000, ...times }) as GroupRecord

describe('the state of a group', () => {
  test.each([
    ['no pod yet', launched(job()), null, 'pending'],
    ['another pod runs', launched(job(), pod('Running')), null, 'pending'],
    [
      'all pods have ended, and one has seen the end of the plan',
      launched(job('Complete'), pod('Succeeded')),
      null,
      'gone',
    ],
    ['the job has failed for good', launched(job('Failed'), pod('Failed', ended(1, 'Error'))), null, 'unattended'],
    ['somebody has deleted the jobs', launched(), null, 'unattended'],
    ['its pod runs', launched(job(), pod('Running')), begun, 'running'],
    ['its pod is gone', launched(job()), begun, 'gone'],
    [
      'its pod has ended well without its end',
      launched(job('Complete'), pod('Succeeded', ended(0, 'Completed'))),
      begun,
      'gone',
    ],
    ['it has ended, and its pod goes on', launched(job(), pod('Running')), end('exit', 0), 'ended finished'],
    [
      'it has ended, and its pod was killed later',
      launched(job(), pod('Failed', ended(137, 'OOMKilled'))),
      end('exit', 0),
      'ended finished',
    ],
    ['its pod has run out of memory', launched(job(), pod('Failed', ended(137, 'OOMKilled'))), begun, 'ended oom'],
    ['it was told to end, and its pod is there', launched(job(), pod('Running')), end('stopped', 143), 'running'],
    [
      'it was told to end, with its pod',
      launched(job(), pod('Failed', ended(143, 'Error'))),
      end('stopped', 143),
      'ended signal',
    ],
  ])('%s', (_, answer, record, expected) => {
    const state = stateOfGroup(answer, record, false)
    expect(state.kind === 'ended' ? `ended ${state.outcome}` : state.kind).toBe(expected)
  })

  test.each([
    ['nothing is left of it', launched(), null, 'cancelled'],
    ['its pod is gone', launched(), begun, 'cancelled'],
    ['its pod still ends', launched(pod('Running')), begun, 'running'],
    ['a pod of the launch may still take it', launched(pod('Running')), null, 'pending'],
    ['it had ended by itself', launched(), end('exit', 3), 'finished'],
  ])('of a cancelled launch: %s', (_, answer, record, expected) => {
    const state = stateOfGroup(answer, record, true)
    expect(state.kind === 'ended' ? state.outcome : state.kind).toBe(expected)
  })

  test('an image that is not there holds it, unless some pod can begin', () => {
    const containerStatuses = [{ name: 'main', state: { waiting: { reason: 'ImagePullBackOff', message: 'no' } } }]
    const stuck = pod('Pending', { containerStatuses })
    expect(stateOfGroup(launched(job(), stuck), null, false)).toMatchObject({
      kind: 'held',
      reason: 'ImagePullBackOff: no',
    })
    expect(stateOfGroup(launched(job(), stuck, pod('Running', {}, 'q')), null, false).kind).toBe('pending')
  })

  test('pods that cannot read the volume hold it once there were more of them than jobs have', () => {
    const failed = (name: string) => pod('Failed', ended(125, 'Error'), name)
    expect(stateOfGroup(launched(job(), failed('p')), null, false).kind).toBe('pending')
    expect(stateOfGroup(launched(job(), failed('p'), failed('q')), null, false).kind).toBe('held')
    const large = { ...job(), spec: { parallelism: 2 } }
    expect(stateOfGroup(launched(large, failed('p'), failed('q')), null, false).kind).toBe('pending')
    expect(stateOfGroup(launched(large, failed('p'), failed('q'), failed('r')), null, false).kind).toBe('held')
  })
})

test('without an answer nothing is known; of launches that are not in it, nothing is there', () => {
  expect(readQueue(null)).toBe(null)
  expect(readQueue('{"items": []}')!('other', 2)).toEqual({ jobs: [], pods: [] })
})
