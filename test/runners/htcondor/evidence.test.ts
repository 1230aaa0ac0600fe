import { expect, onTestFinished, test, vi } from 'vitest'
import type { QueueWord } from '../../../src/domain/runs/verdicts.js'
import {
  type CondorNews,
  condorEvidence,
  condorNews,
  historyQueries,
  queueQueries,
} from '../../../src/runners/htcondor/ask.js'
import type { AskedRun, JobHandle } from '../../../src/runners/types.js'
import type { Query } from '../../../src/sites/site.js'
import { folderWith } from '../../project/temporary.js'

const job = { token: 'ours', storagePath: '/it/run_1', groupCount: 2, jobName: 'it_1', attempt: 1, indices: null }
const handle: JobHandle = { ...job, first: 0, count: 2, id: '36', data: { schedd: 'here' } }

const running = { state: 'running', started: 5, host: null, jobId: '36.1' } as const

/** The second group was last seen running. */
const run: AskedRun = {
  ...job,
  handles: [handle],
  partial: new Set(),
  copied: new Map(),
  attemptOf: () => 1,
  open: new Map([[1, { index: 1, status: running }]]),
  settled: new Set<number>(),
  asOf: 0,
  cursor: null,
}

const ad = (task: number, facts: object = {}) => ({
  ClusterId: 36,
  ProcId: task,
  JobStatus: 1,
  QanatToken: 'ours',
  ...facts,
})

/** What programs print: the totals, the queue, and the history. */
function evidence(queue: readonly object[], history: readonly object[], words: readonly [string, QueueWord][] = []) {
  const news: CondorNews = { cursor: { modified: null, events: {} }, records: new Map(), words: new Map(words) }
  const answer = ({ key, command }: Query & { command?: readonly string[] }) => {
    const [program, option] = command!
    const jobs = JSON.stringify(program === 'condor_q' ? queue : history)
    const stdout = option === '-totals' ? '-- Schedd: here : <127.0.0.1>' : jobs
    return [key, { exitCode: 0, ending: 'exit' as const, stdout, stderr: '', digest: stdout }] as const
  }
  const first = new Map(queueQueries([run]).map(query => answer(query)))
  const looks = [{ run, news }]
  const further = historyQueries(looks, first).map(query => answer(query))
  return condorEvidence(looks, new Map([...first, ...further])).get('ours')!
}

const gone = [ad(1, { JobStatus: 4, ExitCode: 0 })]

test('the queue and the history together say what became of each job', () => {
  const { answered, word } = evidence([ad(0)], gone)
  expect(answered).toBe(true)
  expect([word(0, 1)?.kind, word(1, 1)?.kind]).toEqual(['pending', 'ended'])
})

test('the evidence counts as unchanged only while the queue, the history and the event log say the same', () => {
  const heard = evidence([ad(0)], gone).heard
  expect(heard).toBeDefined()
  expect(evidence([ad(0)], gone).heard).toBe(heard)
  const others = [
    evidence([ad(0, { JobStatus: 5 })], gone),
    evidence([ad(0)], [ad(1, { JobStatus: 4, ExitCode: 1 })]),
    evidence([ad(0), ad(1)], []),
    evidence([ad(0)], gone, [['36.0', { kind: 'held', restarts: 0, reason: 'no disk' }]]),
  ]
  expect(new Set([heard, ...others.map(each => each.heard)]).size).toBe(5)
})

test.each(['UTC', 'America/New_York', 'Asia/Tokyo'])(
  'the end of a job is when it was, although the schedd writes its log in UTC and is asked in %s',
  zone => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    const first = '000 (036.000.000) 2026-07-01 10:00:00 Job submitted from host: <10.0.0.1:9618>\n...\n'
    const second = '009 (036.001.000) 2026-07-01 12:00:00 Job was aborted.\n\tvia condor_rm (by user x)\n...\n'
    const storagePath = folderWith({ '.run/htcondor.log': first + second })
    const data = { ...handle.data, submitted: Date.UTC(2026, 6, 1, 10, 0, 3) }
    // The last refresh has read the first event.
    const cursor = { modified: null, events: { 1: first.length } }
    const { words } = condorNews({ ...run, storagePath, cursor, handles: [{ ...handle, storagePath, data }] })
    expect(words.get('36.1')).toMatchObject({ outcome: 'cancelled', finished: Date.UTC(2026, 6, 1, 12) })
  },
)
