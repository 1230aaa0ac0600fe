import { describe, expect, test } from 'vitest'
import { parseAccounting, sacctWords } from '../../../src/runners/slurm/accounting.js'
import type { SlurmJob } from '../../../src/runners/slurm/states.js'
import { tasksOf } from '../../../src/runners/slurm/task-ids.js'
import { listedJobs } from './listed-jobs.js'

const submitted = Date.UTC(2026, 2, 1, 10)
const token = '0b9a33ae-5a0e-4d5c-9f51-1c35c2b1a000'
const other = '7d44ce2e-87f0-4c7b-9f3c-6d2a40c1b111'
const asked = { id: '36', jobName: 'iris_4', token, attempt: 1, data: { submitted } }

/** Columns as sacct is asked for them. */
const columns = sacctWords(['36'], submitted).at(-1)!.slice('--format='.length).split(',')

function line(facts: Record<string, string> = {}): string {
  const job: Record<string, string> = {
    ...{ JobID: '36_7', JobName: 'iris_4', State: 'COMPLETED', ExitCode: '0:0', Restarts: '1', Reason: 'None' },
    ...{ Submit: '2026-03-01T10:00:01', Start: '2026-03-01T10:00:05', End: '2026-03-04T11:30:00', NodeList: 'n1' },
    ...{ ElapsedRaw: '264595', TotalCPU: '00:00:00', NTasks: '', MaxRSS: '', Comment: '' },
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
    expect(sacctWords(['36', '40'], submitted)).toEqual([...words, expect.stringMatching(/^--format=.+,Comment$/)])
  })

  test('has the times of a job that ran for days, and of one that never started', () => {
    const job = { state: 'COMPLETED', exitCode: '0:0', restarts: 1, host: 'n1', reason: 'None', used: undefined }
    const times = { started: Date.UTC(2026, 2, 1, 10, 0, 5), finished: Date.UTC(2026, 2, 4, 11, 30) }
    expect(jobsIn(line())).toEqual(new Map([[7, { ...job, ...times }]]))
    // Tasks that were cancelled before they started share one line.
    const cancelled = { JobID: '36_[5-6]', State: 'CANCELLED by 1001', Start: 'None', NodeList: 'None assigned' }
    const unstarted = { ...job, ...times, state: 'CANCELLED by 1001', started: null, host: null }
    expect(jobsIn(line(cancelled))).toEqual(new Map([5, 6].map(task => [task, unstarted])))
  })

  test.each([
    ['leaves out a job of another name that had the id', { JobName: 'other_4' }, 0],
    ['leaves out a job of another run that had the id, even with the same name', { Comment: other }, 0],
    ['leaves out a job of another attempt that had the id', { Comment: `${token}.2` }, 0],
    ['leaves out a job that had the id before it was submitted', { Submit: '2026-02-27T10:00:00' }, 0],
    ['leaves out a job without a time', { Submit: 'Unknown' }, 0],
    ['leaves out an array that was not asked for', { JobID: '360_7' }, 0],
    ['leaves out a step', { JobID: '36_7.batch' }, 0],
    ['leaves out a job that is no array', { JobID: '36' }, 0],
    ['has a job of ours by its comment, whatever its name', { JobName: 'renamed', Comment: token }, 1],
    ['has a job of ours by its name where the site writes comments', { Comment: 'project|1234' }, 1],
    ['has a job whose clock is a little behind', { Submit: '2026-03-01T09:58:00' }, 1],
  ])('%s', (_, facts, count) => {
    expect(jobsIn(line(facts))?.size).toBe(count)
  })

  test.each([
    ['another run', { Comment: other }],
    ['a job of long ago', { Submit: '2026-01-01T10:00:00' }],
  ])('has a job of ours before or after that of %s with the same id', (_, facts) => {
    const [ours, theirs] = [line({ State: 'OUT_OF_MEMORY' }), line(facts)]
    for (const output of [ours + theirs, theirs + ours]) {
      expect(jobsIn(output)?.get(7)).toMatchObject({ state: 'OUT_OF_MEMORY' })
    }
  })

  test('has the last of several starts of a job of ours', () => {
    const output = line({ State: 'NODE_FAIL', Restarts: '0' }) + line({ State: 'COMPLETED' })
    expect(jobsIn(output)?.get(7)).toMatchObject({ state: 'COMPLETED', restarts: 1 })
  })

  test.each([
    ['has no jobs without a line', '', 0],
    ['has no jobs in an empty line', '\n', 0],
    ['has its jobs despite other output of a site', `Welcome!\n${line()}`, 1],
    ['is no answer if it is an error', 'sacct: error: slurmdbd\n', undefined],
    ['is no answer if columns are missing', '36_7|iris_4|COMPLETED\n', undefined],
  ])('%s', (_, output, count) => {
    expect(jobsIn(output)?.size).toBe(count)
  })
})

describe('what a job has used', () => {
  const step = (name: string, memory: string, tasks = '1') =>
    line({ JobID: `36_7.${name}`, JobName: name, NTasks: tasks, MaxRSS: memory })
  const [batch, minutes] = [step('batch', '205584K'), '00:06.250']
  const used = { peakMemory: 205_584 * 1024, cpuTime: 6.25 }

  test.each<[string, string, string, object | undefined]>([
    ['is the peak of its batch step, and the time of all steps', minutes, batch, used],
    ['leaves out the step that has no processes of it', minutes, batch + step('extern', '1K'), used],
    ['may be in any unit', minutes, step('batch', '1.5G'), { ...used, peakMemory: 1.5 * 1024 ** 3 }],
    ['may be of hours', '01:02:03', batch, { ...used, cpuTime: 3723 }],
    ['may be of days', '2-00:00:01', batch, { ...used, cpuTime: 172_801 }],
    ['is unknown if Slurm does not gather it', '00:00:00', step('batch', ''), undefined],
    ['is unknown without steps', minutes, '', undefined],
    [
      'has no peak with several steps, whose sum nobody knows',
      minutes,
      batch + step('0', '9K'),
      { ...used, peakMemory: null },
    ],
    ['has no peak if there are several tasks', minutes, step('batch', '9K', '4'), { ...used, peakMemory: null }],
  ])('%s', (_, TotalCPU, steps, expected) => {
    expect(jobsIn(line({ TotalCPU }) + steps)?.get(7)?.used).toEqual(expected)
  })

  test('is not that of another task, and unknown of a job that was too short for a look', () => {
    const jobs = jobsIn(line({ TotalCPU: minutes, JobID: '36_77' }) + line({ TotalCPU: minutes }) + batch)!
    expect([jobs.get(77)?.used, jobs.get(7)?.used]).toEqual([undefined, used])
    expect(jobsIn(line({ TotalCPU: minutes, ElapsedRaw: '29' }) + batch)?.get(7)?.used).toBeUndefined()
  })
})

test('the id of a line names its tasks', () => {
  const ids = ['36_7', '36_[5-9]', '36_[1,3-5%4]', '36_[0,12]', '36', '36_7.batch', '36_[1-']
  expect(ids.map(tasksOf)).toEqual([[7], [5, 6, 7, 8, 9], [1, 3, 4, 5], [0, 12], [], [], []])
})
