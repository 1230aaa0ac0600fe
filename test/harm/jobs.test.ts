import { describe, expect, test } from 'vitest'
import { FakeSlurm } from '../e2e/launch/fake-slurm.js'

/** Has the queue say that both jobs of a run run, with these facts of them. */
function bothRun(slurm: FakeSlurm, facts: { name?: string; comment?: string } = {}): void {
  for (const task of [0, 1]) slurm.queue('RUNNING', { task, ...facts })
}

/** A run of two groups in a Slurm that has lost its state since, and has begun again to count its jobs. */
async function running(): Promise<FakeSlurm> {
  const slurm = await FakeSlurm.launched('exit 0', 'exit 0')
  bothRun(slurm)
  expect((await slurm.folder.show()).groups).toMatchObject({ running: 2 })
  return slurm
}

describe('a job that got the id of one of ours', () => {
  test.each([
    ['has another name', { name: 'precious', comment: '' }],
    ['has another name and a comment', { name: 'precious', comment: 'charged to 1234' }],
    ['is of a run with the same name', { comment: '00000000-0000-4000-8000-000000000000' }],
  ])('and %s is not cancelled, also when the run is deleted, and nobody says so', async (_, facts) => {
    const slurm = await running()
    bothRun(slurm, facts)
    const { code, stdout, stderr } = await slurm.folder.qanat('run_cancel', '1')
    expect([code, stdout, slurm.cancelled()]).toEqual([1, '', []])
    expect(stderr).toContain('nothing was cancelled: no job of run 1 was found in the queue of slurm')
    expect(stderr).toContain('qanat why 1')
    const deletion = await slurm.folder.qanat('run_delete', '-y', 'it', '1')
    expect([deletion.code, slurm.cancelled()]).toEqual([0, []])
    expect(deletion.stderr).toContain('nothing was cancelled: no job of run 1 was found')
    expect(slurm.folder.has('results/it/run_1')).toBe(false)
  })

  test('is not cancelled with those of a retry', async () => {
    const slurm = await FakeSlurm.launched('exit 3', 'sleep 60')
    await slurm.runJob()
    slurm.queue('FAILED', { exit: '3:0' })
    slurm.queue('RUNNING', { task: 1 })
    expect((await slurm.folder.qanat('run_retry', '1')).code).toBe(0)
    bothRun(slurm, { name: 'precious', comment: '' })
    slurm.queue('RUNNING', { job: 78 })
    const cancelling = await slurm.folder.qanat('run_cancel', '1')
    expect([cancelling.code, slurm.cancelled()]).toEqual([0, ['78']])
    expect(cancelling.stdout).toContain('Run 1 was cancelled; 2 groups are not known to have ended yet')
  })

  test('does not explain why a group is in its state', async () => {
    const slurm = await running()
    const why = async () => /Slurm +job 77_0 (.*)/.exec((await slurm.folder.qanat('why', '1')).stdout)![1]
    slurm.answer('explained', 'RUNNING|None|n1|1:00|4G|10:00|precious|(null)\n')
    slurm.answer('sacct', 'echo "RUNNING|n1|00:01:00|4G|00:10:00|2036-03-01T10:00:00|precious|"\n')
    expect(await why()).toBe('is no longer known')
    slurm.answer('explained', `RUNNING|None|n1|1:00|4G|10:00|renamed|${slurm.commentOf(77)}\n`)
    expect(await why()).toContain('RUNNING on n1 after 1:00 (')
    slurm.answer('explained', '')
    slurm.answer('sacct', 'echo "TIMEOUT|n1|00:10:00|4G|00:10:00|2036-03-01T10:00:00|it_1|"\n')
    expect(await why()).toContain('TIMEOUT on n1 after 00:10:00 (')
  })
})

test.each([
  ['that was renamed', { name: 'renamed' }],
  ['whose comment the site has replaced', { comment: 'charged to 1234' }],
])('a job of ours %s is cancelled', async (_, facts) => {
  const slurm = await running()
  bothRun(slurm, facts)
  const { code, stderr } = await slurm.folder.qanat('run_cancel', '1')
  expect([code, stderr, slurm.cancelled()]).toEqual([0, '', ['77']])
})

describe('nothing is cancelled', () => {
  test.each([
    ['does not answer', 'echo "Unable to contact slurm controller" >&2; exit 1', 'Unable to contact slurm controller'],
    ['prints only a greeting', 'echo "*** Welcome ***"', "it printed only '*** Welcome ***'"],
    ['does not show whose job it is', 'echo 77_0RUNNING; echo 77_1RUNNING', 'does not say whether the job 77 is one'],
  ])('if squeue %s', async (_, code, said) => {
    const slurm = await running()
    slurm.program('squeue', code)
    for (const line of ['run_cancel 1', 'run_delete -y it 1']) {
      const { code: exit, stderr } = await slurm.folder.qanat(...line.split(' '))
      expect([exit, stderr, slurm.cancelled()]).toEqual([4, expect.stringContaining(said), []])
    }
    expect((await slurm.folder.show()).groups).toMatchObject({ running: 2 })
  })

  test('by the Slurm of another cluster', async () => {
    const slurm = await running()
    slurm.answer('config', 'ClusterName = other\n')
    const { code, stderr } = await slurm.folder.qanat('run_cancel', '1')
    expect([code, slurm.cancelled()]).toEqual([1, []])
    expect(stderr).toContain('its jobs belong to the Slurm cluster fake')
  })
})
