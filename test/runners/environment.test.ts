import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordedEnvironments } from '../../src/runfolder/evidence/environments.js'
import { localShells } from '../domain/text/shells.js'
import { until } from '../e2e/project.js'
import { folderWith } from '../project/temporary.js'
import { skips } from '../skips.js'
import { pathOf, pythonWith, record, treeOf, withNumpy } from './environment-record.js'
import { expectEnded } from './job-shell.js'
import { notes, programsIn, tells } from './run-folder.js'
import { TaskRun } from './task.js'
import { ran, Worker } from './worker.js'

describe.each(localShells)('the environment that %s records', shell => {
  test('is that of the interpreter, of the machine, and of the files that fix versions', () => {
    const folder = treeOf({
      ...pythonWith('numpy-1.26.4.dist-info/METADATA', 'old_one-0.1-py3.11.egg-info', 'link.egg-info/x', 'six.py'),
      // pip leaves them if it is interrupted while it removes a package.
      ...pythonWith('~umpy-1.26.3.dist-info/METADATA', '~=py-1.26.2.dist-info/METADATA', '~ld-0.1.egg-info'),
      'conda-meta/openssl-3.2.1-h0_1.json': '',
      'conda-meta/history': '',
      // Debian keeps this package in two forms; the other one is a single file.
      ...pythonWith('cryptography-38.0.4.dist-info/x'),
      'lib/python3.11/site-packages/cryptography.egg-info/PKG-INFO':
        'Name: cryptography\nVersion: 38.0.4\n\nVersion: 9\n',
      'lib/python3.11/site-packages/single.egg-info': 'Version: 1.2',
      'poetry.lock': 'a',
      'exp/requirements-gpu.txt': 'b',
      'exp/it.py': '',
    })
    const { ending, named } = record(folder, ['bin/python3', '-u'], {}, { shell })
    expect(ending).toBe('end')
    expect(named('interpreter')).toEqual({ path: join(folder, 'bin/python3'), version: 'Python 3.11.7' })
    const versions = { numpy: '1.26.4', 'old-one': '0.1', link: '', cryptography: '38.0.4', single: '1.2' }
    expect(named('package')).toEqual(versions)
    expect(named('conda')).toEqual({ openssl: '3.2.1 h0_1' })
    expect(named('lock')).toEqual({
      'poetry.lock': 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
      'exp/requirements-gpu.txt': '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d',
    })
    expect(named('system').kernel).toBe(execFileSync('uname', ['-sr'], { encoding: 'utf8' }).trim())
    expect(Number(named('cpu').count)).toBeGreaterThan(0)
  })
})

test.each([
  ['its own packages', 'home = BASE/bin\ninclude-system-site-packages = false', {}],
  ['those of the system if it says so', 'home = BASE/bin\ninclude-system-site-packages = true', { six: '1.16.0' }],
  [
    'those where its interpreter is, if it was made by way of a link',
    'home = /away\ninclude-system-site-packages = true\nexecutable = BASE/bin/python3',
    { six: '1.16.0' },
  ],
])('a virtual environment has %s', (_, configuration, packages) => {
  const base = treeOf(pythonWith('six-1.16.0.dist-info/x'))
  const venv = treeOf({ ...withNumpy, 'pyvenv.cfg': `${configuration.replace('BASE', base)}\nversion = 3.11.2\n` })
  expect(record(venv, ['bin/python3']).named('package')).toEqual({ numpy: '2.0', ...packages })
})

test('an environment that is reached through a link has the path where it is', () => {
  const venv = treeOf({ ...withNumpy, 'pyvenv.cfg': '' })
  const copy = folderWith()
  symlinkSync(venv, join(copy, '.venv'))
  const { named } = record(copy, ['.venv/bin/python3'])
  expect([named('interpreter').path, named('package')]).toEqual([join(venv, 'bin/python3'), { numpy: '2.0' }])
})

test.each([
  ['in the PATH', ['python3'], {}],
  ['behind programs that start others', ['env', 'A=1', 'nice', '-n', '5', 'python3', '-u'], {}],
  ['in the first line of the script', [], { 'exp/it.py': '#!/usr/bin/env -S python3 -u\nprint()\n' }],
])('the interpreter is found %s', (_, words, files) => {
  const folder = treeOf({ ...withNumpy, ...files })
  const { named } = record(folder, words, pathOf(folder))
  expect([named('interpreter').path, named('package')]).toEqual([join(folder, 'bin/python3'), { numpy: '2.0' }])
})

test('conda run has the packages of the environment that it names', () => {
  const root = treeOf({ 'bin/conda': '' })
  treeOf({ ...withNumpy, 'bin/python': 'Python 3.11.7', 'conda-meta/numpy-2.0-py311_0.json': '' }, join(root, 'envs/x'))
  const { named } = record(folderWith(), ['conda', 'run', '-n', 'x', 'python'], pathOf(root))
  expect(named('conda')).toEqual({ numpy: '2.0 py311_0' })
})

test('nothing is said of the software in a container', () => {
  const folder = treeOf(withNumpy)
  const { named, ending } = record(folder, ['bin/python3'], { VIRTUAL_ENV: folder }, { starter: 'container' })
  expect([named('interpreter'), named('package'), ending]).toEqual([{}, {}, 'end'])
})

test('no value of a variable is recorded but the names of modules', () => {
  const { text } = record(treeOf(withNumpy), ['bin/python3'], { WANDB_API_KEY: 'hunter2', SECRET: 'hunter3' })
  expect(text).not.toContain('hunter')
})

test('hostile names break nothing', () => {
  const names = ['a\nsystem\tkernel\tx-1.dist-info/x', '$(touch ran)-1.dist-info/x', '-e-1.dist-info/x']
  const folder = treeOf({ ...pythonWith(...names), "it's.lock": '' })
  const { named, ending } = record(folder, ['bin/python3'], { LOADEDMODULES: 'a\nb/1:*/2' })
  expect([ending, named('package'), named('module')]).toEqual(['end', { '$(touch ran)': '1' }, { '*': '2' }])
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

test.each([
  ['an interpreter that does not say its version', ['bin/python3'], { path: expect.stringMatching(/bin\/python3$/) }],
  ['no such program', ['no-such-program'], {}],
  ['no words at all', [], {}],
])('with %s the rest is there', (_, words, interpreter) => {
  const folder = treeOf({ 'bin/python3': '#!/bin/sh\necho it is broken\nexit 1\n' })
  const { named, ending, status } = record(folder, words)
  expect([ending, status, named('interpreter')]).toEqual(['end', 0, interpreter])
  expect(named('cpu').count).toBeDefined()
})

test('what takes longer than its time is ended, and what was found is partial', async () => {
  const folder = treeOf({ 'bin/python3': '#!/bin/sh\necho $$ >"$HOME/pid"\nsleep 300\n', 'poetry.lock': 'a' })
  const { ending, named } = record(folder, ['bin/python3'], {}, { seconds: 2 })
  expect([ending, Object.keys(named('lock'))]).toEqual(['partial', ['poetry.lock']])
  await expectEnded(Number(readFileSync(join(folder, 'pid'), 'utf8')))
})

/** The command of a Python that does this. */
const python = (code: string) => [join(programsIn({ python3: code }), 'python3')]

describe.each(localShells)('a run whose groups are run by %s', shell => {
  /** Waits until a record is complete. */
  const recorded = (storagePath: string) =>
    until(
      () => recordedEnvironments(storagePath, null, () => false),
      found => found.length > 0,
    )

  test('has one record for each host, whatever the number of its groups', async () => {
    const executableCommand = [...python(notes('$1')), 'group']
    const worker = await ran(shell, { executableCommand, groups: [[], [], []] })
    const [found, ...others] = await recorded(worker.plan.place.here)
    expect([found, others]).toMatchObject([{ attempt: 1, host: 'n1', isPartial: false }, []])
    expect(worker.order().sort()).toEqual(['-V', 'group', 'group', 'group'])
    expect(readdirSync(worker.path('.run/environments'))).toEqual(['1.n1', 'places.1.n1'])
  })

  test('is recorded in the environment that the setup has made', async () => {
    const venv = treeOf({ ...withNumpy, 'bin/activate': '', 'pyvenv.cfg': '' })
    const worker = await ran(shell, {
      environment: { venv, setup: `PATH=${venv}/bin:$PATH\nexport LOADEDMODULES=gcc/12` },
      executableCommand: ['python3'],
    })
    const [found] = await recorded(worker.plan.place.here)
    expect(found!.facts).toContainEqual({ kind: 'package', name: 'numpy', value: '2.0' })
    expect(found!.facts).toContainEqual({ kind: 'module', name: 'gcc', value: '12' })
  })

  test('does not wait for a record that takes long', async () => {
    const executableCommand = python(`[ "$1" != -V ] || { ${tells('slow')}sleep 300; }`)
    const worker = await ran(shell, { executableCommand, groups: [[], []] })
    expect(worker.ends()).toMatchObject([{ code: 0 }, { code: 0 }])
    expect(await recorded(worker.plan.place.here)).toMatchObject([{ isPartial: true }])
    await expectEnded(...(await worker.processes('slow')))
  })

  test('runs although nothing can be recorded', async () => {
    const worker = new Worker(shell, { groups: [[]] })
    writeFileSync(worker.path('.run/environments'), '')
    await worker.runAll()
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
    expect(worker.shell.stderr).toBe('')
  })

  test('as a job of a scheduler ends after its record, which ends at five seconds', async () => {
    const run = new TaskRun(shell, { executableCommand: python('[ "$1" != -V ] || exec sleep 300'), groups: [[], []] })
    expect(await run.run()).toBe(0)
    expect(recordedEnvironments(run.plan.place.here, null, () => false)).toMatchObject([
      { host: 'n1', isPartial: true },
    ])
    expect(await run.run({ index: 1 })).toBe(0)
  })
})

test('a record that a killed process left incomplete is not waited for once its run is over', () => {
  const folder = folderWith({ '.run/environments/1.n1': 'cpu\tcount\t2\n', '.run/environments/2.n1.a': 'end\n', x: '' })
  for (const over of [null, Date.now()]) {
    expect(recordedEnvironments(folder, over, () => false)).toMatchObject([{ attempt: 2, host: 'n1.a' }])
  }
  const found = recordedEnvironments(folder, Date.now() - 120_000, attempt => attempt === 2)
  expect(found).toMatchObject([{ host: 'n1', isPartial: true }])
})

test.skipIf(skips('CPU time of the record', process.platform === 'linux' ? null : 'only Linux tells it to a shell'))(
  'the time of the record is not taken for that of the group',
  async () => {
    const code = `[ "$1" != -V ] || python3 -c 'for _ in range(9_000_000): pass'\nsleep 1`
    const worker = await ran('bash', { executableCommand: python(code) })
    expect(worker.endOf()!.used!.cpuTime).toBeLessThan(0.1)
  },
)

const seesProcesses = skips(
  'the interpreter of a running group',
  process.platform === 'linux' ? null : 'only Linux shows it',
)

describe.skipIf(seesProcesses)('of a group that runs', () => {
  /** An environment whose Python waits as many seconds as its first argument says. */
  function waitingPython(...packages: string[]): string {
    const folder = treeOf({ ...pythonWith(...packages), 'pyvenv.cfg': '' })
    execFileSync('cp', ['-L', '/bin/sleep', join(folder, 'bin/python3')])
    return folder
  }

  test.each<[string, string[], string, string, string[]]>([
    ['it is the command', ['bin/python3', '-u'], '', '', []],
    ['the script names it in its first line', [], '#!/usr/bin/env python3\n', '', []],
    ['the command is a script', ['bin/script'], '', '', ['start']],
    ['the command sets variables', ['env', 'PYTHONPATH=lib', 'python3'], '', '', ['start']],
    ['a tool of its own starts it', ['python3', '-m', 'uv', 'run'], '', '', ['start']],
    ['a launcher starts it', ['python3'], '', 'launcher', ['start']],
  ])('whether it had to be seen is known: %s', (_, words, script, starter, looks) => {
    const folder = waitingPython('six-1.0.dist-info/x')
    treeOf({ 'exp/it.py': script, 'bin/script': '#!python3\n' }, folder)
    const { named } = record(folder, words, pathOf(folder), { starter })
    expect([named('package'), Object.keys(named('look'))]).toEqual([{ six: '1.0' }, looks])
  })

  /** Waits until the record is complete. */
  const recorded =
    'until tail -n 1 "$QANAT_PROJECT/results/it/run_1/.run/environments/1.n1" | grep -qx end; do sleep 0.05; done'

  /** What is recorded of a run, once it is complete. */
  async function recordOf(facts: ConstructorParameters<typeof Worker>[1]) {
    const worker = await ran('sh', facts)
    const found = await until(
      () => recordedEnvironments(worker.plan.place.here, null, () => false),
      all => all.length > 0,
    )
    return found.map(({ facts: all }) =>
      all.flatMap(({ kind, name, value }) =>
        ['package', 'unknown', 'look'].includes(kind) ? `${kind} ${name} ${value}` : [],
      ),
    )
  }

  test.each<[string, string, string[]]>([
    ['starts it', `PYTHON 99 & ${recorded}; kill $!`, ['package six 1.0']],
    ['becomes it', `(${recorded}; kill $$) & exec PYTHON 99`, ['package six 1.0']],
    ['finds it in the PATH', `PATH=PYTHON/..:$PATH; cd /; python3 99 & ${recorded}; kill $!`, ['package six 1.0']],
    ['starts it in another session', `setsid PYTHON 99 & ${recorded}; kill $!`, ['package six 1.0']],
    ['starts it after something else', `sleep 1; PYTHON 99 & ${recorded}; kill $!`, ['package six 1.0']],
    ['starts none', 'sleep 1', ['unknown interpreter behind sh']],
    ['is over at once', '', ['unknown interpreter behind sh']],
  ])('the interpreter is found where a script %s', async (_, script, expected) => {
    const python = join(waitingPython('six-1.0.dist-info/x'), 'bin/python3')
    const text = script.replace('PYTHON/..', join(python, '..')).replace('PYTHON', python)
    expect(await recordOf({ script: text })).toEqual([expected])
  })

  test('that of a launcher does not count, nor what it starts without the script', async () => {
    const [own, other] = ['six-1.0.dist-info/x', 'uv-1.0.dist-info/x'].map(each => waitingPython(each))
    const launcher = join(other!, 'bin/uv')
    execFileSync('cp', ['-L', '/bin/sh', launcher])
    const lines = `${other}/bin/python3 0.5; ${own}/bin/python3 99 & ${recorded}; kill $!`
    // The executable is the time to wait.
    expect(await recordOf({ executableCommand: [launcher, '-c', lines], executable: '99' })).toEqual([
      ['package six 1.0'],
    ])
  })

  test('packages that change while it runs are recorded, once, and a warning says so', async () => {
    const folder = waitingPython('six-1.0.dist-info/x')
    const site = join(folder, 'lib/python3.11/site-packages')
    const change = `[ -e ${site}/six-2.0.dist-info ] || mv ${site}/six-1.0.dist-info ${site}/six-2.0.dist-info`
    const script = `${folder}/bin/python3 99 & ${recorded}; kill $!; ${change}; touch ${site}/x; rm ${site}/x`
    const worker = await ran('sh', { script, groups: [[], [], []] })
    const found = recordedEnvironments(worker.plan.place.here, null, () => false)
    const six = found.map(({ facts }) => facts.find(({ kind }) => kind === 'package')!.value)
    expect(six).toEqual(['1.0', '2.0'])
    expect(worker.read('.run/warnings.txt')).toBe('the packages on n1 changed while the run ran\n')
  })
})
