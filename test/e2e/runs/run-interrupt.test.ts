import { describe, expect, onTestFinished, test } from 'vitest'
import { lives, processCalled, tells } from '../processes.js'
import { awaits, type Folder, groups, open, shellProject, until } from '../project.js'
import { openTerminal } from '../terminal.js'

const control = { c: '\u0003' }

/** A group that lives on, with a grandchild in its process group. */
const lasting = (name: string) =>
  `sh -c "sleep 600 & wait" & ${tells(`${name}_child`, '$!')}; ${tells(name)}; ${awaits('end')}`
const stubborn = (name: string) => `trap '' TERM; ${lasting(name)}`

async function processesOf(project: Folder, ...names: string[]): Promise<number[]> {
  return Promise.all(names.flatMap(name => [processCalled(project, name), processCalled(project, `${name}_child`)]))
}

describe('Ctrl-C', () => {
  test('ends every process of every group, and says what had finished', async () => {
    const project = await shellProject()
    const codes = groups('true', 'false', lasting('a'), lasting('b'), 'true', 'true')
    const terminal = openTerminal(project, 'run', 'it', '--n_threads', '2', ...codes)
    const processes = await processesOf(project, 'a', 'b')
    expect(processes.filter(lives)).toHaveLength(4)
    terminal.type(control.c)
    expect(await terminal.ended).toBe(130)
    expect(processes.filter(lives)).toEqual([])
    expect(terminal.shown()).toContain('run 1 was cancelled: 1 finished, 1 failed, 4 cancelled')
    expect(terminal.shown()).toContain('qanat failures 1        qanat run_retry 1')
    expect((await project.show()).status).toBe('failed')
    expect(await project.states()).toEqual(['finished', 'failed exit 1', ...Array(4).fill('cancelled')])
    expect((await project.qanat('failures', '1')).stdout).toContain('Run 1 of it: 3 of 4 groups did not finish\n')
  })

  test('lets a group save its work, and a second one does not wait for it', async () => {
    const project = await shellProject()
    const saves = `trap 'echo saved; exit 0' TERM; ${tells('saves')}; while :; do sleep 0.02; done`
    const command = project.start(['run', 'it', '--n_threads', '2', ...groups(saves, stubborn('a'))])
    const saving = await processCalled(project, 'saves')
    const processes = await processesOf(project, 'a')
    command.kill('SIGINT')
    await until(() => !lives(saving))
    expect(lives(processes[0]!)).toBe(true)
    command.kill('SIGINT')
    await until(() => command.exitCode !== null)
    expect(command.exitCode).toBe(130)
    expect(processes.filter(lives)).toEqual([])
    expect(project.read('results/it/run_1/group_0/stdout.txt')).toBe('saved\n')
    expect(await project.states()).toEqual(['cancelled', 'cancelled'])
  })

  test.each([
    ['while the files of a run are written', 'results/it/run_1'],
    ['just when its groups are started', 'results/it/run_1/.run/pool/keeper'],
  ])('%s leaves none of it alive', async (_, sign) => {
    const project = await shellProject()
    const command = project.start(['run', 'it', awaits('end'), '-R', '--n 0 5000 1'])
    onTestFinished(async () => void (await project.qanat('run_cancel', 'it', '1')))
    await until(() => project.has(sign))
    command.kill('SIGINT')
    await until(() => command.exitCode !== null || command.signalCode !== null)
    expect(command.exitCode).toBe(130)
    const { runs } = await project.json('runs', '--json')
    expect(runs.filter((run: any) => run.status !== 'cancelled')).toEqual([])
    expect(project.has('results/it/run_1')).toBe(runs.length === 1)
    open(project, 'end')
  })

  test('stops run_wait, not the run', async () => {
    const project = await shellProject()
    await project.qanat('run', '--detach', 'it', `${tells('a')}; ${awaits('end')}`)
    const group = await processCalled(project, 'a')
    const waiting = openTerminal(project, 'run_wait', 'it', '1')
    await until(waiting.shown, shown => shown.includes('0/1'))
    waiting.type(control.c)
    expect(await waiting.ended).toBe(130)
    expect(waiting.shown()).toContain('no longer waiting for run 1, which goes on')
    expect([lives(group), ...(await project.states())]).toEqual([true, 'running'])
    open(project, 'end')
    expect((await project.qanat('run_wait', 'it', '1')).code).toBe(0)
  })
})

test.each([
  ['SIGINT', 130],
  ['SIGKILL', null],
] as const)(
  '%s while the code of a run is being frozen leaves no run, and the next one is not held up',
  async (signal, code) => {
    const project = await shellProject()
    project.write('slow.txt', 'content')
    project.write('.gitattributes', 'slow.txt filter=slow\n')
    project.commit()
    project.git('config', 'filter.slow.smudge', 'sleep 0.5; cat')
    project.git('config', 'filter.slow.clean', 'cat')
    const command = project.start(['run', 'it', ...groups('true', 'true')])
    await until(() => project.copies().length > 0)
    command.kill(signal)
    await until(() => command.exitCode !== null || command.signalCode !== null)
    expect(command.exitCode).toBe(code)
    if (signal === 'SIGINT') expect(project.copies().filter(name => name.startsWith('.'))).toEqual([])
    const run = await project.json('run', '--json', 'it', ...groups('cat slow.txt', 'true'))
    expect(run).toMatchObject({ status: 'finished', groups: { finished: 2 } })
    expect(project.read(`${run.storage_path}/group_0/stdout.txt`)).toBe('content')
    expect((await project.json('runs', '--json')).runs).toHaveLength(1)
  },
)

test('a run outlives the terminal that it was started in', async () => {
  const project = await shellProject()
  const terminal = openTerminal(project, 'run', 'it', ...groups(`${tells('a')}; ${awaits('end')}; echo end`, 'true'))
  await processCalled(project, 'a')
  terminal.close()
  expect(await terminal.ended).not.toBe(0)
  open(project, 'end')
  expect((await project.qanat('run_wait', 'it', '1')).code).toBe(0)
  expect(project.read('results/it/run_1/group_0/stdout.txt')).toBe('end\n')
})

describe('from another terminal', () => {
  test('run_cancel ends a run, and the command that waits for it says so', async () => {
    const project = await shellProject()
    const codes = groups('exit 3', lasting('a'), 'true', lasting('b'))
    const running = project.qanat('run', 'it', '--n_threads', '2', ...codes)
    const processes = await processesOf(project, 'a', 'b')
    const said = expect.stringMatching(/1 finished, 1 failed, 2 cancelled(?!.* more)/s)
    expect(await project.qanat('run_cancel', 'it', '1')).toMatchObject({ code: 0, stdout: said })
    expect(processes.filter(lives)).toEqual([])
    expect(await running).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 finished, 1 failed, 2 cancelled'),
    })
    expect(await project.states()).toEqual(['failed exit 3', 'cancelled', 'finished', 'cancelled'])
    expect((await project.qanat('run_cancel', 'it', '1')).code).toBe(2)
  })

  test('run_delete ends a live run first', async () => {
    const project = await shellProject()
    await project.qanat('run', '--detach', 'it', lasting('a'))
    const processes = await processesOf(project, 'a')
    expect((await project.qanat('run_delete', 'it', '1', '--yes')).code).toBe(0)
    expect(processes.filter(lives)).toEqual([])
    expect(project.list('results/it')).toEqual([])
  })
})
