import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { localShells } from '../domain/text/shells.js'
import { folderWith } from '../project/temporary.js'
import { expectEnded } from './job-shell.js'
import { notes, pathWith, programsIn, tells } from './run-folder.js'
import { ran, Worker } from './worker.js'

describe.each(localShells)('a template with shell lines, run by %s', shell => {
  test('surrounds the script, in its environment and its folder', async () => {
    const venv = folderWith({ 'bin/activate': `VIRTUAL_ENV='my venv'\nexport VIRTUAL_ENV\n` })
    const worker = await ran(shell, {
      script: notes('script $VIRTUAL_ENV, $ADDED, $TEMPLATE, $(pwd)'),
      environment: {
        venv,
        env: { TEMPLATE: 'a  b' },
        setup: `${notes('setup $VIRTUAL_ENV')}export ADDED="$QANAT_GROUP_INDEX"\nmkdir -p sub && cd sub # and on\n`,
        teardown: `${notes('teardown $ADDED')}# over`,
      },
      executable: '../it.sh',
    })
    const { projectRoot } = worker.plan
    expect(worker.order()).toEqual(['setup my venv', `script my venv, 0, a  b, ${projectRoot}/sub`, 'teardown 0'])
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
    expect([worker.read('stderr.txt'), worker.read('.run/warnings.txt')]).toEqual(['', null])
  })

  test('loads its modules, then runs after_modules, then activates conda, then runs its setup', async () => {
    // Both are commands of the site; here they are on the PATH.
    const path = pathWith({
      module: notes('module $*'),
      conda: `cat <<'EOF'\nconda() { ${notes('conda $*').trim()}; }\nEOF\n`,
    })
    const around = { modules: ['cuda/12', 'gcc $(id)'], afterModules: notes('after'), conda: 'my  env' }
    const worker = await ran(shell, {
      script: notes('script'),
      environment: { ...around, setup: notes('setup') },
      variables: { ...path, CONDA_EXE: undefined },
    })
    const modules = 'module load cuda/12 gcc $(id)'
    expect(worker.order()).toEqual([modules, 'after', 'conda activate my  env', 'setup', 'script'])
  })

  test('finds its environments below the home of the user, and says what to write without conda', async () => {
    const home = programsIn({
      'mambaforge/bin/conda': `echo "conda() { export CONDA=\\"$0 \\$*\\"; }"`,
      'my venv/bin/activate': 'export VIRTUAL_ENV=found',
    })
    const facts = { script: notes('$VIRTUAL_ENV $CONDA'), environment: { venv: '~/my venv', conda: 'training' } }
    const worker = await ran(shell, { ...facts, variables: { HOME: home, CONDA_EXE: undefined } })
    expect(worker.order()).toEqual([`found ${home}/mambaforge/bin/conda activate training`])
    const without = { environment: { conda: 'training' }, variables: { HOME: folderWith(), CONDA_EXE: undefined } }
    const failed = await ran(shell, without)
    expect(failed.endOf()).toMatchObject({ outcome: 'launch' })
    expect(failed.read('stderr.txt')).toMatch(/^qanat: there is no conda on .+after_modules: .+conda\.sh\n$/)
  })

  test('gives each group a shell of its own, which inherits nothing from the previous group', async () => {
    const worker = await ran(shell, {
      script: 'echo "$SEEN"',
      executable: '"$QANAT_PROJECT"/it.sh',
      executableCommand: ['sh', '$QANAT_PROJECT/it.sh'],
      groups: [[], [], []],
      environment: { setup: 'export SEEN="$SEEN$QANAT_GROUP_INDEX"\ncd /\nset -f\n' },
    })
    expect([0, 1, 2].map(index => worker.read(`group_${index}/stdout.txt`))).toEqual(['0\n', '1\n', '2\n'])
  })

  test('adds nothing to the errors of a script that a signal has ended', async () => {
    const groups = ['TERM', 'KILL', 'SEGV'].map(signal => [signal])
    const script = 'echo its last words >&2; kill -"$1" $$'
    const worker = await ran(shell, { script, groups, environment: { setup: 'true' } })
    const errors = [0, 1, 2].map(index => worker.read(`group_${index}/stderr.txt`))
    expect(errors).toEqual(Array(3).fill('its last words\n'))
    expect(worker.ends()).toMatchObject([{ code: 143 }, { code: 137 }, { code: 139 }])
  })

  test('has a private scratch folder that is removed with the group', async () => {
    const temporary = folderWith()
    const scratch = notes('$(cd "$QANAT_SCRATCH" && touch used && pwd)')
    const worker = await ran(shell, {
      script: scratch,
      groups: [[], []],
      environment: { scratch: true, setup: scratch, teardown: scratch },
      variables: { TMPDIR: temporary },
    })
    const [first, second] = [worker.order()[0]!, worker.order()[3]!]
    expect(worker.order()).toEqual([first, first, first, second, second, second])
    expect(first).not.toBe(second)
    for (const folder of [first, second]) expect(join(folder, '..')).toBe(temporary)
    expect(readdirSync(temporary)).toEqual([])
  })

  test('runs tasks beside the script and ends them after it, with all their processes', async () => {
    const worker = await ran(shell, {
      script: 'while [ ! -s "$QANAT_PROJECT/pid_inner" ]; do sleep 0.01; done; echo "$SET"',
      environment: {
        setup: 'SET=by_setup; export SET',
        background: [`echo "task $SET"\nsleep 300 &\n${tells('inner', '$!')}wait`, 'sleep 300', 'exit 0'],
      },
    })
    await expectEnded(...(await worker.processes('inner')))
    expect([worker.read('stdout.txt'), worker.read('stderr.txt')]).toEqual(['by_setup\n', ''])
    expect(worker.read('.run/background/0.0.txt')).toBe('task by_setup\n')
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
    expect(worker.read('.run/warnings.txt')).toBeNull()
  })

  test('does not wait for a task that does not end on its own', async () => {
    const worker = await ran(shell, {
      script: 'while [ ! -s "$QANAT_PROJECT/pid_task" ]; do sleep 0.01; done',
      environment: { background: [`trap '' TERM\n${tells('task')}while :; do sleep 0.05; done`] },
    })
    await expectEnded(...(await worker.processes('task')))
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })

  test.each([
    ['exits', 'exit 4', /^group 0: a background .+ code 3\ngroup 0: the teardown ended with code 4\n$/],
    [
      'is not shell code',
      'echo "never closed',
      /^group 0: a background .+\ngroup 0: the teardown ended with code [12]\n$/,
    ],
  ])(
    'warns of a task that fails and a teardown that %s; the script alone decides the end',
    async (_, teardown, said) => {
      const worker = await ran(shell, {
        script: `task="$QANAT_PROJECT/pid_task"
        until [ -s "$task" ] && ! kill -0 "$(cat "$task")" 2>/dev/null; do sleep 0.01; done; exit 5`,
        environment: { background: [`${tells('task')}exit 3`], teardown },
      })
      expect(worker.endOf()).toMatchObject({ code: 5, outcome: 'exit' })
      expect(worker.read('.run/warnings.txt')).toMatch(said)
    },
  )

  test.each([
    ['a command of the setup fails', { setup: 'echo why >&2\nfalse\necho went on' }],
    ['the setup exits', { setup: 'echo why >&2; exit 7' }],
    ['the setup returns', { setup: 'echo why >&2; return' }],
    ['the setup is no shell code', { setup: 'echo why >&2\nif true' }],
    ['there is no virtual environment', { venv: '/no/such/venv' }],
    ['there is no conda environment', { conda: 'nowhere' }],
    ['a module cannot be loaded', { modules: ['nothing'] }],
  ])('has failed at the launch if %s', async (_, environment) => {
    const temporary = folderWith()
    const worker = await ran(shell, {
      script: notes('script'),
      groups: [[], []],
      environment: { ...environment, scratch: true, teardown: notes('teardown $QANAT_GROUP_INDEX') },
      variables: { TMPDIR: temporary, CONDA_EXE: '/no/such/conda' },
    })
    for (const index of [0, 1]) {
      expect(worker.endOf(index)!.outcome).toBe('launch')
      expect(worker.endOf(index)!.code).not.toBe(0)
      expect(worker.read(`group_${index}/stderr.txt`)).not.toBe('')
    }
    expect(worker.order()).toEqual(['teardown 0', 'teardown 1'])
    expect(readdirSync(temporary)).toEqual([])
  })

  test('is torn down when its worker is told to end: group, tasks and scratch are gone', async () => {
    const temporary = folderWith()
    const worker = new Worker(shell, {
      script: `trap 'echo saved; exit 7' TERM\n${tells('group')}sleep 300 & wait`,
      environment: {
        scratch: true,
        background: [`sleep 300 &\n${tells('inner', '$!')}wait`],
        teardown: notes('teardown, scratch $(ls -d "$QANAT_SCRATCH" >/dev/null && echo there)'),
      },
      variables: { TMPDIR: temporary },
    })
    const pids = await worker.begin('group', 'inner')
    await worker.stop()
    await expectEnded(...pids)
    expect(worker.endOf()).toMatchObject({ code: 7, outcome: 'stopped' })
    expect([worker.read('stdout.txt'), worker.order()]).toEqual(['saved\n', ['teardown, scratch there']])
    expect(readdirSync(temporary)).toEqual([])
  })

  test('is torn down at once when its worker is told to end during the setup', async () => {
    const temporary = folderWith()
    const setup = `sh -c '${tells('setup').trim()}; exec sleep 300'`
    const worker = new Worker(shell, {
      script: notes('script'),
      environment: { scratch: true, setup, teardown: notes('teardown') },
      variables: { TMPDIR: temporary },
    })
    const pids = await worker.begin('setup')
    await worker.stop()
    await expectEnded(...pids)
    expect(worker.order()).toEqual(['teardown'])
    expect(worker.endOf()).toMatchObject({ outcome: 'stopped' })
    expect(readdirSync(temporary)).toEqual([])
  })

  test('has the end of its script recorded even when its worker is told to end during the teardown', async () => {
    const go = folderWith()
    const teardown = `${tells('teardown')}while [ ! -e '${go}/on' ]; do sleep 0.01; done\n${notes('teardown')}`
    const worker = new Worker(shell, { environment: { teardown } })
    await worker.begin('teardown')
    const stopped = worker.stop()
    mkdirSync(join(go, 'on'))
    await stopped
    expect(worker.order()).toEqual(['teardown'])
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })

  test('has an end recorded even when its shell was killed', async () => {
    const script = `${tells('group')}exec sleep 300`
    const worker = new Worker(shell, { script, environment: { setup: tells('shell') } })
    const [, pid] = await worker.begin('group', 'shell')
    process.kill(pid!, 'SIGKILL')
    await worker.shell.end()
    expect(worker.endOf()).toMatchObject({ code: 137, outcome: 'exit' })
  })

  test('may ask for another shell', async () => {
    const setup = `eval 'words=(a "b c"); export WORDS="\${words[1]}"'`
    const worker = await ran(shell, { script: 'echo "$WORDS"', environment: { shell: ['bash', '--norc'], setup } })
    expect([worker.read('stdout.txt'), worker.endOf()]).toMatchObject(['b c\n', { code: 0, outcome: 'exit' }])
  })
})
