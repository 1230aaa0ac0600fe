import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { end, lives, parentOf, processCalled, tells } from '../processes.js'
import { awaits, type Folder, groups, open, shellProject, until } from '../project.js'

/** The processes of two groups that live on two slots, of the workers, and of the keeper. */
interface Launched {
  readonly project: Folder
  readonly pids: number[]
  readonly workers: number[]
  readonly keeper: number
}

/** Launches these two groups, and two that wait. */
async function launchFour(): Promise<Launched> {
  const project = await shellProject()
  const lasting = (name: string) => `echo x >>"$QANAT_STORAGE_PATH/ran"; ${tells(name)}; ${awaits('end')}; echo done`
  const waiting = 'touch "$QANAT_STORAGE_PATH/ran"'
  const codes = groups(lasting('a'), lasting('b'), waiting, waiting)
  expect((await project.qanat('run', '--detach', 'it', '--n_threads', '2', ...codes)).code).toBe(0)
  const pids = await Promise.all([processCalled(project, 'a'), processCalled(project, 'b')])
  const workers = pids.map(parentOf)
  return { project, pids, workers, keeper: parentOf(workers[0]!) }
}

describe('after kill -9', () => {
  test('of the keeper, its workers go on with all groups', async () => {
    const { project, keeper } = await launchFour()
    await end(keeper)
    expect((await project.show()).status).toBe('running')
    expect(await project.states()).toEqual(['running', 'running', 'pending', 'pending'])
    expect((await project.qanat('why', '1.0')).stdout).toContain(`process ${keeper} has ended\n`)
    open(project, 'end')
    expect((await project.qanat('run_wait', 'it', '1')).code).toBe(0)
    expect(await project.states()).toEqual(['finished', 'finished', 'finished', 'finished'])
    expect(project.read('results/it/run_1/group_0/ran')).toBe('x\n')
    expect(project.read('results/it/run_1/group_1/stdout.txt')).toBe('done\n')
  })

  test('of the keeper and the workers, the groups that have not begun wait until somebody has workers started again', async () => {
    const { project, pids, keeper, workers } = await launchFour()
    await end(keeper, ...workers)
    expect(await project.states()).toEqual(['running', 'running', 'pending', 'pending'])
    const { stdout } = await project.qanat('why', '1.2')
    expect(stdout).toContain(`process ${keeper} has ended: groups that had not started do not start by themselves\n`)
    expect(stdout).toContain('qanat run_wait 1 --yes')
    expect((await project.qanat('runs')).stdout).toContain('running (no worker: qanat run_wait 1)')
    await end(...pids)
    const states = ['lost vanished', 'lost vanished', 'pending', 'pending']
    expect(await project.states()).toEqual(states)
    expectError(await project.qanat('run_wait', '1'), 1, 'run 1 has no worker any more', 'qanat run_wait 1 --yes')
    expectError(await project.qanat('run_slots', '1', '3'), 1, 'run 1 has no worker any more', 'qanat run_wait 1 --yes')
    expect(await project.states()).toEqual(states)
    // Those that wait, which are one cell, are not launched by a fill, which names the run.
    const { stdout: launched, stderr } = await project.qanat('run', '--dry_run', '--fill', '--from', '1')
    expect(launched).toContain('3 cells: 1 pending (run 1), 2 to run\n')
    expect(stderr).toContain('run 1 has no worker, and 1 cell of it counts as pending\n')
    // Those that were lost are not run again by that.
    const waiting = await Promise.all([1, 2].map(() => project.qanat('run_wait', '1', '--yes')))
    expect(waiting.map(({ code }) => code)).toEqual([1, 1])
    expect(await project.states()).toEqual(['lost vanished', 'lost vanished', 'finished', 'finished'])
    for (const index of [0, 1]) expect(project.read(`results/it/run_1/group_${index}/ran`)).toBe('x\n')
    const journals = project
      .list('results/it/run_1/.run/records')
      .map(name => project.read(`results/it/run_1/.run/records/${name}`))
    expect(journals.join('').match(/^1 worker/gm)).toHaveLength(4)
    open(project, 'end')
    expect((await project.qanat('run_retry', '1')).code).toBe(0)
  })

  test('of everything except the groups, these are running, and cancelling the run ends them', async () => {
    const { project, pids, workers, keeper } = await launchFour()
    await end(keeper, ...workers)
    expect((await project.states()).slice(0, 2)).toEqual(['running', 'running'])
    await project.qanat('run_cancel', 'it', '1')
    expect(pids.filter(lives)).toEqual([])
    expect(await project.show()).toMatchObject({ status: 'cancelled', groups: { cancelled: 4 } })
  })

  test('of a worker, another one takes its place', async () => {
    const { project, workers } = await launchFour()
    await end(workers[0]!)
    await until(() => project.has('results/it/run_1/group_3/ran'))
    open(project, 'end')
    await project.qanat('run_wait', 'it', '1')
    // Nobody is left who could have seen how the first one ended.
    expect(await project.states()).toEqual(['lost vanished', 'finished', 'finished', 'finished'])
    expect(project.read('results/it/run_1/group_0/ran')).toBe('x\n')
  })
})

test('processes that a group leaves behind are ended with it', async () => {
  const project = await shellProject()
  const stubborn = `sh -c 'trap "" TERM HUP; while :; do sleep 1; done'`
  const code = `sleep 600 & ${tells('child', '$!')}; ${stubborn} & ${tells('stubborn', '$!')}`
  expect((await project.qanat('run', 'it', code)).code).toBe(0)
  for (const name of ['child', 'stubborn']) expect(lives(await processCalled(project, name))).toBe(false)
})
