import { expect, onTestFinished, test, vi } from 'vitest'
import { judgeRun } from '../../../src/domain/runs/judge-run.js'
import type { GroupReport } from '../../../src/domain/runs/run.js'
import type { Place } from '../../../src/domain/runs/run-plan.js'
import type { SchedulerState } from '../../../src/domain/runs/verdicts.js'
import {
  type CondorNews,
  condorEvidence,
  condorNews,
  historyQueries,
  queueQueries,
} from '../../../src/runners/htcondor/ask.js'
import { explainCondor } from '../../../src/runners/htcondor/explain.js'
import type { JobHandle, PolledRun } from '../../../src/runners/types.js'
import type { Query, Site } from '../../../src/sites/site.js'
import { folderWith } from '../../project/temporary.js'

const job = {
  token: 'ours',
  runId: 1,
  place: { here: '/mirror/run_1', there: '/it/run_1' },
  groupCount: 2,
  jobName: 'it_1',
  attempt: 1,
  indices: null,
}
const submitted = Date.parse('2026-07-01T12:00:00')
const handle: JobHandle = { ...job, first: 0, count: 2, id: '36', data: { schedd: 'here', submitted } }

const running = { state: 'running', started: 5, host: null, jobId: '36.1' } as const

/** The second group was last seen running. */
const run: PolledRun = {
  ...{
    ...job,
    handles: [handle],
    partial: new Set(),
    foreign: new Map(),
    isCancelled: () => false,
    attemptOf: () => 1,
    asOf: 0,
    cursor: null,
  },
  open: new Map([[1, { index: 1, status: running }]]),
  settled: new Set<number>(),
}

/** A run with these files, which is elsewhere. */
function mirrorOf(files: Readonly<Record<string, string>>): Place {
  return { here: folderWith(files), there: '/it/run_1' }
}

const ad = (task: number, facts: object = {}) => {
  return { ClusterId: 36, ProcId: task, JobStatus: 1, QanatToken: 'ours', ...facts }
}

/** What programs print: the totals, the queue, and the history. */
function evidence(queue: object[], history: object[], states: [string, SchedulerState][] = []) {
  const news: CondorNews = { cursor: { folder: null, events: {} }, records: new Map(), states: new Map(states) }
  const answer = ({ key, command }: Query & { command?: readonly string[] }) => {
    const [program, option] = command!
    const jobs = JSON.stringify(program === 'condor_q' ? queue : history)
    const stdout = option === '-totals' ? '-- Schedd: here : <127.0.0.1>' : jobs
    return [key, { exitCode: 0, ending: 'exit' as const, stdout, stderr: '', digest: stdout }] as const
  }
  const first = new Map(queueQueries([run]).map(answer))
  const looks = [{ run, news }]
  const further = historyQueries(looks, first).map(answer)
  return condorEvidence(looks, new Map([...first, ...further])).get('ours')!
}

test('the queue, the history and the event log say what became of jobs, and whether anything is new', () => {
  const gone = [ad(1, { JobStatus: 4, ExitCode: 0 })]
  const { answered, job, digest } = evidence([ad(0)], gone)
  expect([answered, job(0, 1)?.kind, job(1, 1)?.kind]).toEqual([true, 'pending', 'ended'])
  expect(evidence([ad(0)], gone).digest).toBe(digest)
  const others = [
    evidence([ad(0, { JobStatus: 5 })], gone),
    evidence([ad(0)], [ad(1, { JobStatus: 4, ExitCode: 1 })]),
    evidence([ad(0), ad(1)], []),
    evidence([ad(0)], gone, [['36.0', { kind: 'held', restarts: 0, reason: 'no disk' }]]),
  ]
  expect(new Set([digest, ...others.map(each => each.digest)]).size).toBe(5)
})

test.each(['UTC', 'America/New_York', 'Asia/Tokyo'])(
  'the end of a job is when it was, although the schedd writes its log in UTC and is asked in %s',
  zone => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    const first = '000 (036.000.000) 2026-07-01 10:00:00 Job submitted from host: <10.0.0.1:9618>\n...\n'
    const second = '009 (036.001.000) 2026-07-01 12:00:00 Job was aborted.\n\tvia condor_rm (by user x)\n...\n'
    const place = mirrorOf({ '.run/htcondor.log': first + second })
    const data = { ...handle.data, submitted: Date.UTC(2026, 6, 1, 10, 0, 3) }
    // The last refresh has read the first event.
    const cursor = { modified: null, events: { 1: first.length } }
    const { states } = condorNews({ ...run, place, cursor, handles: [{ ...handle, place, data }] })
    expect(states.get('36.1')).toMatchObject({ outcome: 'cancelled', finished: Date.UTC(2026, 6, 1, 12) })
  },
)

const clusterEvent = (code: string, text: string) => `${code} (036.-01.000) 2026-07-01 12:00:00 ${text}\n...\n`
const made = '000 (036.000.000) 2026-07-01 10:00:00 Job submitted\n...\n'
const removed = clusterEvent('036', 'Cluster removed\n\tMaterialized 2 jobs from 0 items.\tIncomplete')

test('groups whose jobs were not made when their cluster was removed are cancelled at once, and those of other attempts not', () => {
  const place = mirrorOf({ '.run/htcondor.log': clusterEvent('035', 'Cluster submitted') + made + removed })
  const handles = [
    { ...handle, place, count: 6, groupCount: 6 },
    { ...handle, place, count: 1, groupCount: 6, attempt: 2, indices: [5], id: '37' },
  ]
  const attemptOf = (index: number) => (index === 5 ? 2 : 1)
  // Group 3 was already missing in the queue, and group 4 was given up, before the event was there.
  const unknown = { started: null, finished: null, host: null, jobId: null }
  const open = new Map<number, GroupReport>([
    [1, { index: 1, status: running }],
    [3, { index: 3, status: { state: 'pending' }, awaiting: 1 }],
    [4, { index: 4, status: { state: 'lost', cause: 'never_started', ...unknown } }],
  ])
  const asked = { ...run, place, groupCount: 6, handles, open, attemptOf }
  const judged = (cursor: unknown) => {
    const news = condorNews({ ...asked, cursor })
    const evidence = condorEvidence([{ run: asked, news }], new Map()).get('ours')!
    const known = { ...asked, stored: (index: number) => open.get(index)!, isCancelled: () => false }
    return { news, reports: judgeRun(known, evidence, { now: 9, grace: 270_000 }) }
  }
  const { news, reports } = judged(null)
  const status = { state: 'cancelled', started: null, finished: Date.parse('2026-07-01T12:00:00') }
  expect(reports).toMatchObject([2, 3, 4].map(index => ({ index, status: { ...status, jobId: `36.${index}` } })))
  expect(reports.some(report => 'awaiting' in report)).toBe(false)
  expect(judged(news.cursor).reports).toEqual([])
})

/** An HTCondor that says only what jobs ask for, as version 25 does. */
const curt = {
  run: async () => ({ exitCode: 0, stdout: '2 100 1048576.0', stderr: '', ending: 'exit' }),
} as unknown as Site
const asks = 'it asks for 2 CPUs, 100 MB of memory and 1024 MB of disk'
const paused = clusterEvent('037', 'Job Materialization Paused\n\tvia condor_hold (by user x)')
test.each([
  [1, made + removed, '36.1: 2026-07-01 12:00:00 Cluster removed, Materialized 2 jobs from 0 items. Incomplete'],
  [0, made.replace(/(?=\n)/, '\n    [ JobBatchName = "it_1" ]'), `36.0: 2026-07-01 10:00:00 Job submitted; ${asks}`],
  [0, made.replace('000', '009') + removed, '36.0: 2026-07-01 10:00:00 Job submitted'],
  [1, paused, '36.1: 2026-07-01 12:00:00 Job Materialization Paused, via condor_hold (by user x)'],
])('why says of job %i its last event, or that of its cluster if it was never made', async (task, log, text) => {
  const place = mirrorOf({ '.run/htcondor.log': log })
  const witnesses = await explainCondor(curt, { handle: { ...handle, place }, task, index: task })
  expect(witnesses[0]).toEqual({ name: 'HTCondor', text: `job ${text}` })
})
