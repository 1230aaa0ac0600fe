import { describe, expect, test } from 'vitest'
import { stateInPack } from '../../../src/domain/packs/judge-pack.js'
import { aligned } from '../../../src/views/format/aligned.js'
import { jobOf, judge, judgementText, knownOf, recordOf } from '../runs/witnesses.js'

const jobs = [
  ...['', 'pending', 'pending#1', 'held', 'running', 'running#1', 'completing', 'finished', 'exit 3', 'exit 125'],
  ...['signal', 'cancelled', 'timeout', 'oom', 'node_fail', 'preempted', 'deadline', 'gone', 'removed'],
]
const records = ['', 'start', 'exit 0', 'exit 4', 'timeout 143', 'stopped 143']

/** A job in which a group has ended. */
const progressed = { hasEnded: true, isOver: false, isCancelled: false }

function judged(job: string, record: string, told = progressed): string {
  const witnesses = { record: recordOf(record), known: knownOf(record === '' ? 'pending' : 'running') }
  const state = stateInPack(jobOf(job), witnesses.record, told)
  return judgementText(judge({ ...witnesses, job: state })).replace(/ \d*–\d*( \w+)?/, '')
}

describe('of a group in a job of many groups', () => {
  test('the state is this, by what the queue says of the job and what the journal says of the group', () => {
    const rows = jobs.map(job => [job || 'silent', ...records.map(record => judged(job, record))])
    expect(`\n${aligned([['queue \\ journal', 'none', ...records.slice(1)], ...rows])}`).toMatchInlineSnapshot(`
      "
      queue \\ journal  none                     start                        exit 0      exit 4         timeout 143         stopped 143
      silent           pending                  running                      finished 0  failed exit 4  failed timeout 143  running
      pending          pending                  running                      finished 0  failed exit 4  failed timeout 143  pending
      pending#1        pending                  pending#1                    finished 0  failed exit 4  failed timeout 143  pending#1
      held             held JobHeldAdmin        held JobHeldAdmin            finished 0  failed exit 4  failed timeout 143  held JobHeldAdmin
      running          pending                  running                      finished 0  failed exit 4  failed timeout 143  running
      running#1        pending                  pending#1                    finished 0  failed exit 4  failed timeout 143  pending#1
      completing       pending                  running                      finished 0  failed exit 4  failed timeout 143  running, open
      finished         pending                  running, open                finished 0  failed exit 4  failed timeout 143  failed signal SIGTERM 143
      exit 3           pending                  running, open                finished 0  failed exit 4  failed timeout 143  failed signal SIGTERM 143
      exit 125         failed launch 125, open  running, open                finished 0  failed exit 4  failed timeout 143  failed signal SIGTERM 143
      signal           pending                  failed signal SIGKILL, open  finished 0  failed exit 4  failed timeout 143  failed signal SIGTERM 143
      cancelled        cancelled                cancelled                    finished 0  failed exit 4  failed timeout 143  cancelled
      timeout          pending                  failed timeout 0, open       finished 0  failed exit 4  failed timeout 143  failed timeout 143
      oom              pending                  failed oom 0                 finished 0  failed exit 4  failed timeout 143  failed oom 143
      node_fail        pending                  failed node_fail 0           finished 0  failed exit 4  failed timeout 143  failed node_fail 143
      preempted        pending                  failed preempted 0           finished 0  failed exit 4  failed timeout 143  failed preempted 143
      deadline         failed deadline 0        failed deadline 0            finished 0  failed exit 4  failed timeout 143  failed deadline 143
      gone             pending, open            running, open                finished 0  failed exit 4  failed timeout 143  running, open
      removed          cancelled, open          running, open                finished 0  failed exit 4  failed timeout 143  running, open"
    `)
  })

  test.each([
    ['timeout', {}, 'pending'],
    ['node_fail', { hasEnded: false }, 'held its job was over before any of its groups had ended (node_fail)'],
    ['exit 127', { hasEnded: false }, 'failed exit 127, open'],
    ['exit 123', {}, 'pending, open'],
    ['finished', { hasEnded: false }, 'held its job was over before any of its groups had ended (finished)'],
    ['timeout', { isCancelled: true }, 'cancelled'],
    ['gone', { isOver: true }, 'pending'],
    ['gone', { isOver: true, hasEnded: false }, 'held its job was over before any of its groups had ended (gone)'],
    ['gone', { isOver: true, isCancelled: true }, 'cancelled'],
    ['running', { isCancelled: true }, 'pending'],
  ])('one that was not reached by a job that is %s, of which the journals tell %j, is %s', (job, told, expected) => {
    expect(judged(job, '', { ...progressed, ...told })).toBe(expected)
  })

  test('the use of the whole job is not that of the group', () => {
    const job = { ...jobOf('timeout')!, used: { peakMemory: 1, cpuTime: 1 } }
    expect(stateInPack(job, recordOf('start'), progressed)).not.toHaveProperty('used')
  })

  test('an end at an earlier start of the job stays, and what ran then is pending', () => {
    expect(stateInPack(jobOf('running#1'), recordOf('start'), progressed)).toEqual({ kind: 'pending', restarts: 1 })
    expect(stateInPack(jobOf('running#1'), recordOf('start#1'), progressed)).toMatchObject({
      kind: 'running',
      restarts: 1,
    })
    expect(stateInPack(jobOf('running#1'), recordOf('exit 3'), progressed)).toMatchObject({ kind: 'ended' })
  })
})
