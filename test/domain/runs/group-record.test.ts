import { constants } from 'node:os'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EndRecord, parseRecord, statusOfEnd } from '../../../src/domain/runs/group-record.js'

const end: EndRecord = {
  kind: 'end',
  index: 3,
  attempt: 1,
  code: 0,
  outcome: 'exit',
  started: 1_000,
  ended: 2_500,
  host: 'n1',
  jobId: '36_7',
  restarts: 0,
}
const seen = { started: 1_000, finished: 2_500, host: 'n1', jobId: '36_7' }

describe('reading a record', () => {
  test.each([
    [
      '1 start 12 2 4711 1732180000.123456 n1.cluster 36_12 0',
      {
        kind: 'start',
        index: 12,
        attempt: 2,
        pid: 4711,
        started: 1_732_180_000_123,
        host: 'n1.cluster',
        jobId: '36_12',
      },
    ],
    [
      '1 end 0 1 3 exit 1732180000.5 1732180001.25 - - n1 - 0',
      {
        kind: 'end',
        index: 0,
        attempt: 1,
        code: 3,
        outcome: 'exit',
        started: 1_732_180_000_500,
        ended: 1_732_180_001_250,
        host: 'n1',
        jobId: null,
      },
    ],
    // sh without EPOCHREALTIME has whole seconds only, bash in some locales a comma.
    ['1 start 0 1 5 1732180000 n1 - 0', { started: 1_732_180_000_000 }],
    ['1 start 0 1 5 1732180000,123456 n1 - 0', { started: 1_732_180_000_123 }],
    ['1 end 0 1 1 launch 10 11 - - n1 - 0', { outcome: 'launch', code: 1 }],
    ['1 end 0 1 0 skipped 10 11 - - n1 36_12 1', { outcome: 'skipped', code: 0 }],
    ['1 end 0 1 143 stopped 10 11 - - n1 - 0', { outcome: 'stopped', code: 143 }],
    ['1 start 0 1 5 1732180000 n1 36_12 2', { jobId: '36_12', restarts: 2 }],
    ['1 end 0 1 143 timeout 10 11 - - n1 36_12 1', { outcome: 'timeout', jobId: '36_12', restarts: 1 }],
    [
      '1 end 0 1 0 exit 10 11 250 205584 n1 36_12 1',
      { used: { cpuTime: 2.5, peakMemory: 205_584 }, host: 'n1', jobId: '36_12', restarts: 1 },
    ],
    ['1 end 0 1 0 exit 10 11 0 - n1 - 0', { used: { cpuTime: 0, peakMemory: null }, jobId: null }],
  ])('%s', (line, record) => {
    expect(parseRecord(line)).toMatchObject(record)
  })

  test.each([
    [''],
    ['2 start 12 2 4711 1732180000.123456 n1 36_12'],
    ['1 pause 12 2 4711 1732180000.123456 n1 36_12'],
    ['1 end 0 1 3 evicted 1732180000.5 1732180001.25 - - n1 - 0'],
    ['1 start 12 2 4711'],
    ['1 end 0 1 3 exit 1732180000.5 17321'],
    ['1 end 0 1 3 ex1 start 4 1 99 1732180000.5 n1 -'],
    ['1 end 0 1 3 exit 1732180000.5 1732180001.25 n1 '],
    ['1 end 0 1 3 exit 10 11 250 205584 n1 36_12'],
    ['1 end 0 1 3 exit 10 11 n1 36_12 0'],
    ['1 start 12 2 4711 1732180000.5 n1 36_12'],
  ])('%j does not count', line => {
    expect(parseRecord(line)).toBeNull()
  })

  test('does not say what was used if nothing was measured', () => {
    expect(parseRecord('1 end 0 1 0 exit 10 11 - - n1 - 0')).not.toHaveProperty('used')
  })

  test('returns every time to the millisecond', () => {
    const milliseconds = fc.integer({ min: 0, max: 4_000_000_000_000 })
    fc.assert(
      fc.property(milliseconds, milliseconds, (started, ended) => {
        const line = `1 end 0 1 0 exit ${(started / 1000).toFixed(6)} ${(ended / 1000).toFixed(6)} - - n1 - 0`
        expect(parseRecord(line)).toMatchObject({ started, ended })
      }),
    )
  })
})

describe('the status from an end record', () => {
  test.each([
    [0, { state: 'finished', exitCode: 0 }],
    [1, { state: 'failed', cause: 'exit', exitCode: 1, signal: null }],
    [127, { state: 'failed', cause: 'exit', exitCode: 127, signal: null }],
    [255, { state: 'failed', cause: 'exit', exitCode: 255, signal: null }],
  ])('exit %i', (code, status) => {
    for (const cancelled of [false, true]) {
      expect(statusOfEnd({ ...end, code }, cancelled)).toEqual({ ...status, ...seen })
    }
  })

  test.each([
    'SIGHUP',
    'SIGINT',
    'SIGQUIT',
    'SIGILL',
    'SIGABRT',
    'SIGBUS',
    'SIGFPE',
    'SIGKILL',
    'SIGUSR1',
    'SIGSEGV',
    'SIGUSR2',
    'SIGPIPE',
    'SIGALRM',
    'SIGTERM',
    'SIGXCPU',
    'SIGXFSZ',
  ] as const)('death by %s', signal => {
    const code = 128 + constants.signals[signal]
    const status = { state: 'failed', cause: 'signal', exitCode: code, signal, ...seen }
    expect(statusOfEnd({ ...end, code }, false)).toEqual(status)
  })

  test('a group that never got to its script failed at the launch', () => {
    const status = { state: 'failed', cause: 'launch', exitCode: 1, signal: null, ...seen }
    expect(statusOfEnd({ ...end, code: 1, outcome: 'launch' }, false)).toEqual(status)
  })

  test('a group that was told to end is cancelled only if its attempt was cancelled', () => {
    const stopped: EndRecord = { ...end, code: 143, outcome: 'stopped' }
    expect(statusOfEnd(stopped, true)).toEqual({ state: 'cancelled', ...seen })
    expect(statusOfEnd({ ...stopped, outcome: 'exit' }, true)).toEqual({ state: 'cancelled', ...seen })
    const failed = { state: 'failed', cause: 'signal', exitCode: 143, signal: 'SIGTERM', ...seen }
    expect(statusOfEnd(stopped, false)).toEqual(failed)
  })
})
