import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { groups, until } from '../../e2e/project.js'
import { openTerminal } from '../../e2e/terminal.js'
import { kube, kubectl, objects } from './cluster.js'
import { image, noCluster, otherKubectl, podProject, upTo, withDesk } from './project.js'

/** A group that waits until its pod is told to go on. */
const waits = 'echo begun; while [ ! -e /tmp/goes_on ]; do sleep 0.2; done'

/** The pods of runs. */
const pods = () => objects('pods', '-l', 'qanat-run')

/** Lets groups that wait go on. */
function goOn(): void {
  const running = objects('pods', '-l', 'qanat-run', '--field-selector', 'status.phase=Running')
  for (const pod of running) kubectl('exec', pod, '--', 'touch', '/tmp/goes_on')
}

describe.skipIf(noCluster)('a namespace without a claim', () => {
  const desk = withDesk(null, 'log')
  const make = (settings = '', keys = '') =>
    podProject(
      desk(),
      'echo "$QANAT_GROUP_INDEX"\neval "$1"\n',
      `${keys}kubernetes: {default: {${image}${settings}}}\n`,
    )

  test('runs groups by the logs of pods: files and ends come back, it says what may not, and nothing stays', async () => {
    const it = await make()
    const writes =
      'cp "$0" "$QANAT_STORAGE_PATH/copy"; mkdir "$QANAT_STORAGE_PATH/a b"; printf "\\0\\377" >"$QANAT_STORAGE_PATH/a b/x"'
    const { code, stderr } = await it.qanat(
      'run',
      '--wait',
      '--n_threads',
      '2',
      'it',
      ...groups(writes, 'exit 3', 'true'),
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('at most 5 MB come back')])
    const { group_list } = await it.show(1)
    expect(group_list.map(({ status, exit_code }) => [status, exit_code])).toEqual([
      ['finished', 0],
      ['failed', 3],
      ['finished', 0],
    ])
    expect(upTo(3).map(index => it.read(`results/it/run_1/group_${index}/stdout.txt`))).toEqual(['0\n', '1\n', '2\n'])
    expect(it.read('results/it/run_1/group_0/copy')).toBe(readFileSync(it.path('it.sh'), 'utf8'))
    expect(it.read('results/it/run_1/group_0/a b/x')).toHaveLength(2)
    await until(() => objects('jobs,pods').length === 0)
    await until(() => objects('configmaps', '-l', 'qanat-run').length === 0)
  })

  test('runs groups in an image that has nothing but busybox', async () => {
    const it = await podProject(
      desk(),
      'eval "$1"\n',
      'kubernetes: {default: {image: "localhost/small:1", pull: Never}}\n',
    )
    const fills = 'head -c 9000000 /dev/zero >"$QANAT_STORAGE_PATH/more"; echo said'
    await it.qanat('run', '--wait', '--n_threads', '1', 'it', ...groups('echo x >"$QANAT_STORAGE_PATH/x"', fills))
    expect((await it.show(1)).status).toBe('finished')
    expect([it.read('results/it/run_1/group_0/x'), it.read('results/it/run_1/group_1/stdout.txt')]).toEqual([
      'x\n',
      'said\n',
    ])
  })

  test('300 groups in 8 pods: none is lost, and none runs twice', async () => {
    const it = await make()
    const run = await it.qanat('run', '--n_threads', '8', '--wait', 'it', 'true', '-R', '--seed 0 300 1')
    expect(run.code).toBe(0)
    expect((await it.show(1)).groups).toMatchObject({ total: 300, finished: 300 })
    expect(upTo(300).map(index => it.read(`results/it/run_1/group_${index}/stdout.txt`))).toEqual(
      upTo(300).map(index => `${index}\n`),
    )
  })

  test('a pod ends before its log is full, and the next command makes one for what is left', async () => {
    const it = await make()
    const large = 'head -c 3000000 /dev/urandom >"$QANAT_STORAGE_PATH/x"; sha256sum <"$QANAT_STORAGE_PATH/x"'
    await it.launch('kubernetes', '--n_threads', '1', 'it', ...groups(large, large, large))
    await it.whenStatus(1, 'finished')
    expect(objects('jobs', '-l', 'qanat-run').length).toBeLessThanOrEqual(3)
    expect((await it.qanat('run_fetch', '1')).code).toBe(0)
    for (const index of upTo(3)) {
      const { stdout } = await it.command('sh', '-c', `sha256sum <results/it/run_1/group_${index}/x`)
      expect(it.read(`results/it/run_1/group_${index}/stdout.txt`)).toBe(`${index}\n${stdout}`)
    }
  })

  test('a later pod of which kubectl has not told runs its groups once', async () => {
    const it = await make()
    const large = 'head -c 4500000 /dev/urandom >"$QANAT_STORAGE_PATH/x"'
    // Once, the server makes the jobs of a second submission, and kubectl dies before it says so.
    const dies = `case " $* " in *kubernetes_1.json*) [ -e "\${0%/*}/dead" ] || {
  touch "\${0%/*}/dead"; "${kube}/usr/local/bin/kubectl" "$@" >/dev/null; kill -KILL $$
} ;; esac`
    const there = it.with(otherKubectl(desk(), dies))
    await there.launch('kubernetes', '--n_threads', '1', 'it', ...groups(large, large, waits))
    await there.when(1, ({ groups: { finished } }) => finished === 2)
    await there.when(1, ({ groups: { running } }) => running === 1)
    const shares = 'jsonpath={.items[*].spec.template.metadata.annotations.qanat-groups}'
    expect(kubectl('get', 'jobs', '-l', 'qanat-run', '-o', shares)).toBe('0 1 2 1 2 2')
    goOn()
    await there.whenStatus(1, 'finished')
  })

  test.each(['later-claimed', 'submission-end'] as const)(
    'a look that is killed at %s while it makes a later pod is followed by one that does',
    async point => {
      const it = await make()
      const large = 'head -c 4500000 /dev/urandom >"$QANAT_STORAGE_PATH/x"'
      await it.launch('kubernetes', '--n_threads', '1', 'it', ...groups(large, 'true', 'true'))
      const [job] = objects('jobs', '-l', 'qanat-run')
      kubectl('wait', '--for=condition=Complete', job!, '--timeout=300s')
      await until(
        () => it.killedAt(point, 'runs', '--refresh'),
        ({ code }) => code === null,
      )
      await it.whenStatus(1, 'finished')
      expect(upTo(3).map(index => it.read(`results/it/run_1/group_${index}/stdout.txt`))).toEqual(
        upTo(3).map(index => `${index}\n`),
      )
    },
  )

  test('outputs that are too large make a group incomplete; other large files stay there', async () => {
    const it = await make()
    writeFileSync(it.path('it.yaml'), 'name: it\nexecutable: it.sh\nexecutable_command: sh\noutputs: [out]\n')
    await it.commit('outputs')
    const fills = (name: string) => `head -c 9000000 /dev/zero >"$QANAT_STORAGE_PATH/${name}"`
    await it.qanat(
      'run',
      '--wait',
      '--n_threads',
      '1',
      'it',
      ...groups(fills('out'), `${fills('more')}; echo 1 >"$QANAT_STORAGE_PATH/out"`),
    )
    const { group_list } = await it.show(1)
    expect(group_list.map(({ cause }) => cause)).toEqual(['incomplete', null])
    expect(it.read('results/it/run_1/group_0/stderr.txt')).toContain('more than 5 MB')
    expect([it.read('results/it/run_1/group_1/out'), it.read('results/it/run_1/group_1/more')]).toEqual(['1\n', ''])
  })

  test('a pod that somebody deletes takes along what was not read: that is lost, and a retry runs it', async () => {
    const it = await make()
    await it.launch('kubernetes', '--n_threads', '1', 'it', ...groups('true', waits, 'true'))
    await it.when(1, ({ groups: { finished, running } }) => finished === 1 && running === 1)
    kubectl('delete', pods()[0]!, '--grace-period=0', '--force')
    const { group_list } = await it.when(1, ({ groups: { pending, running } }) => pending! + running! === 0)
    expect(group_list.map(({ status }) => status)).toEqual(['finished', 'lost', 'lost'])
    await it.launch('kubernetes', 'it', 'true')
    await it.whenStatus(2, 'finished')
  })

  test('a group that passes its memory has the cause oom, and the others finish', async () => {
    const it = await make(', resources: {memory: 64M}')
    const eats = `exec python3 -c 'x = bytearray(300 << 20); print(len(x))'`
    await it.qanat('run', '--n_threads', '1', '--wait', 'it', ...groups('true', eats, 'true'))
    const { group_list } = await it.show(1)
    expect(group_list.map(({ status, cause }) => [status, cause])).toEqual([
      ['finished', null],
      ['failed', 'oom'],
      ['finished', null],
    ])
    await it.qanat('run_retry', '1', '--only', 'oom', '--wait')
    expect((await it.show(1)).group_list.map(({ status }) => status)).toEqual(['finished', 'failed', 'finished'])
  })

  test('cancelling keeps what has finished', async () => {
    const it = await make()
    await it.launch('kubernetes', '--n_threads', '1', 'it', ...groups('true', waits, 'true'))
    await it.when(1, ({ groups: { running } }) => running === 1)
    expect((await it.qanat('run_cancel', '1')).code).toBe(0)
    await it.whenStatus(1, 'cancelled')
    expect((await it.show(1)).group_list.map(({ status }) => status)).toEqual(['finished', 'cancelled', 'cancelled'])
  })

  test('a shell is refused, with what opens a plain one', async () => {
    const it = await make()
    await it.launch('kubernetes', 'it', waits)
    await it.whenStatus(1, 'running')
    const sit = async (...words: string[]) => {
      const terminal = openTerminal({ path: it.folder, environment: it.environment }, 'shell', '1.0', ...words)
      return { code: await terminal.ended, shown: terminal.shown() }
    }
    expect(await sit()).toEqual({ code: 2, shown: expect.stringContaining('results: volume or node') })
    const plain = `kubectl --namespace lab exec -it ${pods()[0]!.slice('pod/'.length)} -- sh `
    expect(await sit('--inside')).toEqual({ code: 2, shown: expect.stringContaining(plain) })
    goOn()
    await it.whenStatus(1, 'finished')
  })

  test('code that is too large is refused, and nothing is left', async () => {
    const other = await make()
    await other.command('sh', '-c', 'head -c 12000000 /dev/urandom >large')
    await other.commit('large')
    const { code, stderr } = await other.qanat('run', 'it', 'true')
    expect([code, stderr]).toEqual([2, expect.stringContaining('without a volume it may have at most 10 MB')])
    expect(objects('jobs,configmaps', '-l', 'qanat-run')).toEqual([])
    expect((await other.json('runs', '--json')).runs).toEqual([])
  })

  test.each(['run-files', 'submission-begin'] as const)(
    'a launch that is killed at %s has run nothing',
    async point => {
      const it = await make()
      expect((await it.killedAt(point, 'run', '--detach', 'it', 'true', '-R', '--seed 0 4 1')).code).toBe(null)
      await it.whenStatus(1, 'lost')
      await it.qanat('run_retry', '1', '--wait')
      expect((await it.show(1)).status).toBe('finished')
    },
  )

  test.each(['submission-end', 'handle-known', 'handle-stored', 'launch-submitted'] as const)(
    'a launch that is killed at %s is found again, with its code',
    async point => {
      const it = await make()
      expect((await it.killedAt(point, 'run', '--detach', 'it', 'true', '-R', '--seed 0 4 1')).code).toBe(null)
      await it.whenStatus(1, 'finished')
    },
  )

  test('a file of a group that waits comes once it has ended, and groups that run are known', async () => {
    const it = await make()
    await it.launch('kubernetes', '--n_threads', '2', 'it', ...groups(waits, waits))
    await it.when(1, ({ groups: { running } }) => running === 2)
    goOn()
    await it.whenStatus(1, 'finished')
    expect(it.read('results/it/run_1/group_1/stdout.txt')).toBe('1\nbegun\n')
  })
})
