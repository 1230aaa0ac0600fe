import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { lives, processCalled, tells } from '../processes.js'
import { awaits, type Folder, groups, shellProject, until } from '../project.js'

const file = '.qanat/mine.yaml'

/** Runs a group for each piece of shell code, with a template. */
function runWith(project: Folder, template: unknown, ...codes: string[]) {
  project.write(file, stringify(template))
  return project.qanat('run', 'it', '--submit_template', file, ...groups(...codes))
}

const stdout = (project: Folder) => project.read('results/it/run_1/stdout.txt')

describe('tasks in the background of a local group', () => {
  test('background: commands beside it, ended after it, each with a log of its own', async () => {
    const project = await shellProject()
    const background = [
      `${tells('task')}\necho beside; sleep 600 & ${tells('child', '$!')}\nwait`,
      `echo second >&2; ${tells('second')}`,
    ]
    const ready = 'for p in child second; do until [ -s "$QANAT_PROJECT/.qanat/pid_$p" ]; do sleep 0.02; done; done'
    expect((await runWith(project, { background }, `${ready}; exit 0`)).code).toBe(0)
    expect(lives(await processCalled(project, 'child'))).toBe(false)
    const logs = project.list('results/it/run_1/.run/background')
    expect(logs.map(log => project.read(`results/it/run_1/.run/background/${log}`))).toEqual(['beside\n', 'second\n'])
    expect(stdout(project)).toBe('')
  })

  test.each(['sh', '/bin/bash'])('background under the shell %s: nothing of it is left', async shell => {
    const project = await shellProject()
    const background = [`echo begun; sh -c '${tells('task')}; exec sleep 600'; echo ended`]
    const ready = 'until [ -s "$QANAT_PROJECT/.qanat/pid_task" ]; do sleep 0.02; done'
    expect((await runWith(project, { shell, background }, ready)).code).toBe(0)
    expect(lives(await processCalled(project, 'task'))).toBe(false)
  })

  test('background: a task that ignores its signal does not delay its end', async () => {
    const project = await shellProject()
    const background = [`trap '' TERM; sh -c '${tells('task')}; while :; do sleep 0.1; done'`]
    const ready = 'until [ -s "$QANAT_PROJECT/.qanat/pid_task" ]; do sleep 0.02; done'
    project.write(file, stringify({ background }))
    const command = project.start(['run', 'it', '--submit_template', file, ready])
    const task = await processCalled(project, 'task')
    await until(() => command.exitCode !== null)
    expect(command.exitCode).toBe(0)
    expect(lives(task)).toBe(false)
  })
})

describe('cancelling a run with a template', () => {
  const surrounding = {
    scratch: true,
    background: [`${tells('beside')}; while :; do sleep 0.1; done`],
    teardown: 'echo torn down >"$QANAT_STORAGE_PATH/teardown"',
  }

  async function cancelOnce(template: unknown, code: string, sign: string): Promise<Folder> {
    const project = await shellProject()
    mkdirSync(join(project.path, '.qanat/tmp'))
    project.environment.TMPDIR = join(project.path, '.qanat/tmp')
    project.write(file, stringify(template))
    await project.qanat('run', '--detach', '--submit_template', file, 'it', code)
    await processCalled(project, sign)
    await project.qanat('run_cancel', 'it', '1')
    return project
  }

  test('during the script: the teardown runs, background tasks end, the scratch folder goes', async () => {
    const project = await cancelOnce(surrounding, `${tells('script')}; ${awaits('never')}`, 'script')
    const { status, group_list: list } = await project.show()
    expect([status, list[0].status]).toEqual(['cancelled', 'cancelled'])
    expect(project.read('results/it/run_1/teardown')).toBe('torn down\n')
    const processes = await Promise.all(['script', 'beside'].map(name => processCalled(project, name)))
    expect(processes.filter(lives)).toEqual([])
    expect(project.list('.qanat/tmp')).toEqual([])
  })

  test('during the setup: the same, at once, and the script does not start', async () => {
    const told = 'echo told >"$QANAT_PROJECT/.qanat/told"'
    const setup = `sh -c 'trap "${told.replaceAll('"', '\\"')}; exit 1" TERM; ${tells('setting')}; sleep 600 & wait'`
    const project = await cancelOnce({ ...surrounding, setup }, 'echo script', 'setting')
    expect(await project.show()).toMatchObject({ status: 'cancelled', group_list: [{ status: 'cancelled' }] })
    expect(lives(await processCalled(project, 'setting'))).toBe(false)
    expect(stdout(project)).toBe('')
    expect(project.list('.qanat/tmp')).toEqual([])
    expect(project.read('results/it/run_1/teardown')).toBe('torn down\n')
    // What does not end is killed after ten seconds, and says nothing then.
    expect(project.read('.qanat/told')).toBe('told\n')
  })
})
