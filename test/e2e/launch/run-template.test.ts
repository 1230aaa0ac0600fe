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

const stdout = (project: Folder, run = 1) => project.read(`results/it/run_${run}/stdout.txt`)
const stderr = (project: Folder, run = 1) => project.read(`results/it/run_${run}/stderr.txt`)

describe('a submit template gives a local group', () => {
  test('env: variables, whatever is in them', async () => {
    const project = await shellProject({ TAKEN: 'from outside' })
    const env = { TAKEN: "it's\n$HOME `id`", NUMBER: 4, EMPTY: '' }
    await runWith(project, { env }, 'printf "%s|%s|%s" "$TAKEN" "$NUMBER" "${EMPTY-unset}"')
    expect(stdout(project)).toBe("it's\n$HOME `id`|4|")
  })

  test('setup: shell lines before it, in a shell that no other group shares', async () => {
    const project = await shellProject()
    const setup = "echo up\nX=${X:-}$QANAT_GROUP_INDEX' b'\nexport X\nulimit -n 100"
    const { code } = await runWith(project, { setup }, 'echo "$X"; ulimit -n', 'echo "$X"; ulimit -n')
    expect(code).toBe(0)
    const outputs = [0, 1].map(group => project.read(`results/it/run_1/group_${group}/stdout.txt`))
    expect(outputs).toEqual(['up\n0 b\n100\n', 'up\n1 b\n100\n'])
  })

  test('arguments: words after its own, which are expanded where it runs', async () => {
    const project = await shellProject()
    const words = ['--to', '$QANAT_SCRATCH/a b', '$(id)', "it's", '']
    const template = { scratch: true, arguments: words }
    await runWith(project, template, 'shift; printf "%s|" "${1#--}" "${2#"$QANAT_SCRATCH"/}" "$3" "$4" "$5" "$6"')
    expect(stdout(project)).toBe("to|a b|$(id)|it's||--storage_path|")
    const { command } = (await project.show()).group_list[0]
    expect(command.slice(3, -2)).toEqual(words)
  })

  test('setup that fails at any line ends it before the script, with cause launch and the message', async () => {
    const project = await shellProject()
    const template = { setup: 'echo fine\nls /no/such/folder\necho not reached', teardown: 'echo torn down' }
    const { code, stdout: shown } = await runWith(project, template, 'echo script')
    expect(code).toBe(1)
    expect(shown).toContain('/no/such/folder')
    expect(await project.show()).toMatchObject({ status: 'failed', group_list: [{ cause: 'launch', signal: null }] })
    expect(stdout(project)).toBe('fine\ntorn down\n')
    expect(stderr(project)).toContain('/no/such/folder')
  })

  test('teardown: shell lines after it, however it ended; a failure is a warning', async () => {
    const project = await shellProject()
    const template = { teardown: 'echo "torn down $QANAT_GROUP_INDEX"; exit 9' }
    const { stderr: shown } = await runWith(project, template, 'echo 0', 'exit 3', 'kill -9 $$')
    expect(shown).toMatch(/group 0: the teardown ended with code 9/)
    const { group_list: list } = await project.show()
    expect(list.map((group: any) => [group.status, group.exit_code])).toEqual([
      ['finished', 0],
      ['failed', 3],
      ['failed', 137],
    ])
    const outputs = [0, 1, 2].map(group => project.read(`results/it/run_1/group_${group}/stdout.txt`))
    expect(outputs).toEqual(['0\ntorn down 0\n', 'torn down 1\n', 'torn down 2\n'])
  })

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

  test('venv: a virtual environment of the project, reached through the frozen copy', async () => {
    const project = await shellProject()
    project.write('.gitignore', '/results\n/.venv\n')
    project.commit()
    project.write('.venv/bin/activate', 'VIRTUAL_ENV=$PWD/.venv; export VIRTUAL_ENV; PATH=$VIRTUAL_ENV/bin:$PATH')
    project.write('.venv/bin/tool', '#!/bin/sh\necho from the environment', 0o755)
    expect((await runWith(project, { venv: '.venv' }, 'tool', 'tool')).code).toBe(0)
    expect(project.read('results/it/run_1/group_1/stdout.txt')).toBe('from the environment\n')
    await runWith(project, { venv: 'nowhere' }, 'true')
    expect(await project.show(2)).toMatchObject({ group_list: [{ status: 'failed', cause: 'launch' }] })
  })

  test('modules: loaded with the function that the shell has, and a missing one ends it', async () => {
    const project = await shellProject()
    const environment = { 'BASH_FUNC_module%%': '() { [ "$2" != none/1 ] || return 1; export LOADED="$LOADED $*"; }' }
    Object.assign(project.environment, environment)
    const shell = '/bin/bash'
    await runWith(project, { shell, modules: ['cuda/12', 'gcc'] }, 'echo "$LOADED"')
    expect(stdout(project)).toBe(' load cuda/12 gcc\n')
    await runWith(project, { shell, modules: ['none/1'] }, 'true')
    expect(await project.show(2)).toMatchObject({ group_list: [{ status: 'failed', cause: 'launch' }] })
  })

  test('launcher, shell: words in front of the command, and the shell for the shell lines', async () => {
    const project = await shellProject()
    const template = { launcher: "env 'X=a b'", shell: '/bin/bash --posix', setup: 'Y=${BASH_VERSION:+bash}; export Y' }
    await runWith(project, template, 'echo "$X $Y"')
    expect(stdout(project)).toBe('a b bash\n')
    expect((await project.show()).group_list[0].command.slice(0, 2)).toEqual(['sh', 'it.sh'])
    const { code, stderr: error } = await runWith(project, { shell: '/no/shell' }, 'true')
    expect(code).toBe(2)
    expect(error).toContain('/no/shell')
    expect(project.list('results/it')).toEqual(['run_1'])
  })

  test('scratch: a private folder while it runs, gone when it has ended', async () => {
    const project = await shellProject()
    mkdirSync(join(project.path, '.qanat/tmp'))
    project.environment.TMPDIR = join(project.path, '.qanat/tmp')
    const uses = 'touch "$QANAT_SCRATCH/x" && ls -ld "$QANAT_SCRATCH" | cut -c 1-10 && echo "$QANAT_SCRATCH"; exit 3'
    await runWith(project, { scratch: true }, uses, uses)
    const used = [0, 1].map(group => project.read(`results/it/run_1/group_${group}/stdout.txt`).split('\n'))
    expect(used.map(([mode]) => mode)).toEqual(['drwx------', 'drwx------'])
    expect(used[0]![1]).toContain(`${project.path}/.qanat/tmp/`)
    expect(used[0]![1]).not.toBe(used[1]![1])
    expect(project.list('.qanat/tmp')).toEqual([])
  })

  test('max_parallel: at most this many at a time, whatever --n_threads says', async () => {
    const project = await shellProject()
    project.write(file, 'max_parallel: 2\n')
    const run = await project.json(
      'run',
      '--json',
      '--submit_template',
      file,
      '--n_threads',
      '9',
      'it',
      ...groups('true', 'true'),
    )
    expect(run.runner_params).toEqual({
      submit_template: file,
      resolved: { max_parallel: 2 },
      n_threads: 2,
      container: null,
      gpu: false,
    })
  })

  test('extends: the merged templates; null removes a key, the run keeps the result', async () => {
    const project = await shellProject()
    const base = 'local:\n  base:\n    env: {A: a, B: b, C: c}\n    setup: echo base\n    launcher: no_such_program\n'
    project.write('.qanat/config.yaml', base)
    project.write(file, 'extends: base\nenv: {B: mine, C: null}\nlauncher: null\n')
    const run = await project.json('run', '--json', '--submit_template', file, 'it', 'echo "$A $B ${C-none}"')
    expect(run.runner_params.resolved).toEqual({ env: ['A', 'B'], setup: 'echo base' })
    expect(stdout(project)).toBe('base\na mine none\n')
    await project.qanat('run', '--submit_template', 'base', 'it', 'true')
    expect(await project.show(2)).toMatchObject({
      runner_params: { submit_template: 'base' },
      group_list: [{ exit_code: 127 }],
    })
  })

  test('nothing if a key is unknown: the error lists the known keys', async () => {
    const project = await shellProject()
    const { code, stderr: error } = await runWith(project, { teardwn: 'x' }, 'true')
    expect(code).toBe(2)
    expect(error).toContain(`unknown key 'teardwn' in the submit template ${file}. Did you mean teardown?`)
    expect(error).toContain('max_parallel')
    expect(project.has('results')).toBe(false)
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
