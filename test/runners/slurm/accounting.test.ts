import { describe, expect, test } from 'vitest'
import { parseAccounting, sacctWords } from '../../../src/runners/slurm/accounting.js'
import type { SlurmJob } from '../../../src/runners/slurm/states.js'
import { tasksOf } from '../../../src/runners/slurm/task-ids.js'
import { listedJobs } from './listed-jobs.js'

const submitted = Date.UTC(2026, 2, 1, 10)
const token = '0b9a33ae-5a0e-4d5c-9f51-1c35c2b1a000'
const asked = { id: '36', jobName: 'iris_4', token, attempt: 1, data: { submitted } }

/** Columns as sacct is asked for them. */
const columns = sacctWords(['36'], submitted)
  .find(word => word.startsWith('--format='))!
  .slice('--format='.length)
  .split(',')

function line(facts: Record<string, string> = {}): string {
  const job: Record<string, string> = {
    JobID: '36_7',
    JobName: 'iris_4',
    State: 'COMPLETED',
    ExitCode: '0:0',
    Submit: '2026-03-01T10:00:01',
    Start: '2026-03-01T10:00:05',
    End: '2026-03-04T11:30:00',
    Restarts: '1',
    Reason: 'None',
    NodeList: 'n1',
    ElapsedRaw: '264595',
    TotalCPU: '00:00:00',
    NTasks: '',
    MaxRSS: '',
    Comment: '',
    ...facts,
  }
  return `${columns.map(name => job[name]).join('|')}\n`
}

/** What is listed about the tasks of a submission, by their numbers; null if it cannot be parsed. */
function jobsIn(output: string): Map<number, SlurmJob> | null {
  const listing = parseAccounting(output)
  return listing && listedJobs(listing, asked)
}

describe('accounting', () => {
  test('is queried for all arrays at once, from a day before the first was submitted', () => {
    const words = ['sacct', '--parsable2', '--noheader', '--jobs=36,40', '--starttime=2026-02-28T10:00:00']
    expect(sacctWords(['36', '40'], submitted)).toEqual(expect.arrayContaining(words))
  })

  test('has the times of a job that ran for days', () => {
    const job = { state: 'COMPLETED', exitCode: '0:0', restarts: 1, host: 'n1', reason: 'None' }
    const times = { started: Date.UTC(2026, 2, 1, 10, 0, 5), finished: Date.UTC(2026, 2, 4, 11, 30) }
    const jobs = jobsIn(line())!
    expect([...jobs.keys()]).toEqual([7])
    expect(jobs.get(7)).toMatchObject({ ...job, ...times })
  })

  test('has a job that was cancelled before it started', () => {
    const facts = { State: 'CANCELLED by 1001', Start: 'None', NodeList: 'None assigned' }
    const job = { state: 'CANCELLED by 1001', started: null, host: null }
    expect(jobsIn(line(facts))?.get(7)).toMatchObject(job)
  })

  test.each([
    ['a job of another name that had the id', { JobName: 'other_4' }],
    [
      'a job of another run that had the id, even with the same name',
      { Comment: '7d44ce2e-87f0-4c7b-9f3c-6d2a40c1b111' },
    ],
    ['a job of another attempt that had the id', { Comment: `${token}.2` }],
    ['a job that had the id before it was submitted', { Submit: '2026-02-27T10:00:00' }],
    ['a job without a time', { Submit: 'Unknown' }],
    ['an array that was not asked for', { JobID: '360_7' }],
    ['a step', { JobID: '36_7.batch' }],
    ['a job that is no array', { JobID: '36' }],
  ])('leaves out %s', (_name, facts) => {
    expect(jobsIn(line(facts))).toEqual(new Map())
  })

  test.each([
    ['its comment, whatever its name', { JobName: 'renamed', Comment: token }],
    ['its name where the site writes comments', { Comment: 'project|1234' }],
  ])('has a job of ours by %s', (_name, facts) => {
    expect(jobsIn(line(facts))?.size).toBe(1)
  })

  test.each([
    ['another run', { Comment: '7d44ce2e-87f0-4c7b-9f3c-6d2a40c1b111' }],
    ['a job of long ago', { Submit: '2026-01-01T10:00:00' }],
  ])('has a job of ours before or after that of %s with the same id', (_name, facts) => {
    const [ours, other] = [line({ State: 'OUT_OF_MEMORY' }), line(facts)]
    for (const output of [ours + other, other + ours]) {
      expect(jobsIn(output)?.get(7)).toMatchObject({ state: 'OUT_OF_MEMORY' })
    }
  })

  test('has the last of several starts of a job of ours', () => {
    const output = line({ State: 'NODE_FAIL', Restarts: '0' }) + line({ State: 'COMPLETED' })
    expect(jobsIn(output)?.get(7)).toMatchObject({ state: 'COMPLETED', restarts: 1 })
  })

  test('accepts a job whose clock is a little behind', () => {
    expect(jobsIn(line({ Submit: '2026-03-01T09:58:00' }))?.size).toBe(1)
  })

  test.each(['', '\n'])('without a line (%j) has no jobs', output => {
    expect(jobsIn(output)).toEqual(new Map())
  })

  test.each(['sacct: error: slurmdbd\n', '36_7|iris_4|COMPLETED\n'])(
    'in which nothing can be read is no answer: %j',
    output => {
      expect(jobsIn(output)).toBeNull()
    },
  )

  test('is parsed despite other output of a site', () => {
    expect(jobsIn(`Welcome!\n${line()}`)?.size).toBe(1)
  })
})

describe('what a job has used', () => {
  const step = (name: string, memory: string, tasks = '1') =>
    line({ JobID: `36_7.${name}`, JobName: name, NTasks: tasks, MaxRSS: memory })
  const job = { TotalCPU: '00:06.250' }
  const used = { peakMemory: 205_584 * 1024, cpuTime: 6.25 }

  test.each<[string, Record<string, string>, string[], object | undefined]>([
    ['is the peak of its batch step, and the time of all steps', job, [step('batch', '205584K')], used],
    ['leaves out the step that has no processes of it', job, [step('batch', '205584K'), step('extern', '1K')], used],
    ['may be in any unit', job, [step('batch', '1.5G')], { ...used, peakMemory: 1.5 * 1024 ** 3 }],
    ['may be of hours', { TotalCPU: '01:02:03' }, [step('batch', '205584K')], { ...used, cpuTime: 3723 }],
    ['may be of days', { TotalCPU: '2-00:00:01' }, [step('batch', '205584K')], { ...used, cpuTime: 172_801 }],
    ['is unknown if Slurm does not gather it', { TotalCPU: '00:00:00' }, [step('batch', '')], undefined],
    ['is unknown without steps', job, [], undefined],
    [
      'is unknown of a job that was too short for a look',
      { ...job, ElapsedRaw: '29' },
      [step('batch', '9K')],
      undefined,
    ],
    [
      'has no peak if there are several steps, since nobody knows how much they had together',
      job,
      [step('batch', '9K'), step('0', '205584K')],
      { ...used, peakMemory: null },
    ],
    ['has no peak if there are several tasks', job, [step('batch', '205584K', '4')], { ...used, peakMemory: null }],
  ])('%s', (_name, facts, steps, expected) => {
    expect(jobsIn([line(facts), ...steps].join(''))?.get(7)?.used).toEqual(expected)
  })

  test('is not that of another task', () => {
    const jobs = jobsIn(line({ ...job, JobID: '36_77' }) + line(job) + step('batch', '205584K'))!
    expect([jobs.get(77)?.used, jobs.get(7)?.used]).toEqual([undefined, used])
  })
})

test.each([
  ['36_7', [7]],
  ['36_[5-9]', [5, 6, 7, 8, 9]],
  ['36_[1,3-5%4]', [1, 3, 4, 5]],
  ['36_[0,12]', [0, 12]],
  ['36', []],
  ['36_7.batch', []],
  ['36_[1-', []],
])('the tasks of %s', (id, tasks) => {
  expect(tasksOf(id)).toEqual(tasks)
})

test('tasks that were cancelled before they started share one line', () => {
  const jobs = jobsIn(line({ JobID: '36_[5-6]', State: 'CANCELLED by 1001', Start: 'None' }))!
  expect([...jobs.keys()]).toEqual([5, 6])
  expect(jobs.get(6)).toMatchObject({ state: 'CANCELLED by 1001', started: null })
})
