import { existsSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { groups, shellProject, until } from '../project.js'
import { openTerminal } from '../terminal.js'

const script = `printf '<%s>' "$@"; echo " $QANAT_RUN_ID \${QANAT_GROUP_INDEX:-whole}"; [ "$1" != fail ]\n`

const withAction = madeOnce(async () => {
  const folder = await shellProject()
  folder.write('plot.sh', script)
  folder.write(
    'acting.yaml',
    `name: acting
executable: it.sh
executable_command: sh
actions:
  - plot: {name: plot, description: draws, executable: plot.sh, executable_command: sh -u}
  - gone: {name: gone, description: '', executable: gone.sh, executable_command: sh}
`,
  )
  folder.commit()
  await folder.qanat('experiment', 'new', '-f', 'acting.yaml')
  await folder.qanat('run', 'acting', ...groups('true', 'true'))
  return folder
})

/** A file that an action has made in the folder of run 1. */
function made(file: string, size: number): unknown {
  return expect.objectContaining({ path: `results/acting/run_1/${file}`, size, change: 'made' })
}

describe('an action', () => {
  test('gets its arguments byte for byte and the folder of the run, or of a group', async () => {
    const folder = await withAction()
    const run = `${folder.path}/results/acting/run_1`
    const words = ['a b', '$(id)', '', '--x=*']
    const whole = await folder.qanat('action', 'acting', 'plot', '1', ...words)
    expect([whole.code, whole.stderr]).toEqual([0, ''])
    expect(whole.stdout).toBe(`<a b><$(id)><><--x=*><--storage_path><${run}> 1 whole\n`)
    expect((await folder.qanat('action', 'acting', 'plot', '1', '--help')).stdout).toContain('<--help>')
    const group = await folder.qanat('action', 'acting', 'plot', '1', '--group_no', '1', '--', '--group_no')
    expect(group.stdout).toBe(`<--group_no><--storage_path><${run}/group_1> 1 1\n`)
  })

  test('takes a run in each way in which runs are named', async () => {
    const folder = await withAction()
    const run = `<--storage_path><${folder.path}/results/acting/run_1>`
    const lines = [
      'plot 1',
      'plot latest',
      'plot acting',
      'plot acting 1',
      'acting plot',
      'acting plot 1',
      'plot acting @',
    ]
    for (const line of lines) {
      const { code, stdout } = await folder.qanat('action', ...line.split(' '))
      expect([line, code, stdout]).toEqual([line, 0, `${run} 1 whole\n`])
    }
    expect((await folder.qanat('action', 'plot', 'acting', 'x', '7')).stdout).toBe(`<x><7>${run} 1 whole\n`)
    expect((await folder.qanat('action', 'acting', 'plot', 'latest', 'acting')).stdout).toContain('<acting>')
  })

  test('shows how its script differs from that of the run', async () => {
    const folder = await withAction()
    folder.write('plot.sh', `echo new\n${script}`)
    const { code, stdout, stderr } = await folder.qanat('action', 'acting', 'plot', '1')
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'new'])
    expect(stderr).toContain('the script has changed since the commit of the run')
    expect(stderr).toContain('+echo new')
  })

  test('shows the same difference only once, and then how to see it', async () => {
    const folder = await withAction()
    await folder.qanat('run', 'acting', 'true')
    const commit = folder.git('rev-parse', 'HEAD').slice(0, 12)
    folder.write('sub/x', '')
    folder.write('plot.sh', `echo new\n${script}`)
    expect((await folder.qanat('action', 'acting', 'plot', '1')).stderr).toContain('+echo new')
    for (const run of ['1', '2']) {
      const { stderr } = await folder.qanatIn('sub', 'action', 'acting', 'plot', run)
      expect(stderr).toBe(
        `Warning: the script has changed since the commit of the run; this shows how: git diff ${commit} -- ../plot.sh\n`,
      )
      expect((await folder.shell(`cd sub; ${stderr.split('how: ')[1]}`)).stdout).toContain('+echo new')
    }
    folder.write('plot.sh', `echo newer\n${script}`)
    expect((await folder.qanat('action', 'acting', 'plot', '1')).stderr).toContain('+echo newer')
  })

  test('that fails, does not exist, or has no script is an error that says so', async () => {
    const folder = await withAction()
    expect(await folder.qanat('action', 'acting', 'plot', '1', 'fail')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('the action plot ended with code 1') },
    })
    const errors = [
      [['plott', '1'], "no action 'plott'. Did you mean plot?"],
      [['gone', '1'], 'the script of the action gone does not exist: gone.sh'],
      [['plot', '9'], "no run '9'"],
      [['plot', '1', '--group_no', '7'], 'its groups are 0 to 1'],
      [['plot', '1', '--group_no', 'x'], 'expected the number of a group'],
      [['--fast', 'plot', '1'], 'unknown option --fast'],
    ] as const
    for (const [words, message] of errors) {
      const { code, stderr } = await folder.qanat('action', 'acting', ...words)
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    }
  })

  test('is recorded: who called it, when, with which script, and what it has made', async () => {
    const folder = await withAction()
    folder.write('plot.sh', 'while [ $# -gt 2 ]; do shift; done; echo drawn > "$2/fig.svg"; echo beside > beside.txt\n')
    const called = await folder.qanat('action', 'plot', '1', '--x', 'a b')
    expect(called.stderr).toContain('Made results/acting/run_1/fig.svg (6 B), beside.txt (7 B)')
    folder.write('plot.sh', 'while [ $# -gt 2 ]; do shift; done; rm "$2/../fig.svg"; exit 3\n')
    expect((await folder.qanat('action', 'plot', '1.1')).code).toBe(1)
    const listed = await folder.qanat('action', '--list', 'acting')
    expect(listed.stdout.split('\n').map(line => line.split(/ {2,}/)[1])).toEqual(['On', '1.1', '1', undefined])
    expect(await folder.qanat('action', '--list', '1.1')).toEqual(await folder.qanat('action', '--list', '1'))
    expect(listed.stdout).toContain(` --x 'a b'  plot.sh`)
    expect(listed.stdout).toMatch(/failed \(code 3\) .* plot\.sh [0-9a-f]{7} \+ changes/)
    const { actions } = JSON.parse((await folder.qanat('action', '--list', '--json')).stdout)
    expect(actions[1]).toMatchObject({
      runs: [{ id: 1, groups: null }],
      command: ['sh', '-u', 'plot.sh', '--x', 'a b', '--storage_path', `${folder.path}/results/acting/run_1`],
      made: [
        { path: 'results/acting/run_1/fig.svg', size: 6, change: 'made', digest: expect.stringMatching(/^sha256:/) },
        { path: 'beside.txt', size: 7, change: 'made' },
      ],
      inputs: { complete: true },
      ...{ exit_code: 0, complete: true, shared: false, document: null },
    })
    expect(actions[0].runs).toEqual([{ id: 1, groups: [1] }])
    expect((await folder.json('run_show', '1', '--json')).actions).toEqual(actions)
    const who = ['id', 'action', 'experiment', 'runs', 'document', 'started', 'finished', 'duration_s', 'status']
    const what = ['exit_code', 'user', 'host', 'command', 'script', 'tree', 'inputs', 'made', 'complete', 'shared']
    expect(Object.keys(actions[0])).toEqual([...who, ...what])
    const patch = folder.read(`results/acting/run_1/.run/actions/${actions[1].script.patch}`)
    expect(patch).toContain('echo drawn')
    rmSync(`${folder.path}/.qanat/database.db`)
    await folder.qanat('init')
    await folder.qanat('doctor', '--repair')
    expect(JSON.parse((await folder.qanat('action', '--list', '1', '--json')).stdout)).toEqual({ actions })
  })

  test('is recorded with the other files of the tree that had uncommitted changes, as its script may import them', async () => {
    const folder = await withAction()
    const tree = async () => (await folder.json('action', '--list', '--json')).actions[0].tree
    const head = folder.git('rev-parse', 'HEAD').trim()
    for (const ignored of ['README.md', 'results/acting/run_1/more', '.qanat/mine', 'acting.yaml'])
      folder.write(ignored, '# nothing that a script imports\n')
    folder.write('plot.sh', `${script}# more\n`)
    await folder.qanat('action', 'plot', '1')
    expect(await tree()).toEqual({ commit: head, changed: 0, files: [], code: expect.any(String) })
    const clean = (await tree()).code
    folder.write('it.sh', 'echo changed\n')
    folder.write('helpers/style.py', 'red\n')
    folder.write('plot.sh', `echo drawn > "$2/fig.svg"\n`)
    await folder.qanat('action', 'plot', '1')
    const changed = await tree()
    expect(changed).toMatchObject({ commit: head, changed: 2, files: ['it.sh', 'helpers/style.py'] })
    expect((await folder.qanat('action', '--list')).stdout).toMatch(
      / plot\.sh \w{7} \+ changes, also of 2 other files /,
    )
    expect((await folder.qanat('whence', 'results/acting/run_1/fig.svg')).stdout).toContain(
      ', with uncommitted changes of 2 other files (it.sh, helpers/style.py)\n',
    )
    folder.commit()
    await folder.qanat('action', 'plot', '1')
    const committed = folder.git('rev-parse', 'HEAD').trim()
    expect(await tree()).toEqual({ commit: committed, changed: 0, files: [], code: changed.code })
    expect(changed.code).not.toBe(clean)
    await folder.shell('for n in 1 2 3 4 5 6; do echo > more_$n.py; done; rm it.sh; chmod 0 more_6.py')
    await folder.qanat('action', 'plot', '1')
    expect(await tree()).toMatchObject({ changed: 7, files: { length: 5 } })
  })

  test('is recorded as far as it can be without a commit', async () => {
    const folder = await withAction()
    await folder.shell('rm -rf .git')
    expect(await folder.qanat('action', 'plot', '1')).toMatchObject({ code: 0 })
    expect((await folder.json('action', '--list', '--json')).actions).toMatchObject([
      { status: 'finished', tree: null },
    ])
  })

  test('is recorded also if it is killed, removes the folder of its run, or works beside another one', async () => {
    const folder = await withAction()
    folder.write('plot.sh', 'touch "$3/$1"; [ "$1" = last ] || while [ -f going ]; do sleep 0.02; done\n')
    folder.write('going', '')
    const begun = folder.start(['action', 'plot', '1', 'first'])
    await until(() => existsSync(`${folder.path}/results/acting/run_1/first`))
    expect((await folder.qanat('action', 'plot', '1', 'last')).code).toBe(0)
    begun.kill('SIGKILL')
    await new Promise(resolve => begun.on('exit', resolve))
    rmSync(`${folder.path}/going`)
    const list = async () => JSON.parse((await folder.qanat('action', '--list', '1', '--json')).stdout).actions
    expect(await list()).toMatchObject([
      { status: 'finished', shared: true },
      { status: 'interrupted', finished: null, exit_code: null, made: [], complete: false },
    ])
    expect((await folder.qanat('action', '--list', '1')).stdout).toContain('(not recorded')
    folder.write('plot.sh', 'rm -r "$2"\n')
    expect(await folder.qanat('action', 'plot', '1')).toMatchObject({ code: 0 })
    expect(existsSync(`${folder.path}/results/acting/run_1`)).toBe(false)
    const [last] = await list()
    expect(last.made).toContainEqual({ path: 'results/acting/run_1/last', size: 0, digest: null, change: 'removed' })
  })

  test('that Ctrl-C ends is recorded with the files that it has made until then', async () => {
    const folder = await withAction()
    const waits = ': > begun; while [ -e begun ]; do sleep 0.02; done\n'
    folder.write('plot.sh', `echo half > "$2/half.svg"; ${waits}`)
    const terminal = openTerminal(folder, 'action', 'plot', '1')
    await until(() => folder.has('begun'))
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
    expect(terminal.shown()).toContain('the action plot was interrupted')
    folder.write('plot.sh', `trap 'echo saved > "$2/all.svg"; exit 0' INT; ${waits}`)
    rmSync(`${folder.path}/begun`)
    const other = openTerminal(folder, 'action', 'plot', '1')
    await until(() => folder.has('begun'))
    other.type('\u0003')
    expect(await other.ended).toBe(0)
    const { actions } = await folder.json('action', '--list', '--json')
    expect(actions).toMatchObject([
      { status: 'finished', exit_code: 0, made: expect.arrayContaining([made('all.svg', 6)]) },
      { status: 'interrupted', exit_code: null, finished: expect.any(String) },
    ])
    expect(actions[1].made).toContainEqual(made('half.svg', 5))
    expect((await folder.json('whence', 'results/acting/run_1/half.svg', '--json')).matches).toMatchObject([
      { kind: 'action', run: 1, action: 'plot' },
    ])
    expect((await folder.qanat('whence', 'results/acting/run_1/half.svg')).stdout).toMatch(
      /called .*; it was interrupted, so the file may be incomplete\n/,
    )
  })

  test.each(['INT', 'HUP'])(
    'whose script is ended by SIG%s was interrupted, even if Qanat gets that signal later',
    async signal => {
      const folder = await withAction()
      folder.write('plot.sh', `kill -${signal} $$\n`)
      expect(await folder.qanat('action', 'plot', '1')).toMatchObject({
        ...{ code: 130, stderr: expect.stringContaining('the action plot was interrupted\n') },
      })
      const { actions } = await folder.json('action', '--list', '--json')
      expect(actions).toMatchObject([{ status: 'interrupted', exit_code: null, finished: expect.any(String) }])
    },
  )

  // git ends with 129 if it does not know an option.
  test.each([129, 130])('whose script ends by itself with %i has failed, and keeps its code', async code => {
    const folder = await withAction()
    folder.write('plot.sh', `exit ${code}\n`)
    const called = await folder.qanat('action', 'plot', '1')
    expect([called.code, called.stderr]).toEqual([1, expect.stringContaining(`plot ended with code ${code}\n`)])
    const { actions } = await folder.json('action', '--list', '--json')
    expect(actions).toMatchObject([{ status: 'failed', exit_code: code }])
  })

  test('on a run that has not finished says how much of it is there', async () => {
    const folder = await withAction()
    await folder.qanat('run', 'acting', ...groups('true', 'false'))
    expect((await folder.qanat('action', 'plot', '2')).stderr).toBe(
      'Warning: only 1 of the 2 groups of run 2 have finished\n',
    )
    expect((await folder.qanat('action', 'plot', '2.0')).stderr).toBe('')
  })

  test('that a signal or the end of its terminal ends is recorded with the files that it has made until then', async () => {
    const folder = await withAction()
    folder.write('plot.sh', 'echo half > "$3/$1.svg"; : > begun; while [ -e begun ]; do sleep 0.02; done\n')
    const terminated = folder.start(['action', 'plot', '1', 'terminated'])
    const ended = new Promise(resolve => terminated.on('exit', (code, signal) => resolve([code, signal])))
    await until(() => folder.has('begun'))
    terminated.kill('SIGTERM')
    expect(await ended).toEqual([null, 'SIGTERM'])
    rmSync(`${folder.path}/begun`)
    const terminal = openTerminal(folder, 'action', 'plot', '1', 'closed')
    await until(() => folder.has('begun'))
    terminal.close()
    expect(await terminal.ended).toBe(129)
    expect((await folder.json('action', '--list', '--json')).actions).toMatchObject([
      { status: 'interrupted', exit_code: null, complete: true, made: expect.arrayContaining([made('closed.svg', 5)]) },
      { status: 'interrupted', exit_code: null, complete: true, made: [made('terminated.svg', 5), expect.anything()] },
    ])
  })

  test('whose record cannot be kept in the folder of the run is done, and the user is told', async () => {
    const folder = await withAction()
    folder.write('results/acting/run_1/.run/actions', 'in its place')
    const { code, stderr } = await folder.qanat('action', 'plot', '1')
    expect([code, stderr]).toEqual([0, expect.stringContaining('the folder of run 1 cannot keep the record')])
    expect((await folder.qanat('action', '--list')).stdout).toContain('finished')
  })

  test('that is listed in another way than with one run is an error', async () => {
    const folder = await withAction()
    for (const words of [['--foo'], ['acting', '1', '2'], ['9'], ['1.7']]) {
      expect(await folder.qanat('action', '--list', ...words)).toMatchObject({ code: 2, stdout: '' })
    }
    expect((await folder.qanat('action', '--list', '1')).stdout).toBe('No action was called on run 1 yet\n')
  })
})
