import { describe, expect, test } from 'vitest'
import { FakeSlurm } from './fake-slurm.js'

test('a run is cancelled whatever filters of scancel are in the environment', async () => {
  const slurm = await FakeSlurm.launched('exit 0')
  slurm.queue('RUNNING')
  slurm.program('scancel', `[ -n "\${SCANCEL_STATE-}" ] || printf '%s\\n' "$@" >>${slurm.file('cancelled')}`)
  Object.assign(slurm.folder.environment, { SCANCEL_STATE: 'PENDING' })
  expect((await slurm.folder.qanat('run_cancel', '1')).code).toBe(0)
  expect(slurm.cancelled()).toEqual(['77'])
})

describe('a pending task that somebody cancels, which Slurm forgets at once', () => {
  const cancelled = async () => {
    const slurm = await FakeSlurm.launched('true', 'true')
    slurm.queue('PENDING', { task: 0 })
    slurm.queue('PENDING', { task: 1 })
    expect((await slurm.folder.show()).groups).toMatchObject({ pending: 2 })
    slurm.forget({ task: 1 })
    return slurm
  }

  test('is cancelled, and the other tasks of its array wait on', async () => {
    const slurm = await cancelled()
    expect((await slurm.folder.show()).groups).toMatchObject({ pending: 1, cancelled: 1 })
    await slurm.runJob({ task: 0 })
    slurm.queue('COMPLETED', { task: 0 })
    expect((await slurm.folder.show()).groups).toMatchObject({ finished: 1, cancelled: 1 })
  })

  test('has the state of its record if that comes late', async () => {
    const slurm = await cancelled()
    expect((await slurm.group(1)).status).toBe('cancelled')
    await slurm.runJob({ task: 1 })
    expect((await slurm.group(1)).status).toBe('finished')
  })

  test('waits for the grace if Slurm was not polled for longer than it keeps a job after its end', async () => {
    const slurm = await cancelled()
    slurm.answer('config', 'ClusterName = fake\nMinJobAge = 5 sec\n')
    expect((await slurm.group(1)).status).toBe('pending')
    slurm.answer('sacct', 'echo "77_0|it_1|PENDING|0:0|2036-03-01T10:00:00|None|None|0|None|n1|0|00:00:00|||"\n')
    expect((await slurm.group(1)).status).toBe('cancelled')
  })
})

describe('run_cancel', () => {
  test('does not poll a Slurm again that no longer answers, and says that the groups may still be live', async () => {
    const slurm = await FakeSlurm.launched('true', 'true')
    for (const task of [0, 1]) slurm.queue('PENDING', { task })
    const polled = `${slurm.folder.path}/.qanat/polled`
    slurm.program('scancel', `echo "$@" >>${slurm.folder.path}/.qanat/slurm_cancelled; touch ${polled}`)
    slurm.program('squeue', `[ ! -e ${polled} ] || { echo x >>${polled}; exit 1; }; cat ${slurm.file('queue')}`)
    const { code, stdout, stderr } = await slurm.folder.qanat('run_cancel', 'it', '1')
    expect([code, slurm.cancelled()]).toEqual([0, ['77']])
    expect(stdout).toBe('Run 1 was cancelled; 2 groups are not known to have ended yet\n  qanat run_wait 1\n')
    expect(stderr.match(/slurm did not answer/g)).toHaveLength(1)
    expect(slurm.folder.read('.qanat/polled')).toBe('x\n')
  })

  test('that Slurm refuses does not count for groups that end later', async () => {
    const slurm = await FakeSlurm.launched('true')
    expect((await slurm.says('RUNNING')).status).toBe('running')
    slurm.program('scancel', 'echo "slurmctld is down" >&2; exit 1')
    const { code, stderr } = await slurm.folder.qanat('run_cancel', 'it', '1')
    expect([code, stderr]).toEqual([4, expect.stringContaining('slurmctld is down')])
    await slurm.folder.qanat('config', 'set', 'grace', '0.001')
    slurm.forget()
    await slurm.folder.whenStatus(1, 'lost')
  })
})
