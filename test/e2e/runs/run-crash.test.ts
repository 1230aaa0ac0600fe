import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kill, lives, parentOf, processCalled, tells } from '../processes.js'
import { awaits, type Folder, groups, open, shellProject, until } from '../project.js'

/** Two groups that live on two slots, and two that wait. */
async function launchFour(project: Folder): Promise<number[]> {
  const lasting = (name: string) => `echo x >>"$QANAT_STORAGE_PATH/ran"; ${tells(name)}; ${awaits('end')}; echo done`
  const waiting = 'touch "$QANAT_STORAGE_PATH/ran"'
  const { code } = await project.qanat(
    'run',
    '--detach',
    'it',
    '--n_threads',
    '2',
    ...groups(lasting('a'), lasting('b'), waiting, waiting),
  )
  expect(code).toBe(0)
  return Promise.all([processCalled(project, 'a'), processCalled(project, 'b')])
}

/** The same after their supervisor was killed. @returns its process id */
async function launchWithoutSupervisor(project: Folder): Promise<number> {
  const [one = 0] = await launchFour(project)
  const supervisor = parentOf(parentOf(one))
  kill(supervisor)
  await until(() => !lives(supervisor))
  return supervisor
}

const told = ({ status, cause }: any) => (cause === null ? status : `${status} ${cause}`)

describe('after kill -9', () => {
  test('of the supervisor, running groups go on and finish, and the others are lost, never started', async () => {
    const project = await shellProject()
    const supervisor = await launchWithoutSupervisor(project)
    const during = await project.show()
    expect(during.status).toBe('running')
    expect(during.group_list.map(told)).toEqual(['running', 'running', 'lost never_started', 'lost never_started'])
    const ended = `process ${supervisor} has ended`
    const { stdout: lost } = await project.qanat('why', '1.2')
    expect(lost).toContain(`${ended}: groups that had not started will not start by themselves; run_retry runs them\n`)
    expect((await project.qanat('why', '1.0')).stdout).toContain(`${ended}\n`)
    open(project, 'end')
    const { code } = await project.qanat('run_wait', 'it', '1')
    expect(code).toBe(1)
    const after = await project.show()
    expect(after.group_list.map(told)).toEqual(['finished', 'finished', 'lost never_started', 'lost never_started'])
    expect(after).toMatchObject({ status: 'lost', groups: { finished: 2, lost: 2 }, progress: 50 })
    expect(project.read('results/it/run_1/group_0/ran')).toBe('x\n')
    expect(project.read('results/it/run_1/group_1/stdout.txt')).toBe('done\n')
    expect(project.list('results/it/run_1')).not.toContain('group_2')
  })

  test('of the supervisor, a retry runs the groups that are lost beside those that run', async () => {
    const project = await shellProject()
    await launchWithoutSupervisor(project)
    expect((await project.qanat('run_retry', '--detach', '1')).code).toBe(0)
    await project.when(1, run => run.groups.finished === 2)
    open(project, 'end')
    expect((await project.qanat('run_wait', '1')).code).toBe(0)
    expect((await project.show()).group_list.map((group: any) => [group.status, group.attempt])).toEqual([
      ...[1, 1, 2, 2].map(attempt => ['finished', attempt]),
    ])
  })

  test('of everything, running groups are lost, vanished', async () => {
    const project = await shellProject()
    const [one = 0, two = 0] = await launchFour(project)
    const shells = [parentOf(one), parentOf(two)]
    const all = [parentOf(shells[0]!), ...shells, one, two]
    kill(...all)
    await until(() => !all.some(lives))
    const { status, group_list: list } = await project.show()
    expect(status).toBe('lost')
    expect(list.map(told)).toEqual(['lost vanished', 'lost vanished', 'lost never_started', 'lost never_started'])
    expect((await project.qanat('run_wait', 'it', '1')).code).toBe(1)
  })

  test('of everything except the groups, these are running, and cancelling the run ends them', async () => {
    const project = await shellProject()
    const [one = 0, two = 0] = await launchFour(project)
    const shells = [parentOf(one), parentOf(two)]
    const above = [parentOf(shells[0]!), ...shells]
    kill(...above)
    await until(() => !above.some(lives))
    expect((await project.show()).group_list.slice(0, 2).map(told)).toEqual(['running', 'running'])
    await project.qanat('run_cancel', 'it', '1')
    expect([one, two].filter(lives)).toEqual([])
    // What was lost before had never started: nobody has cancelled that.
    expect(await project.show()).toMatchObject({ status: 'lost', groups: { cancelled: 2, lost: 2 } })
  })

  test('of the shell of a slot, the supervisor goes on with the remaining groups', async () => {
    const project = await shellProject()
    const [one = 0] = await launchFour(project)
    kill(parentOf(one))
    await until(() => project.has('results/it/run_1/group_3/ran'))
    open(project, 'end')
    await project.qanat('run_wait', 'it', '1')
    const { group_list: list } = await project.show()
    expect(list.slice(1).map(told)).toEqual(['finished', 'finished', 'finished'])
    // Nobody is left who could have seen how it ended.
    expect(told(list[0])).toBe('lost vanished')
    expect(project.read('results/it/run_1/group_0/ran')).toBe('x\n')
  })

  test.each([
    ['of the shell of a slot', '$PPID', 99],
    ['of the supervisor', '$(cut -d" " -f4 /proc/$PPID/stat 2>/dev/null || ps -o ppid= -p $PPID)', null],
  ])('%s between quick groups, none runs twice', async (_, victim, finished) => {
    const project = await shellProject()
    const code = `echo "$3" >>"$QANAT_PROJECT/.qanat/ran"; [ "$3" != 50 ] || kill -9 ${victim}`
    await project.qanat('run', 'it', code, '-R', '--n 0 100 1')
    const ran = project.read('.qanat/ran').trim().split('\n')
    expect(new Set(ran).size).toBe(ran.length)
    const { groups: counts } = await project.show()
    expect(counts.finished + counts.lost).toBe(100)
    expect(counts.finished).toBe(finished ?? ran.length)
  })

  test('of the command, the run goes on to its end', async () => {
    const project = await shellProject()
    const command = project.start(['run', 'it', ...groups(`${tells('a')}; ${awaits('end')}`, 'true')])
    const group = await processCalled(project, 'a')
    command.kill('SIGKILL')
    await until(() => command.signalCode)
    expect(lives(group)).toBe(true)
    open(project, 'end')
    expect((await project.qanat('run_wait', 'it', '1')).code).toBe(0)
    expect(await project.show()).toMatchObject({ status: 'finished', groups: { finished: 2 } })
  })

  test('of the command while it makes the frozen copy, the next launch is not held up', async () => {
    const project = await shellProject()
    project.write('slow.txt', 'content')
    project.write('.gitattributes', 'slow.txt filter=slow\n')
    project.commit()
    project.git('config', 'filter.slow.smudge', 'touch .qanat/slow; sleep 0.5; cat')
    project.git('config', 'filter.slow.clean', 'cat')
    const command = project.start(['run', 'it', ...groups('true', 'true')])
    await until(() => project.copies().length > 0)
    command.kill('SIGKILL')
    await until(() => command.signalCode)
    const run = await project.json('run', '--json', 'it', ...groups('cat slow.txt', 'true'))
    expect(run).toMatchObject({ status: 'finished', groups: { finished: 2 } })
    expect(project.read(`${run.storage_path}/group_0/stdout.txt`)).toBe('content')
    expect((await project.json('experiment', 'status', 'it', '--json')).runs).toHaveLength(1)
  })
})

test('a command that can no longer follow its run says why and ends', async () => {
  const project = await shellProject()
  const command = project.start(['run', 'it', `${tells('a')}; ${awaits('end')}`])
  await processCalled(project, 'a')
  rmSync(join(project.path, '.qanat/database.db'))
  open(project, 'end')
  await until(() => command.exitCode !== null)
  expect(command.exitCode).toBe(1)
})

test('processes that a group leaves behind are ended with it', async () => {
  const project = await shellProject()
  const stubborn = `sh -c 'trap "" TERM HUP; while :; do sleep 1; done'`
  const code = `sleep 600 & ${tells('child', '$!')}; ${stubborn} & ${tells('stubborn', '$!')}`
  expect((await project.qanat('run', 'it', code)).code).toBe(0)
  expect(lives(await processCalled(project, 'child'))).toBe(false)
  expect(lives(await processCalled(project, 'stubborn'))).toBe(false)
  expect((await project.show()).status).toBe('finished')
})
