import { describe, expect, test } from 'vitest'
import { jobWords, parseJobs } from '../../../src/runners/htcondor/queue.js'

const tokens = new Set(['ours'])

function ad(facts: Record<string, unknown> = {}) {
  const times = { EnteredCurrentStatus: 200, JobStartDate: 100 }
  return { ClusterId: 36, ProcId: 7, JobStatus: 2, NumJobStarts: 1, ...times, QanatToken: 'ours', ...facts }
}

function jobsOf(...ads: object[]) {
  return parseJobs(JSON.stringify(ads), tokens, false)
}

const seen = { started: 100_000, finished: 200_000, host: null, jobId: '36.7' }

describe('the queue and the history', () => {
  test('are queried for all clusters at once', () => {
    const words = jobWords(['36', '40'])
    expect(words.slice(-2)).toEqual(['-constraint', 'ClusterId == 36 || ClusterId == 40'])
    expect(words).toContain('-json')
    for (const name of Object.keys(ad())) expect(words[words.indexOf('-attributes') + 1]!.split(',')).toContain(name)
  })

  test.each<[string, Record<string, unknown>, object]>([
    ['that waits', { JobStatus: 1, NumJobStarts: undefined }, { kind: 'pending', restarts: 0 }],
    ['that waits again', { JobStatus: 1, NumJobStarts: 2 }, { kind: 'pending', restarts: 2 }],
    [
      'that runs',
      { RemoteHost: 'slot1_1@n1.site' },
      { kind: 'running', restarts: 0, started: 100_000, host: 'n1.site', jobId: '36.7' },
    ],
    ['that runs again', { NumJobStarts: 3 }, { kind: 'running', restarts: 2 }],
    ['that has gone on while its schedd was away', { NumShadowStarts: 2 }, { kind: 'running', restarts: 0 }],
    ['that runs again, which shadows say late', { NumJobStarts: 0 }, { kind: 'running', restarts: 0 }],
    ['that transfers its output', { JobStatus: 6 }, { kind: 'running', restarts: 0 }],
    ['that is suspended', { JobStatus: 7 }, { kind: 'running', restarts: 0, suspended: true }],
    ['that is held', { JobStatus: 5, HoldReason: 'no disk' }, { kind: 'held', restarts: 1, reason: 'no disk' }],
    ['that is held for no reason', { JobStatus: 5 }, { kind: 'held', restarts: 1, reason: null }],
    [
      'that finished',
      { JobStatus: 4, ExitCode: 0, ExitBySignal: false },
      { ...seen, outcome: 'finished', exitCode: 0 },
    ],
    ['that failed', { JobStatus: 4, ExitCode: 3, ExitBySignal: false }, { ...seen, outcome: 'exit', exitCode: 3 }],
    [
      'that was killed',
      { JobStatus: 4, ExitBySignal: true, ExitSignal: 9, LastRemoteHost: 'slot1@n2' },
      { ...seen, outcome: 'signal', signal: 'SIGKILL', exitCode: null, host: 'n2' },
    ],
    [
      'that was removed',
      { JobStatus: 3, RemoveReason: 'via condor_rm' },
      { ...seen, outcome: 'cancelled', exitCode: null },
    ],
    [
      'whose time was over',
      { JobStatus: 3, RemoveReason: "'x > QanatTimeLimit' evaluated to TRUE" },
      { outcome: 'timeout' },
    ],
    ['that was removed before it ran', { JobStatus: 3, JobStartDate: 0 }, { outcome: 'cancelled', started: null }],
  ])('have a job %s', (_name, facts, word) => {
    expect(jobsOf(ad(facts))?.get('36.7')).toMatchObject(word)
  })

  test.each([
    { JobStatus: 3, RemoveReason: 'via condor_rm' },
    { JobStatus: 3, RemoveReason: "'x > QanatTimeLimit' evaluated to TRUE" },
  ])('tell apart a job that was removed, and one that still ends its processes: %j', facts => {
    const queue = parseJobs(JSON.stringify([ad({ ...facts, NumJobStarts: 2 })]), tokens, true)
    expect(queue?.get('36.7')).toEqual({ kind: 'completing', restarts: 1 })
    expect(jobsOf(ad(facts))?.get('36.7')).toMatchObject({ kind: 'ended' })
  })

  test('leave out jobs of other runs, jobs without a token, and jobs in an unknown state', () => {
    const others = [
      { QanatToken: 'other', ProcId: 1 },
      { QanatToken: undefined, ProcId: 2 },
      { JobStatus: 99, ProcId: 3 },
    ]
    expect([...jobsOf(...others.map(ad), ad())!.keys()]).toEqual(['36.7'])
  })

  test.each(['', '\n', '[]', '[\n]\n'])('have no jobs in %j', output => {
    expect(parseJobs(output, tokens, true)).toEqual(new Map())
  })

  test.each(['-- Failed to fetch ads from: <10.0.0.1:9618>\n', '[{"ClusterId": 36,', '[]]', '{}', 'null'])(
    'that cannot be read are no answer: %j',
    output => {
      expect(parseJobs(output, tokens, true)).toBeNull()
    },
  )
})
