import { constants } from 'node:os'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EndRecord, parseRecord, statusOfEnd } from '../../../src/domain/runs/group-record.js'
import { testAny } from '../../cases.js'

describe('reading a record', () => {
  const times = { started: 1_732_180_000_500, ended: 1_732_180_001_250 }
  test.each([
    [
      '1 start 12 2 4711 1732180000.123456 n1.cluster 36_12 2',
      { kind: 'start', index: 12, attempt: 2, pid: 4711, started: 1_732_180_000_123, host: 'n1.cluster', restarts: 2 },
    ],
    [
      '1 end 0 1 3 exit 1732180000.5 1732180001.25 - - - n1 36_7 1',
      { kind: 'end', index: 0, attempt: 1, code: 3, outcome: 'exit', ...times, host: 'n1', jobId: '36_7', restarts: 1 },
    ],
    // sh without EPOCHREALTIME has whole seconds only, bash in some locales a comma.
    ['1 start 0 1 5 1732180000 n1 - 0', { started: 1_732_180_000_000, jobId: null }],
    ['1 start 0 1 5 1732180000,123456 n1 - 0', { started: 1_732_180_000_123 }],
    ['1 end 0 1 0 skipped 10 11 - - - n1 36_12 1', { outcome: 'skipped', code: 0 }],
    ['1 end 0 1 0 exit 10 11 250 205584 - n1 36_12 1', { used: { cpuTime: 2.5, peakMemory: 205_584 }, host: 'n1' }],
    ['1 end 0 1 0 exit 10 11 - - GPU-a,GPU-b n1 - 0', { used: { gpus: 'GPU-a,GPU-b', peakMemory: null } }],
    ['1 end 0 1 0 exit 10 11 0 - - n1 - 0', { used: { cpuTime: 0, peakMemory: null }, jobId: null }],
  ])('%s', (line, record) => {
    expect(parseRecord(line)).toMatchObject(record)
  })

  test.each([
    '',
    '2 start 12 2 4711 1732180000.5 n1 36_12 0',
    '1 pause 12 2 4711 1732180000.5 n1 36_12 0',
    '1 end 0 1 3 evicted 1732180000.5 1732180001.25 - - - n1 - 0',
    '1 start 12 2 4711',
    '1 end 0 1 3 exit 1732180000.5 1732180001.25 - - n1 36_7 1',
    '1 end 0 1 3 exit 1732180000.5 17321',
    '1 end 0 1 3 ex1 start 4 1 99 1732180000.5 n1 -',
    '1 end 0 1 3 exit 1732180000.5 1732180001.25 - - - n1 - ',
  ])('%j does not count', line => {
    expect(parseRecord(line)).toBeNull()
  })

  test('does not say what was used if nothing was measured', () => {
    expect(parseRecord('1 end 0 1 0 exit 10 11 - - - n1 - 0')).not.toHaveProperty('used')
  })

  const milliseconds = fc.integer({ min: 0, max: 4_000_000_000_000 })
  testAny([milliseconds, milliseconds])(
    'returns every time to the millisecond, and no end before the start, since when the clock may have been set back',
    (started, ended) => {
      const line = `1 end 0 1 0 exit ${(started / 1000).toFixed(6)} ${(ended / 1000).toFixed(6)} - - - n1 - 0`
      expect(parseRecord(line)).toMatchObject({ started, ended: Math.max(started, ended) })
    },
  )
})

describe('the status from an end record', () => {
  const seen = { started: 1_000, finished: 2_500, host: 'n1', jobId: '36_7' }
  const statusOf = (code: number, outcome: EndRecord['outcome'], cancelled: boolean) => {
    const times = { started: 1_000, ended: 2_500, host: 'n1', jobId: '36_7', restarts: 0 }
    return statusOfEnd({ kind: 'end', index: 3, attempt: 1, code, outcome, ...times }, cancelled)
  }

  test.each([
    [0, 'exit', { state: 'finished', exitCode: 0 }],
    [1, 'exit', { state: 'failed', cause: 'exit', exitCode: 1, signal: null }],
    [255, 'exit', { state: 'failed', cause: 'exit', exitCode: 255, signal: null }],
    [1, 'launch', { state: 'failed', cause: 'launch', exitCode: 1, signal: null }],
  ] as const)('is, with the code %i after %s, that of the script, also if the attempt was cancelled', (...end) => {
    const [code, outcome, status] = end
    for (const cancelled of [false, true]) expect(statusOf(code, outcome, cancelled)).toEqual({ ...status, ...seen })
  })

  test('names the signal from which a script died', () => {
    for (const signal of ['SIGINT', 'SIGABRT', 'SIGBUS', 'SIGKILL', 'SIGSEGV', 'SIGTERM', 'SIGXCPU'] as const) {
      const code = 128 + constants.signals[signal]
      const status = { state: 'failed', cause: 'signal', exitCode: code, signal, ...seen }
      expect(statusOf(code, 'exit', false)).toEqual(status)
    }
  })

  test('is cancelled for a group that was told to end only if its attempt was cancelled', () => {
    for (const outcome of ['stopped', 'exit'] as const)
      expect(statusOf(143, outcome, true)).toEqual({ state: 'cancelled', ...seen })
    const failed = { state: 'failed', cause: 'signal', exitCode: 143, signal: 'SIGTERM', ...seen }
    expect(statusOf(143, 'stopped', false)).toEqual(failed)
  })
})
