import { describe, expect, test } from 'vitest'
import { jobWords, parseJobs } from '../../../src/runners/htcondor/queue.js'

const tokens = new Set(['ours'])

function ad(facts: Record<string, unknown> = {}) {
  const times = { EnteredCurrentStatus: 200, JobStartDate: 100 }
  return { ClusterId: 36, ProcId: 7, JobStatus: 2, NumJobStarts: 1, ...times, QanatToken: 'ours', ...facts }
}

const jobsOf = (ads: readonly object[], isQueue = false) => parseJobs(JSON.stringify(ads), tokens, isQueue)

const running = { kind: 'running', restarts: 0, started: 100_000, host: null, jobId: '36.7' }
const end = {
  kind: 'ended',
  exitCode: null,
  signal: null,
  started: 100_000,
  finished: 200_000,
  host: null,
  jobId: '36.7',
}
const overTime = { JobStatus: 3, RemoveReason: "'x > QanatTimeLimit' evaluated to TRUE" }

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
    ['that runs', { RemoteHost: 'slot1_1@n1.site' }, { ...running, host: 'n1.site' }],
    ['that runs again', { NumJobStarts: 3 }, { ...running, restarts: 2 }],
    ['that has gone on while its schedd was away', { NumShadowStarts: 2 }, running],
    ['that runs again, which shadows say late', { NumJobStarts: 0 }, running],
    ['that transfers its output', { JobStatus: 6 }, running],
    ['that is suspended', { JobStatus: 7 }, { ...running, suspended: true }],
    ['that is held', { JobStatus: 5, HoldReason: 'no disk' }, { kind: 'held', restarts: 1, reason: 'no disk' }],
    ['that is held for no reason', { JobStatus: 5 }, { kind: 'held', restarts: 1, reason: null }],
    ['that finished', { JobStatus: 4, ExitCode: 0 }, { ...end, outcome: 'finished', exitCode: 0 }],
    ['that failed', { JobStatus: 4, ExitCode: 3, ExitBySignal: false }, { ...end, outcome: 'exit', exitCode: 3 }],
    [
      'that was killed',
      { JobStatus: 4, ExitBySignal: true, ExitSignal: 9, LastRemoteHost: 'slot1@n2' },
      { ...end, outcome: 'signal', signal: 'SIGKILL', host: 'n2' },
    ],
    ['that was removed', { JobStatus: 3, RemoveReason: 'via condor_rm' }, { ...end, outcome: 'cancelled' }],
    ['whose time was over', overTime, { ...end, outcome: 'timeout' }],
    [
      'that was removed before it ran',
      { JobStatus: 3, JobStartDate: 0 },
      { ...end, outcome: 'cancelled', started: null },
    ],
  ])('have a job %s', (_, facts, state) => {
    expect(jobsOf([ad(facts)])).toEqual(new Map([['36.7', state]]))
  })

  test.each([{ JobStatus: 3 }, overTime])('tell that a removed job still ends its processes: %j', facts => {
    expect(jobsOf([ad({ ...facts, NumJobStarts: 2 })], true)?.get('36.7')).toEqual({ kind: 'completing', restarts: 1 })
  })

  test('leave out jobs of other runs, jobs without a token, and jobs in an unknown state', () => {
    const others = [{ QanatToken: 'other' }, { QanatToken: undefined }, { JobStatus: 99 }]
    const ads = others.map((facts, at) => ad({ ...facts, ProcId: at }))
    expect([...jobsOf([...ads, ad()])!.keys()]).toEqual(['36.7'])
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
