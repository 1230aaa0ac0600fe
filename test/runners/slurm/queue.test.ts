import { describe, expect, test } from 'vitest'
import { parseQueue, queueOutput, squeueWords } from '../../../src/runners/slurm/queue.js'
import { type SlurmJob, stateOfJob } from '../../../src/runners/slurm/states.js'
import { listedJobs } from './listed-jobs.js'
import { squeueLine } from './squeue-line.js'

const token = '0b9a33ae-5a0e-4d5c-9f51-1c35c2b1a000'
const other = '7d44ce2e-87f0-4c7b-9f3c-6d2a40c1b111'
const asked = { id: '36', jobName: 'iris_4', token, attempt: 1, data: {} }

function line(facts: Record<string, string> = {}): string {
  const job = {
    JobArrayID: '36_7',
    State: 'RUNNING',
    RestartCnt: '1',
    StartTime: '2026-03-01T10:00:00',
    EndTime: 'N/A',
    exit_code: '0:0',
    Name: 'iris_4',
    Comment: token,
    NodeList: 'n1',
    Reason: 'None',
  }
  return squeueLine({ ...job, ...facts })
}

/** What is listed about the tasks of a submission, by their numbers. */
function jobsIn(output: string, of = asked): Map<number, SlurmJob> {
  return listedJobs(parseQueue(output), of)
}

function tasksIn(lines: readonly string[], of = asked): number[] {
  return [...jobsIn(`${lines.join('\n')}\n`, of).keys()]
}

describe('an answer of squeue', () => {
  const outputOf = (stdout: string) => queueOutput({ stdout, stderr: '', exitCode: 0, ending: 'exit' })

  test.each([
    ['a greeting', '*** Welcome, maintenance ***'],
    ['an error', 'slurm_load_jobs error: Unable to contact slurm controller'],
    ['a number that is no job', '2 nodes are down'],
  ])('of which no line is understood is none: %s', (_, text) => {
    expect(outputOf(text)).toBeNull()
  })

  test.each([
    ['no line', ''],
    ['an empty line', '\n'],
    ['a job', line()],
    ['a job after a greeting', `*** Welcome, maintenance ***\n${line()}`],
    ['several tasks in one line', line({ JobArrayID: '36_[8,10-11%4]' })],
    ['a task in another format', '36_7COMPLETED|0:0|0|n1|iris_4'],
    ['a job that is no array', line({ JobArrayID: '36' })],
    ['a job whose reason goes on in the next line', line({ JobArrayID: '36', Reason: 'failed\nsee the log' })],
    ['no job of a remote cluster', 'CLUSTER: other'],
  ])('is one that has %s', (_, text) => {
    expect(outputOf(text)).toBe(text)
  })
})

describe('the queue', () => {
  test('is polled for all arrays at once, with one line for each task', () => {
    const words = ['--array', '--noheader', '--states=all', '--jobs=36,37']
    expect(squeueWords([asked, { ...asked, id: '37' }])).toEqual(['squeue', ...words, expect.any(String)])
  })

  test('has each task by the id of its array and its number', () => {
    const pending = {
      JobArrayID: '36_12',
      State: 'PENDING',
      RestartCnt: '0',
      StartTime: 'N/A',
      NodeList: '',
      Reason: 'JobHeldUser',
    }
    const jobs = jobsIn([line(), line(pending), ''].join('\n'))
    const common = { exitCode: '0:0', finished: null }
    const started = Date.UTC(2026, 2, 1, 10)
    expect([...jobs]).toMatchObject([
      [7, { state: 'RUNNING', restarts: 1, started, host: 'n1', reason: 'None', ...common }],
      [12, { state: 'PENDING', restarts: 0, started: null, host: null, reason: 'JobHeldUser', ...common }],
    ])
  })

  test('shows reasons in other letters as they are', () => {
    for (const Reason of ['voilà', 'Wartung fällt aus']) {
      expect(jobsIn(line({ Reason })).get(7)?.reason).toBe(Reason)
    }
  })

  test('tells apart tasks whose lines differ in one column only', () => {
    const facts = [{}, { RestartCnt: '2' }, { StartTime: '2026-03-01T10:00:01' }, { Reason: 'x' }, { NodeList: 'n2' }]
    const lines = facts.map((fact, at) => line({ ...fact, JobArrayID: `36_${at}` }))
    const jobs = jobsIn([...lines, line({ JobArrayID: '36_9' })].join('\n'))
    const told = [...jobs.values()].map(({ restarts, started, reason, host }) => [restarts, started, reason, host])
    const usual = [1, Date.UTC(2026, 2, 1, 10), 'None', 'n1']
    const [restarts, started, reason, host] = usual
    expect(told).toEqual([
      usual,
      [2, started, reason, host],
      [restarts, Date.UTC(2026, 2, 1, 10, 0, 1), reason, host],
      [restarts, started, 'x', host],
      [restarts, started, reason, 'n2'],
      usual,
    ])
  })

  test.each([
    ['2026-03-01T10:00:00', '2026-03-01T11:00:00', Date.UTC(2026, 2, 1, 10), Date.UTC(2026, 2, 1, 11)],
    ['2026-03-01T10:00:00', 'N/A', Date.UTC(2026, 2, 1, 10), null],
    ['2026-03-01T10:00:00', 'NONE', Date.UTC(2026, 2, 1, 10), null],
    ['N/A', '2026-03-01T11:00:00', null, Date.UTC(2026, 2, 1, 11)],
    ['Unknown', 'Unknown', null, null],
    ['N/A', 'NONE', null, null],
    ['2026-03-01T10:00:00', '10192-03-01T10:00:00', Date.UTC(2026, 2, 1, 10), null],
  ])('has the times of a job: %s, %s', (StartTime, EndTime, started, finished) => {
    for (const [exit_code, RestartCnt] of [
      ['0:0', '0'],
      ['0:15', '20261'],
    ] as const) {
      const job = jobsIn(line({ StartTime, EndTime, exit_code, RestartCnt })).get(7)
      expect(job).toMatchObject({ started, finished, exitCode: exit_code, restarts: Number(RestartCnt), host: 'n1' })
    }
  })

  test.each([
    ['other columns', '36_7COMPLETED|0:0|0|n1|iris_4'],
    ['first a time', '36_7 2026-03-01T10:00:00 COMPLETED'],
    ['neither our comment nor a whole line', line({ Reason: 'failed\nsee the log', Comment: 'charged to 1234' })],
    ['times in another format', line({ StartTime: '03/01-10:00:00', EndTime: '03/01-11:00:00', Name: 'x' })],
    ['no times', line({ StartTime: '', EndTime: '', Name: 'x' })],
    ['no exit code', line({ Name: 'x' }).replace('0:0    ', '')],
    ['a state that it has no name for', line({ State: '?', Name: 'x' })],
  ])('does not know the state of a job of which squeue prints %s, and never takes it for gone', (_, output) => {
    const job = jobsIn(output).get(7)!
    expect(stateOfJob('36_7', job)).toBe(null)
  })

  test('has a job whose reason goes on in the next line', () => {
    const job = jobsIn(line({ Reason: 'burst_buffer: failed\nsee the log', State: 'PENDING' })).get(7)
    expect(job).toMatchObject({ state: 'PENDING', restarts: 1, host: 'n1', reason: 'burst_buffer: failed' })
  })

  test('has jobs before which a program of the site writes blanks', () => {
    expect(tasksIn([`  ${line()}`])).toEqual([7])
  })

  test('that is empty has no jobs', () => {
    expect(tasksIn([''])).toEqual([])
  })

  test.each([
    ['has a job of ours by its comment, whatever its name', { Name: 'renamed' }, true],
    ['has a job of ours by its name where the site writes comments', { Comment: 'charged to 1234' }, true],
    ['has a job of ours by its name where the site writes other letters', { Comment: 'für die Abteilung «été»' }, true],
    ['has a job of ours by its name where a letter of the comment is cut', { Comment: `${'x'.repeat(43)}é` }, true],
    ['has a job of ours by its name where the site drops comments', { Comment: '(null)' }, true],
    ['has nothing of another run that got the id again, even with the same name', { Comment: other }, false],
    ['has nothing of a job of another name whose comment is of the site', { Name: 'x', Comment: 'charged' }, false],
    ['has nothing of a job that is no array', { JobArrayID: '36' }, false],
    ['has nothing of an array that was not asked for', { JobArrayID: '360_7' }, false],
  ])('%s', (_name, facts, isOurs) => {
    expect(tasksIn([line(facts)])).toHaveLength(Number(isOurs))
  })

  test('attributes each job to the right one of two submissions that got the same id', () => {
    const earlier = { ...asked, jobName: 'iris_2', token: other }
    const lines = [line(), line({ JobArrayID: '36_8', Comment: other })]
    expect([tasksIn(lines), tasksIn(lines, earlier)]).toEqual([[7], [8]])
    const listing = parseQueue(line())
    expect([listing.lists(asked), listing.lists(earlier)]).toEqual([true, false])
  })

  test.each([['iris_45'], ['iris_4 b'], ['my_iris_4']])('tells a longer name from ours: %s', Name => {
    expect(tasksIn([line({ Name, Comment: '(null)' })])).toEqual([])
  })

  test.each([
    'JobHeldUser',
    'launch failed requeued held',
    'job requeued in held state',
    'user env retrieval failed requeued held',
  ])('tells who must release a held job: %s', Reason => {
    const lines = [line({ State: 'REQUEUE_HOLD', Reason, NodeList: 'queue1-dy-hpc6a48xlarge-120' })]
    expect(jobsIn(lines.join('\n')).get(7)).toMatchObject({
      ...{ state: 'REQUEUE_HOLD', reason: Reason, host: 'queue1-dy-hpc6a48xlarge-120' },
    })
  })

  test('has all tasks that a line names', () => {
    const pending = { State: 'PENDING', RestartCnt: '0' }
    expect(tasksIn([line({ ...pending, JobArrayID: '36_[8,10-11%4]' })])).toEqual([8, 10, 11])
  })

  test('is parsed by columns, even if a field is cut or contains blanks', () => {
    const facts = {
      NodeList: `n[${'1,'.repeat(99)}2]`,
      Name: 'a b',
      Reason: 'Nodes required for job are DOWN, DRAINED',
    }
    const job = jobsIn(line(facts)).get(7)
    expect(job).toMatchObject({ state: 'RUNNING', reason: 'Nodes required for job are DOWN, DRAINED' })
  })

  test('has the arrays of several runs', () => {
    const next = { ...asked, id: '40', jobName: 'iris_5', token: other }
    const lines = [line(), line({ JobArrayID: '40_0', Comment: other }), line({ JobArrayID: '40_1', Comment: token })]
    expect([tasksIn(lines), tasksIn(lines, next)]).toEqual([[7], [0]])
  })
})
