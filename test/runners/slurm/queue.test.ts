import { expect, test } from 'vitest'
import { parseQueue, queueOutput, squeueWords } from '../../../src/runners/slurm/queue.js'
import { type SlurmJob, stateOfJob } from '../../../src/runners/slurm/states.js'
import { listedJobs } from './listed-jobs.js'
import { squeueLine } from './squeue-line.js'

const token = '0b9a33ae-5a0e-4d5c-9f51-1c35c2b1a000'
const other = '7d44ce2e-87f0-4c7b-9f3c-6d2a40c1b111'
const asked = { id: '36', jobName: 'iris_4', token, attempt: 1, data: {} }
const [ten, eleven] = [Date.UTC(2026, 2, 1, 10), Date.UTC(2026, 2, 1, 11)]

function line(facts: Record<string, string> = {}): string {
  const times = { StartTime: '2026-03-01T10:00:00', EndTime: 'N/A' }
  const job = {
    JobArrayID: '36_7',
    State: 'RUNNING',
    RestartCnt: '1',
    exit_code: '0:0',
    NodeList: 'n1',
    Reason: 'None',
  }
  return squeueLine({ ...times, ...job, Name: 'iris_4', Comment: token, ...facts })
}

/** What is listed about the tasks of a submission, by their numbers. */
function jobsIn(lines: readonly string[], of = asked): Map<number, SlurmJob> {
  return listedJobs(parseQueue(`${lines.join('\n')}\n`), of)
}

function tasksIn(lines: readonly string[], of = asked): number[] {
  return [...jobsIn(lines, of).keys()]
}

/** What a line says about our task 7. */
function jobOf(facts: Record<string, string>): SlurmJob | undefined {
  return jobsIn([line(facts)]).get(7)
}

test.each([
  ['no line', '', true],
  ['an empty line', '\n', true],
  ['a job', line(), true],
  ['a job after a greeting', `*** Welcome, maintenance ***\n${line()}`, true],
  ['several tasks in one line', line({ JobArrayID: '36_[8,10-11%4]' }), true],
  ['a task in another format', '36_7COMPLETED|0:0|0|n1|iris_4', true],
  ['a job that is no array', line({ JobArrayID: '36' }), true],
  ['a job whose reason goes on in the next line', line({ JobArrayID: '36', Reason: 'failed\nsee the log' }), true],
  ['no job of a remote cluster', 'CLUSTER: other', true],
  ['a greeting', '*** Welcome, maintenance ***', false],
  ['an error', 'slurm_load_jobs error: Unable to contact slurm controller', false],
  ['a number that is no job', '2 nodes are down', false],
])('an output of squeue with %s is an answer only if a line of it is understood', (_, stdout, isAnswer) => {
  const output = queueOutput({ stdout, stderr: '', exitCode: 0, ending: 'exit' })
  expect(output).toBe(isAnswer ? stdout : null)
})

test('the queue is polled for all arrays at once, with one line for each task', () => {
  const words = ['--array', '--noheader', '--states=all', '--jobs=36,37']
  expect(squeueWords([asked, { ...asked, id: '37' }])).toEqual(['squeue', ...words, expect.any(String)])
})

test('tasks are told apart by their numbers, even if their lines differ in one column only', () => {
  const pending = { State: 'PENDING', RestartCnt: '0', StartTime: 'N/A', NodeList: '', Reason: 'JobHeldUser' }
  const later = { StartTime: '2026-03-01T11:00:00' }
  const facts = [{}, { RestartCnt: '2' }, later, { Reason: 'x' }, { NodeList: 'n2' }, {}, pending]
  const jobs = [...jobsIn(facts.map((fact, at) => line({ ...fact, JobArrayID: `36_1${at}` })))]
  expect(jobs.map(([task, job]) => [task, job.state, job.restarts, job.started, job.host, job.reason])).toEqual([
    [10, 'RUNNING', 1, ten, 'n1', 'None'],
    [11, 'RUNNING', 2, ten, 'n1', 'None'],
    [12, 'RUNNING', 1, eleven, 'n1', 'None'],
    [13, 'RUNNING', 1, ten, 'n1', 'x'],
    [14, 'RUNNING', 1, ten, 'n2', 'None'],
    [15, 'RUNNING', 1, ten, 'n1', 'None'],
    [16, 'PENDING', 0, null, null, 'JobHeldUser'],
  ])
})

test.each([
  ['2026-03-01T10:00:00', '2026-03-01T11:00:00', ten, eleven],
  ['2026-03-01T10:00:00', 'N/A', ten, null],
  ['2026-03-01T10:00:00', 'NONE', ten, null],
  ['N/A', '2026-03-01T11:00:00', null, eleven],
  ['Unknown', 'Unknown', null, null],
  ['2026-03-01T10:00:00', '10192-03-01T10:00:00', ten, null],
])(
  'the times of a job are told apart from what stands beside them: %s, %s',
  (StartTime, EndTime, started, finished) => {
    for (const [exit_code, RestartCnt] of [['0:0', '0'] as const, ['0:15', '20261'] as const]) {
      const expected = { started, finished, exitCode: exit_code, restarts: Number(RestartCnt), host: 'n1' }
      expect(jobOf({ StartTime, EndTime, exit_code, RestartCnt })).toMatchObject(expected)
    }
  },
)

test.each([
  ['other columns', '36_7COMPLETED|0:0|0|n1|iris_4'],
  ['first a time', '36_7 2026-03-01T10:00:00 COMPLETED'],
  ['neither our comment nor a whole line', line({ Reason: 'failed\nsee the log', Comment: 'charged to 1234' })],
  ['times in another format', line({ StartTime: '03/01-10:00:00', EndTime: '03/01-11:00:00', Name: 'x' })],
  ['no times', line({ StartTime: '', EndTime: '', Name: 'x' })],
  ['no exit code', line({ Name: 'x' }).replace('0:0    ', '')],
  ['a state that it has no name for', line({ State: '?', Name: 'x' })],
])('the state of a job of which squeue prints %s is unknown, and it is never taken for gone', (_, output) => {
  expect(stateOfJob('36_7', jobsIn([output]).get(7)!)).toBe(null)
})

test.each([
  ['goes on in the next line', 'burst_buffer: failed\nsee the log', 'burst_buffer: failed'],
  ['has other letters', 'Wartung fällt aus', 'Wartung fällt aus'],
  ['has blanks', 'launch failed requeued held', 'launch failed requeued held'],
  ['is cut', 'Nodes required for job are DOWN, DRAINED or reserved', 'Nodes required for job are DOWN, DRAINED'],
])('a reason that %s is shown, beside names that are as long as their columns', (_, Reason, reason) => {
  const facts = { NodeList: 'queue1-dy-hpc6a48xlarge-120', Name: 'iris_4', State: 'REQUEUE_HOLD' }
  expect(jobOf({ ...facts, Reason })).toMatchObject({ state: facts.State, reason, host: facts.NodeList })
  expect(jobOf({ NodeList: `n[${'1,'.repeat(99)}2]`, Name: 'a b', Reason })).toMatchObject({ state: 'RUNNING', reason })
})

test.each([
  ['ours by its comment, whatever its name', { Name: 'renamed' }, [7]],
  ['ours by its name where the site writes comments', { Comment: 'charged to 1234' }, [7]],
  ['ours by its name where the site writes other letters', { Comment: 'für die Abteilung «été»' }, [7]],
  ['ours by its name where a letter of the comment is cut', { Comment: `${'x'.repeat(43)}é` }, [7]],
  ['ours where the site adds to comments', { Name: 'x', Comment: `${token}|charged to 1234` }, [7]],
  ['ours by its name where the site drops comments', { Comment: '(null)' }, [7]],
  ['ours for each task that a line names', { JobArrayID: '36_[8,10-11%4]' }, [8, 10, 11]],
  ['not ours if another run got the id again, even with the same name', { Comment: other }, []],
  ['not ours by a longer name', { Name: 'iris_45', Comment: '(null)' }, []],
  ['not ours by a name that ends as ours', { Name: 'my_iris_4', Comment: '(null)' }, []],
  ['not ours if it has another name and a comment of the site', { Name: 'x', Comment: 'charged' }, []],
  ['not ours if it is no array', { JobArrayID: '36' }, []],
  ['not ours if its array was not asked for', { JobArrayID: '360_7' }, []],
])('a job is %s', (_, facts, tasks) => {
  expect(tasksIn([line(facts)])).toEqual(tasks)
  expect(tasksIn([`  ${line(facts)}`])).toEqual(tasks)
})

test('each job belongs to the right one of several submissions, also if two got the same id', () => {
  const earlier = { ...asked, jobName: 'iris_2', token: other }
  const next = { ...earlier, id: '40' }
  const of = (JobArrayID: string, Comment: string) => line({ JobArrayID, Comment })
  const lines = [line(), of('36_8', other), of('40_0', other), of('40_1', token)]
  expect([asked, earlier, next].map(each => tasksIn(lines, each))).toEqual([[7], [8], [0]])
  const listing = parseQueue(line())
  expect([listing.lists(asked), listing.lists(earlier)]).toEqual([true, false])
})
