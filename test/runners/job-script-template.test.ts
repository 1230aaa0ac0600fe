import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { localShells } from '../domain/text/shells.js'
import { folderWith } from '../project/temporary.js'
import { expectEnded, notes, orderOf, ran, tells, Worker } from './worker.js'

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
    expect(worker.read('stderr.txt')).toBe('')
    const { projectRoot } = worker.plan
    expect(orderOf(worker)).toEqual(['setup my venv', `script my venv, 0, a  b, ${projectRoot}/sub`, 'teardown 0'])
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
    expect(worker.read('.run/warnings.txt')).toBeNull()
  })

  test('finds its virtual environment below the home of the user', async () => {
    const home = folderWith({ 'my venv/bin/activate': 'export VIRTUAL_ENV=found\n' })
    const worker = await ran(shell, {
      script: notes('$VIRTUAL_ENV'),
      environment: { venv: '~/my venv' },
      variables: { HOME: home },
    })
    expect(orderOf(worker)).toEqual(['found'])
  })

  test('loads its modules, then runs after_modules, then activates conda, then runs its setup', async () => {
    // Both are commands of the site; here they are on the PATH.
    const programs = folderWith({
      module: '#!/bin/sh\necho "module $*" >>"$QANAT_PROJECT/order"\n',
      conda: `#!/bin/sh\ncat <<'EOF'\nconda() { echo "conda $*" >>"$QANAT_PROJECT/order"; }\nEOF\n`,
    })
    for (const name of ['module', 'conda']) chmodSync(join(programs, name), 0o755)
    const worker = await ran(shell, {
      script: notes('script'),
      environment: {
        ...{ modules: ['cuda/12', 'gcc $(id)'], conda: 'my env', setup: notes('setup') },
        afterModules: notes('after'),
      },
      variables: { PATH: `${programs}:${process.env.PATH}`, CONDA_EXE: undefined },
    })
    const modules = 'module load cuda/12 gcc $(id)'
    expect(orderOf(worker)).toEqual([modules, 'after', 'conda activate my env', 'setup', 'script'])
  })

  test.each(['miniconda3', 'mambaforge', 'anaconda3'])('finds conda in %s of the home folder', async name => {
    const home = folderWith({ [`${name}/bin/conda`]: '#!/bin/sh\necho "conda() { export CONDA=\\"$0 \\$*\\"; }"\n' })
    chmodSync(join(home, name, 'bin/conda'), 0o755)
    const worker = await ran(shell, {
      script: notes('$CONDA'),
      environment: { conda: 'training' },
      variables: { HOME: home, CONDA_EXE: undefined },
    })
    expect(orderOf(worker)).toEqual([`${home}/${name}/bin/conda activate training`])
  })

  test('says what to write where there is no conda', async () => {
    const worker = await ran(shell, {
      script: 'true',
      environment: { conda: 'training' },
      variables: { HOME: folderWith(), CONDA_EXE: undefined },
    })
    expect(worker.endOf()).toMatchObject({ outcome: 'launch' })
    expect(worker.read('stderr.txt')).toMatch(/^qanat: there is no conda on .+after_modules: .+conda\.sh\n$/)
  })

  test('gives each group a shell of its own, which inherits nothing from the previous group', async () => {
    const setup = 'export SEEN="$SEEN$QANAT_GROUP_INDEX"\ncd /\nset -f\n'
    const worker = await ran(shell, {
      script: 'echo "$SEEN"',
      executable: '"$QANAT_PROJECT"/it.sh',
      executableCommand: ['sh', '$QANAT_PROJECT/it.sh'],
      groups: [[], [], []],
      environment: { setup },
    })
    expect([0, 1, 2].map(index => worker.read(`group_${index}`, 'stdout.txt'))).toEqual(['0\n', '1\n', '2\n'])
  })

  test.each(['TERM', 'KILL', 'SEGV'])('adds nothing to the errors of a script that SIG%s has ended', async signal => {
    const script = `echo its last words >&2; kill -${signal} $$`
    const worker = await ran(shell, { script, environment: { setup: 'true' } })
    expect(worker.read('stderr.txt')).toBe('its last words\n')
    expect(worker.endOf()!.code).toBeGreaterThan(128)
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
    const used = orderOf(worker)
    expect(used).toHaveLength(6)
    expect([...new Set(used)].every(folder => folder.startsWith(`${temporary}/`))).toBe(true)
    expect([new Set(used.slice(0, 3)).size, new Set(used.slice(3)).size, new Set(used).size]).toEqual([1, 1, 2])
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
    await expectEnded(await worker.process('inner'))
    expect(worker.read('stdout.txt')).toBe('by_setup\n')
    expect(worker.read('stderr.txt')).toBe('')
    expect(worker.read('.run/background/0.0.txt')).toBe('task by_setup\n')
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
    expect(worker.read('.run/warnings.txt')).toBeNull()
  })

  test('does not wait for a task that does not end on its own', async () => {
    const worker = await ran(shell, {
      script: 'while [ ! -s "$QANAT_PROJECT/pid_task" ]; do sleep 0.01; done',
      environment: { background: [`trap '' TERM\n${tells('task')}while :; do sleep 0.05; done`] },
    })
    await expectEnded(await worker.process('task'))
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })

  test('warns of a task or a teardown that fails, but the script alone decides how the group ended', async () => {
    const worker = await ran(shell, {
      script: `task="$QANAT_PROJECT/pid_task"
        until [ -s "$task" ] && ! kill -0 "$(cat "$task")" 2>/dev/null; do sleep 0.01; done; exit 5`,
      environment: { background: [`${tells('task')}exit 3`], teardown: 'exit 4' },
    })
    expect(worker.endOf()).toMatchObject({ code: 5, outcome: 'exit' })
    expect(worker.read('.run/warnings.txt')).toBe(
      'group 0: a background task ended with code 3\ngroup 0: the teardown ended with code 4\n',
    )
  })

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
      expect(worker.read(`group_${index}`, 'stderr.txt')).not.toBe('')
    }
    expect(orderOf(worker)).toEqual(['teardown 0', 'teardown 1'])
    expect(readdirSync(temporary)).toEqual([])
  })

  test('has warnings if its teardown is not shell code', async () => {
    const worker = await ran(shell, { script: 'exit 5', environment: { teardown: 'echo "never closed' } })
    expect(worker.endOf()).toMatchObject({ code: 5, outcome: 'exit' })
    expect(worker.read('.run/warnings.txt')).toMatch(/^group 0: the teardown ended with code [12]\n$/)
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
    worker.give(0)
    const pids = [await worker.process('group'), await worker.process('inner')]
    await worker.stop()
    expect(worker.endOf()).toMatchObject({ code: 7, outcome: 'stopped' })
    for (const pid of pids) await expectEnded(pid)
    expect(worker.read('stdout.txt')).toBe('saved\n')
    expect(orderOf(worker)).toEqual(['teardown, scratch there'])
    expect(readdirSync(temporary)).toEqual([])
  })

  test('is torn down at once when its worker is told to end during the setup', async () => {
    const temporary = folderWith()
    const worker = new Worker(shell, {
      script: notes('script'),
      environment: {
        scratch: true,
        setup: `sh -c '${tells('setup').trim()}; exec sleep 300'`,
        teardown: notes('teardown'),
      },
      variables: { TMPDIR: temporary },
    })
    worker.give(0)
    const pid = await worker.process('setup')
    await worker.stop()
    await expectEnded(pid)
    expect(orderOf(worker)).toEqual(['teardown'])
    expect(worker.endOf()).toMatchObject({ outcome: 'stopped' })
    expect(readdirSync(temporary)).toEqual([])
  })

  test('has the end of its script recorded even when its worker is told to end during the teardown', async () => {
    const go = folderWith()
    const worker = new Worker(shell, {
      environment: {
        teardown: `${tells('teardown')}while [ ! -e '${go}/on' ]; do sleep 0.01; done\n${notes('teardown')}`,
      },
    })
    worker.give(0)
    await worker.process('teardown')
    const stopped = worker.stop()
    mkdirSync(join(go, 'on'))
    await stopped
    expect(orderOf(worker)).toEqual(['teardown'])
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })

  test('has an end recorded even when its shell was killed', async () => {
    const worker = new Worker(shell, {
      script: `${tells('group')}exec sleep 300`,
      environment: { setup: tells('shell') },
    })
    worker.give(0)
    await worker.process('group')
    process.kill(await worker.process('shell'), 'SIGKILL')
    await worker.end()
    expect(worker.endOf()).toMatchObject({ code: 137, outcome: 'exit' })
  })

  test('may ask for another shell', async () => {
    const worker = await ran(shell, {
      script: 'echo "$WORDS"',
      environment: { shell: ['bash', '--norc'], setup: `eval 'words=(a "b c"); export WORDS="\${words[1]}"'` },
    })
    expect(worker.read('stdout.txt')).toBe('b c\n')
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })
})
