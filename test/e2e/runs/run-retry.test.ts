import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { skips } from '../../skips.js'
import { awaits, type Folder, groups, open, program, shellProject } from '../project.js'

/** Shell words before a command that give it another host name. */
/** In its own namespaces a process knows neither the name nor the processes of this host. */
const elsewhere = `unshare --uts --pid --fork --mount-proc sh -c 'echo elsewhere >/proc/sys/kernel/hostname; exec "$@"' sh`
const canRename = spawnSync('sh', ['-c', `${elsewhere} true`]).status === 0
const isBound = skips('a run of another host', canRename ? null : 'a host cannot be renamed here')

const states = async (folder: Folder, id = 1) =>
  (await folder.show(id)).group_list.map(({ status, attempt }: { status: string; attempt: number }) => [
    status,
    attempt,
  ])

/** Shell code that fails until there is a file of that name in the project. */
const needs = (name: string) => `echo tried; [ -e "$QANAT_PROJECT/.qanat/${name}" ]`

describe('run_retry', () => {
  test.each([
    ['one group', []],
    ['several groups', ['true']],
  ])('of %s puts also those files of the first attempt away whose names are not UTF-8', async (_, others) => {
    const folder = await shellProject()
    const name = `"$(printf 'r\\351.csv')"`
    await folder.qanat('run', 'it', ...groups(`echo x >>"$QANAT_STORAGE_PATH"/${name}; exit 3`, ...others))
    await folder.qanat('run_retry', '1')
    const group = others.length > 0 ? '/group_0' : ''
    const read = (place: string) => folder.shell(`cat results/it/run_1/${place}/${name}`)
    expect((await read(`.run/attempts/1${group}`)).stdout).toBe('x\n')
    expect((await read(`.${group}`)).stdout).toBe('x\n')
  })

  test('runs unfinished groups again in the same run, and keeps the files of the first attempt', async () => {
    const folder = await shellProject()
    const made = 'echo 1 >>"$3/made"'
    await folder.qanat('run', '--n_threads', '2', 'it', ...groups('echo fine', `${made}; ${needs('fixed')}`, 'exit 3'))
    expect(await states(folder)).toEqual([
      ['finished', 1],
      ['failed', 1],
      ['failed', 1],
    ])
    folder.write('.qanat/fixed', '')
    const { code, stdout } = await folder.qanat('run_retry', 'it', '1')
    expect(code).toBe(1)
    expect(stdout).toContain('2 groups again on 2 slots')
    expect(await states(folder)).toEqual([
      ['finished', 1],
      ['finished', 2],
      ['failed', 2],
    ])
    expect(folder.read('results/it/run_1/group_1/made')).toBe('1\n')
    expect(folder.read('results/it/run_1/group_1/stdout.txt')).toBe('tried\n')
    expect(folder.read('results/it/run_1/.run/attempts/1/group_1/made')).toBe('1\n')
    expect(folder.has('results/it/run_1/.run/attempts/1/group_0')).toBe(false)
    expect((await folder.qanat('run_retry', 'it', '1')).code).toBe(1)
    expect(await states(folder)).toContainEqual(['failed', 3])
    const { launch } = JSON.parse(folder.read('results/it/run_1/.run/run.yaml'))
    expect(launch.attempts).toMatchObject([
      { attempt: 1, groups: null },
      { attempt: 2, groups: [1, 2] },
      { attempt: 3, groups: [2] },
    ])
  })

  test('says that it runs uncommitted changes again that are no longer in the tree', async () => {
    const folder = await shellProject()
    folder.write('version', 'old\n')
    folder.commit()
    folder.write('version', 'tried\n')
    await folder.qanat('run', '--allow_dirty', 'it', 'cat version; false')
    folder.git('checkout', '--quiet', 'version')
    const { stderr } = await folder.qanat('run_retry', '1')
    expect(stderr).toMatch(
      /this retry runs the code of commit \w{7} with its uncommitted changes: version has changed since run 1\n/,
    )
    expect(folder.read('results/it/run_1/stdout.txt')).toBe('tried\n')
  })

  test('runs the recorded commit, whatever the tree is now, and says what has changed since', async () => {
    const folder = await shellProject()
    folder.write('version', 'old\n')
    folder.commit()
    await folder.qanat('run', 'it', `cat version; ${needs('fixed')}`)
    expect((await folder.qanat('run_retry', 'it', '1')).stderr).not.toContain('Warning')
    folder.write('version', 'new\n')
    folder.commit()
    folder.write('.qanat/fixed', '')
    const { stderr, code } = await folder.qanat('run_retry', 'it', '1')
    expect(code).toBe(0)
    expect(
      stderr,
    ).toContain(`Warning: this retry runs the code of commit ${(await folder.show(1)).commit_sha.slice(0, 7)}: version has changed since run 1
qanat run it …        runs the code as it is now
`)
    expect(folder.read('results/it/run_1/stdout.txt')).toBe('old\ntried\n')
    expect(folder.read('results/it/run_1/.run/attempts/1/stdout.txt')).toBe('old\ntried\n')
    expect(folder.has('results/it/run_1/info.yaml')).toBe(true)
  })

  test('with --resume leaves the files of the groups where they are', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'echo step >>"$3/checkpoint"; echo out; [ "$(wc -l <"$3/checkpoint")" -ge 2 ]')
    expect((await folder.qanat('run_retry', 'it', '1', '--resume')).code).toBe(0)
    expect(folder.read('results/it/run_1/checkpoint')).toBe('step\nstep\n')
    expect(folder.read('results/it/run_1/stdout.txt')).toBe('out\n')
    expect(folder.read('results/it/run_1/.run/attempts/1/stdout.txt')).toBe('out\n')
  })

  test('takes only groups with the named causes, and lists the states if there are none', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', ...groups('exit 3', 'kill -9 $$', 'true'))
    await folder.qanat('run_retry', 'it', '1', '--only', 'signal')
    expect(await states(folder)).toEqual([
      ['failed', 1],
      ['failed', 2],
      ['finished', 1],
    ])
    const nothing = await folder.qanat('run_retry', 'it', '1', '--only', 'oom,lost')
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('1 finished, 2 failed')])
    const unknown = await folder.qanat('run_retry', 'it', '1', '--only', 'sadness')
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('--only sadness')])
  })

  test('can use another template, and refuses a missing one without changing anything', async () => {
    const folder = await shellProject()
    await folder.qanat('config', 'set', 'local.loud.env.VOLUME', 'high')
    await folder.qanat('run', 'it', 'echo "$VOLUME"; [ "$VOLUME" = high ]')
    const missing = await folder.qanat('run_retry', 'it', '1', '--submit_template', 'silent')
    expect(missing.code).toBe(2)
    expect(folder.read('results/it/run_1/stdout.txt')).toBe('\n')
    expect(await states(folder)).toEqual([['failed', 1]])
    expect((await folder.qanat('run_retry', 'it', '1', '--submit_template', 'loud')).code).toBe(0)
    expect(folder.read('results/it/run_1/stdout.txt')).toBe('high\n')
    const { stdout } = await folder.qanat('run_show', 'it', '1')
    expect(stdout).toMatch(/Launched again: .*, 1 group, template loud/)
    expect(stdout).toMatch(/^Group +Status +Cause +Attempt/m)
    expect((await folder.qanat('rerun', 'it', '1')).code).toBe(0)
    expect(folder.read('results/it/run_2/stdout.txt')).toBe('high\n')
  })

  test('continues a run that was cancelled, and one whose supervisor was killed', async () => {
    const folder = await shellProject()
    await folder.qanat('run', '--detach', 'it', ...groups(awaits('end'), awaits('end')))
    await folder.whenStatus(1, 'running')
    await folder.qanat('run_cancel', 'it', '1')
    expect((await folder.show(1)).groups.cancelled).toBe(2)
    const retry = folder.qanat('run_retry', 'it', '1')
    await folder.whenStatus(1, 'running')
    await folder.shell(`kill -9 $(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' results/it/run_1/.run/launch_2/supervisor.json)`)
    open(folder, 'end')
    await retry
    await folder.whenStatus(1, 'lost')
    const again = await folder.qanat('run_retry', 'it', '1')
    expect(again.code).toBe(0)
    expect((await folder.show(1)).groups.finished).toBe(2)
  })

  test('leaves live groups alone', async () => {
    const folder = await shellProject()
    await folder.qanat(
      'run',
      '--detach',
      '--n_threads',
      '2',
      'it',
      ...groups(`echo a; ${awaits('end')}`, needs('fixed')),
    )
    await folder.when(1, ({ groups }) => groups.failed === 1)
    folder.write('.qanat/fixed', '')
    await folder.qanat('run_retry', '--detach', 'it', '1')
    await folder.when(1, ({ groups }) => groups.finished === 1)
    expect(await states(folder)).toEqual([
      ['running', 1],
      ['finished', 2],
    ])
    open(folder, 'end')
    await folder.whenStatus(1, 'finished')
    expect(folder.read('results/it/run_1/group_0/stdout.txt')).toBe('a\n')
  })

  test('says that more groups than --n_threads may run at a time, if it does not wait for live ones', async () => {
    const folder = await shellProject()
    await folder.qanat('run', '--detach', '--n_threads', '1', 'it', ...groups('exit 3', awaits('end')))
    await folder.when(1, ({ groups }) => groups.failed === 1 && groups.running === 1)
    const { stderr } = await folder.qanat('run_retry', '--detach', '1')
    expect(stderr).toContain('the retry does not wait for the 1 live group of run 1: up to 2 run at a time, not 1\n')
    expect(stderr).toContain('qanat run_wait 1 ')
    open(folder, 'end')
    await folder.whenStatus(1, 'failed')
  })

  test.skipIf(isBound)('leaves a run on another host alone', async () => {
    const folder = await shellProject()
    await folder.qanat('run', '--detach', '--n_threads', '2', 'it', ...groups(awaits('end'), 'exit 3'))
    await folder.when(1, ({ groups }) => groups.failed === 1)
    const there = await folder.shell(`${elsewhere} "${process.execPath}" "${program}" run_retry it 1`)
    expect([there.code, there.stderr]).toEqual([
      1,
      expect.stringMatching(/groups of run 1 live on .*\n.*retry it there/),
    ])
    expect(await states(folder)).toEqual([
      ['running', 1],
      ['failed', 1],
    ])
    open(folder, 'end')
    await folder.whenStatus(1, 'failed')
    const over = await folder.shell(`${elsewhere} "${process.execPath}" "${program}" run_retry it 1`)
    expect(over.code).toBe(1)
    expect(await states(folder)).toContainEqual(['failed', 2])
  })
})
