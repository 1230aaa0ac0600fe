import { expect, test } from 'vitest'
import { awaits, groups, quote, until } from '../e2e/project.js'
import { type MakeProject, mostAtATime, saysAndAwaits } from './lifecycle-project.js'

/** Words that a shell would like to evaluate. */
const hostile = ['$(touch evil)', 'a b', "it's", '"', '*', '', '-x', 'é☃', '`id`', 'two\nlines']

const shell = 'eval "$1"\n'

/** As `awaits('noted')`. */
const waitsInPython = `import os, time
qanat = os.environ["QANAT_PROJECT"]
while os.path.isdir(qanat + "/.git") and not os.path.exists(qanat + "/.qanat/gate_noted"): time.sleep(0.05)`

/**
 * What every runner does with a run, told once.
 * @param makeProject makes a project where that runner is
 * @param settings of the template, as YAML
 */
export function lifecycle(runner: string, makeProject: MakeProject, settings = ''): void {
  const templates = `${runner}:\n  default: {${settings}}\n`
  const shellProject = (extra = '') => makeProject(shell, templates + extra)
  const launch = (...words: string[]) => ['run', '--runner', runner, '--wait', ...words]

  test('a grid runs to its end, each group with its arguments, and is recorded', async () => {
    const prints = `for word; do printf '<%s>' "$word"; done; echo oops >&2\n`
    const project = await makeProject(prints, templates, "it's a b")
    const { code, stderr } = await project.qanat(...launch('it', '-R', '--seed 0 3 1', '--', ...hostile))
    expect([code, stderr]).toEqual([0, ''])
    const run = await project.show(1)
    expect([run.status, run.groups.finished]).toEqual(['finished', 3])
    for (const { index, status, exit_code, host, started, finished } of run.group_list) {
      const folder = `results/it/run_1/group_${index}`
      const given = [...hostile, '--seed', String(index), '--storage_path', project.there(folder)]
      expect(project.read(folder, 'stdout.txt')).toBe(given.map(word => `<${word}>`).join(''))
      expect(project.read(folder, 'stderr.txt')).toBe('oops\n')
      expect([status, exit_code]).toEqual(['finished', 0])
      expect([host, started, finished].map(value => typeof value)).toEqual(Array(3).fill('string'))
    }
    expect(project.read('evil') + project.read('results/it/run_1/evil')).toBe('')
  })

  test('the environment is recorded once for each host', async () => {
    // A pod needs the image of the default template; a job of several groups would run them one after another.
    const base = runner === 'kubernetes' ? 'extends: default, ' : ''
    const project = await shellProject(`  loaded: {${base}setup: 'export LOADEDMODULES=gcc/12'}\n`)
    // Where no interpreter is seen, it is looked for during a minute.
    const codes = groups(...Array(4).fill(`exec python3 -c ${quote(waitsInPython)}`))
    await project.launch(runner, '--submit_template', 'loaded', '--n_threads', '4', 'it', ...codes)
    const { group_list } = await project.when(1, run => run.group_list.every(({ host }) => host !== null))
    const hosts = [...new Set(group_list.map(({ host }) => host))].sort()
    // A job that ends does not wait long for it.
    const { environments } = await until(
      () => project.json('env', 'show', '1', '--json'),
      ({ environments: all = [] }) => {
        const places = all.flatMap((environment: any) => environment.places.map(({ host }: any) => host))
        return places.sort().join() === hosts.join() && all.every(({ partial }: any) => partial === false)
      },
    )
    for (const { modules, interpreter } of environments) {
      expect([modules, interpreter.version]).toEqual([{ gcc: '12' }, expect.stringMatching(/^Python 3\./)])
    }
    project.open('noted')
    await project.whenStatus(1, 'finished')
  })

  test('a group that fails has a cause, and the command that waited exits with 1', async () => {
    const project = await shellProject()
    const codes = groups('echo no such file >&2; exit 3', 'kill -9 $$', 'exit 0')
    const { code, stdout } = await project.qanat(...launch('it', ...codes))
    expect([code, stdout]).toEqual([1, expect.stringContaining('no such file')])
    const { group_list } = await project.show(1)
    expect(group_list.map(({ status, cause, exit_code }) => [status, cause, exit_code])).toEqual([
      ['failed', 'exit', 3],
      ['failed', 'signal', 137],
      ['finished', null, 0],
    ])
    const logs = await project.qanat('run_logs', 'it', '1', '--group', '0', '--stderr')
    expect(logs.stdout).toBe('no such file\n')
  })

  test('--max_failures starts no more groups once so many have failed, and a retry takes up the others', async () => {
    const project = await shellProject()
    const fails = groups(...Array.from({ length: 4 }, (_, at) => `echo ${at} >>"$QANAT_PROJECT/ran"; exit 3`))
    const { code, stdout } = await project.qanat(...launch('--max_failures', '1', '--n_threads', '1', 'it', ...fails))
    expect([code, stdout]).toEqual([1, expect.stringContaining('stopped early')])
    expect((await project.show(1)).groups).toMatchObject({ total: 4, failed: 1, cancelled: 3 })
    expect(project.read('ran')).toMatch(/^\d\n$/)
    await project.qanat('run_retry', 'it', '1', '--only', 'cancelled', '--wait')
    expect((await project.show(1)).groups).toMatchObject({ failed: 4, cancelled: 0 })
  })

  test('a failing setup is a failed launch, and the script is not run', async () => {
    const project = await shellProject('  broken: {extends: default, setup: exit 7}\n')
    await project.qanat(...launch('--submit_template', 'broken', 'it', 'touch "$QANAT_PROJECT/ran"'))
    const { group_list } = await project.show(1)
    expect(group_list).toMatchObject([{ status: 'failed', cause: 'launch' }])
    expect((await project.command('ls')).stdout).not.toContain('ran')
  })

  test('a group gets everything from its template: variables, setup, teardown, scratch, a launcher', async () => {
    const project = await shellProject(`  full:
    extends: default
    env: {COLOUR: "red $QANAT_RUN_ID"}
    setup: export SHADE=dark
    teardown: echo "after $QANAT_GROUP_INDEX" >>"$QANAT_PROJECT/after"
    scratch: true
    launcher: env LAUNCHED=yes
`)
    const script = 'echo "$COLOUR|$SHADE|$LAUNCHED|$QANAT_RUN_ID"; [ -d "$QANAT_SCRATCH" ] && echo "$QANAT_SCRATCH"'
    await project.qanat(...launch('--submit_template', 'full', 'it', script))
    const [first, scratch] = project.read('results/it/run_1/stdout.txt').split('\n')
    expect(first).toBe('red 1|dark|yes|1')
    expect(project.read('after')).toBe('after 0\n')
    expect((await project.command('ls', scratch!)).code).not.toBe(0)
  })

  test('cancelling ends running and pending groups, with their teardown', async () => {
    const project = await shellProject(
      '  tidy: {extends: default, teardown: \'echo tidied >>"$QANAT_PROJECT/tidied"\'}\n',
    )
    const codes = groups(saysAndAwaits('never'), 'true', 'true')
    await project.launch(runner, '--n_threads', '1', '--submit_template', 'tidy', 'it', ...codes)
    await project.begun()
    const { code, stderr } = await project.qanat('run_cancel', 'it', '1')
    expect([code, stderr]).toEqual([0, ''])
    const run = await project.whenStatus(1, 'cancelled')
    expect(run.groups.cancelled).toBe(3)
    expect(project.read('tidied')).toBe('tidied\n')
    expect((await project.qanat('run_cancel', 'it', '1')).code).toBe(2)
  })

  test('an edit after the launch does not reach a pending group', async () => {
    const project = await makeProject(`echo old; ${awaits('edited')}\n`, templates)
    const commit = (await project.command('git', 'rev-parse', 'HEAD')).stdout.trim()
    await project.launch(runner, '--n_threads', '1', 'it', '-R', '--seed 0 2 1')
    project.write('it.sh', 'echo new\n')
    project.open('edited')
    const run = await project.json('run_show', 'it', '1', '--json')
    expect(run.commit_sha).toBe(commit)
    await project.whenStatus(1, 'finished')
    for (const index of [0, 1]) expect(project.read(`results/it/run_1/group_${index}/stdout.txt`)).toBe('old\n')
  })

  test('at most as many groups run at a time as were asked for', async () => {
    const log = '"$QANAT_PROJECT/.qanat/log"'
    const script = `echo + >>${log}; ${awaits('two')}; sleep 0.3; echo - >>${log}\n`
    const project = await makeProject(script, templates)
    await project.launch(runner, '--n_threads', '2', 'it', '-R', '--seed 0 6 1')
    await until(() => project.read('.qanat/log').startsWith('+\n+\n'))
    await project.when(1, ({ groups: { running } }) => running === 2)
    project.open('two')
    await project.whenStatus(1, 'finished')
    expect(mostAtATime(project.read('.qanat/log'))).toEqual({ most: 2, signs: 12 })
  })

  test('another command can wait for a run, and the lists show its progress', async () => {
    const project = await shellProject()
    const half = 'echo count_total=4 >"$2/progress.txt"; echo 1 >>"$2/progress.txt"'
    await project.launch(runner, 'it', `set -- "$1" "$3"; ${half}; ${saysAndAwaits('end')}`)
    await project.begun()
    await project.whenStatus(1, 'running')
    const { runs } = await project.json('experiment', 'status', 'it', '--json')
    expect(runs).toMatchObject([{ status: 'running', progress: 25, runner }])
    const waiting = project.qanat('run_wait', 'it', '1')
    project.open('end')
    expect((await waiting).code).toBe(0)
    expect((await project.show(1)).status).toBe('finished')
  })

  test('failed groups are retried inside the run, as often as requested', async () => {
    const project = await shellProject()
    const codes = groups('echo fine', 'echo tried; [ -e "$QANAT_PROJECT/.qanat/fixed" ]', 'exit 3')
    await project.qanat(...launch('it', ...codes))
    for (const file of ['not_yet', 'fixed']) {
      project.write(`.qanat/${file}`, '')
      expect((await project.qanat('run_retry', 'it', '1', '--wait')).code).toBe(1)
    }
    const { group_list } = await project.show(1)
    expect(group_list.map(({ status, exit_code, attempt }) => [status, exit_code, attempt])).toEqual([
      ['finished', 0, 1],
      ['finished', 0, 3],
      ['failed', 3, 3],
    ])
    expect(project.read('results/it/run_1/group_1/stdout.txt')).toBe('tried\n')
    expect(project.read('results/it/run_1/.run/attempts/2/group_1/stdout.txt')).toBe('tried\n')
    expect(project.read('results/it/run_1/group_0/stdout.txt')).toBe('fine\n')
  })
}
