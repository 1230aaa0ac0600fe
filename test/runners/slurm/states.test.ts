import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type SlurmJob, slurmHost, slurmTime, stateOfJob } from '../../../src/runners/slurm/states.js'

function stateOf(facts: Partial<SlurmJob>) {
  const job = {
    state: 'RUNNING',
    exitCode: '0:0',
    restarts: 2,
    started: 1_000,
    finished: 2_000,
    host: 'n1',
    reason: '',
  }
  return stateOfJob('36_7', { ...job, ...facts })
}

const seen = { started: 1_000, finished: 2_000, host: 'n1', jobId: '36_7' }

describe('a state of Slurm', () => {
  test.each(['PENDING', 'REQUEUED', 'REQUEUE_FED', 'CONFIGURING', 'POWER_UP_NODE', 'EXPEDITING'])(
    '%s is pending',
    state => {
      expect(stateOf({ state, reason: 'Resources' })).toEqual({ kind: 'pending', restarts: 2 })
    },
  )

  test.each([
    ['PENDING', 'JobHeldUser'],
    ['PENDING', 'JobHeldAdmin'],
    ['PENDING', 'JobHoldMaxRequeue'],
    ['PENDING', 'launch failed requeued held'],
    ['REQUEUE_HOLD', 'x'],
    ['SPECIAL_EXIT', 'x'],
    ['RESV_DEL_HOLD', 'x'],
  ])('%s with reason %s is held', (state, reason) => {
    expect(stateOf({ state, reason })).toEqual({ kind: 'held', restarts: 2, reason })
  })

  test.each([
    ...['RUNNING', 'SIGNALING', 'RESIZING', 'STAGE_OUT'].map(state => [state, {}] as const),
    ...['SUSPENDED', 'STOPPED'].map(state => [state, { suspended: true }] as const),
  ])('%s is running, with %j', (state, facts) => {
    const running = { kind: 'running', restarts: 2, started: 1_000, host: 'n1', jobId: '36_7' }
    expect(stateOf({ state })).toEqual({ ...running, ...facts })
    expect(stateOf({ state, started: null })).toBeNull()
  })

  test('COMPLETING leaves it to the journal whether anything still runs', () => {
    expect(stateOf({ state: 'COMPLETING' })).toEqual({ kind: 'completing', restarts: 2 })
    expect(stateOf({ state: 'COMPLETING', started: null })).toEqual({ kind: 'completing', restarts: 2 })
  })

  test.each([
    ['COMPLETED', '0:0', 'finished', 0, null],
    ['FAILED', '3:0', 'exit', 3, null],
    ['FAILED', '0:9', 'signal', 0, 'SIGKILL'],
    ['TIMEOUT', '0:15', 'timeout', 0, 'SIGTERM'],
    ['DEADLINE', '0:0', 'deadline', 0, null],
    ['OUT_OF_MEMORY', '0:125', 'oom', 0, null],
    ['NODE_FAIL', '0:0', 'node_fail', 0, null],
    ['BOOT_FAIL', '0:0', 'node_fail', 0, null],
    ['LAUNCH_FAILED', '0:0', 'launch', 0, null],
    ['CANCELLED', '0:15', 'cancelled', 0, 'SIGTERM'],
    ['CANCELLED by 1001', '0:0', 'cancelled', 0, null],
    ['REVOKED', '0:0', 'cancelled', 0, null],
    ['PREEMPTED', '0:15', 'preempted', 0, 'SIGTERM'],
  ])('%s with %s is an end with the cause %s', (state, exitCode, outcome, code, signal) => {
    expect(stateOf({ state, exitCode })).toEqual({ kind: 'ended', outcome, exitCode: code, signal, ...seen })
  })

  test.each([
    ...['CANCELLED', 'CANCELLED by 1001', 'REVOKED', 'DEADLINE'].map(state => [state, null] as const),
    ...['COMPLETED', 'FAILED'].map(state => [state, 2_000] as const),
  ])('%s at the moment of its start is the end of a job that started at %j', (state, started) => {
    expect(stateOf({ state, started: 2_000 })).toMatchObject({ kind: 'ended', started, finished: 2_000 })
  })

  test.each(['', 'DREAMING', 'running'])('%j says nothing', state => {
    expect(stateOf({ state })).toBeNull()
  })
})

test('a time is in UTC, whatever the local time zone', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(new Date(0).getHours()).toBe(9)
  expect(slurmTime('2026-03-01T23:59:59')).toBe(Date.UTC(2026, 2, 1, 23, 59, 59))
})

test('a time or a host is missing where Slurm writes that there is none', () => {
  for (const text of ['', 'Unknown', 'None', 'N/A', 'NONE', '(null)'])
    expect([text, slurmTime(text)]).toEqual([text, null])
  const hosts = ['n1', 'n[1-2]', '', '(null)', 'None assigned']
  expect(hosts.map(slurmHost)).toEqual(['n1', 'n[1-2]', null, null, null])
})
