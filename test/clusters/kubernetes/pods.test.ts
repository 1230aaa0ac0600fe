import { describe, expect, test } from 'vitest'
import { groups, until } from '../../e2e/project.js'
import { openTerminal } from '../../e2e/terminal.js'
import { saysAndAwaits } from '../lifecycle-project.js'
import { kubectl, objects, withObject } from './cluster.js'
import { begun, image, noCluster, podProject, script, upTo, withDesk } from './project.js'

describe.skipIf(noCluster)('pods', () => {
  const desk = withDesk()
  const make = (settings = '') => podProject(desk(), script, `kubernetes: {default: {${image}${settings}}}\n`)

  test('300 groups in 8 pods: none is lost, none runs twice, and nothing stays in the cluster', async () => {
    const it = await make()
    const run = await it.qanat('run', '--n_threads', '8', '--wait', 'it', 'true', '-R', '--seed 0 300 1')
    expect([run.code, run.stderr]).toEqual([0, ''])
    expect((await it.show(1)).groups).toMatchObject({ total: 300, finished: 300 })
    expect(begun(it)).toEqual(upTo(300))
    await until(() => objects('jobs,pods').length === 0)
  })

  test('without a number at most ten pods take the groups, which is said', async () => {
    const it = await make()
    const { code, stderr } = await it.qanat('run', '--wait', 'it', 'true', '-R', '--seed 0 12 1')
    expect([code, stderr]).toEqual([0, expect.stringContaining('10 pods take the 12 groups one after another')])
  })

  test('a pod that somebody deletes ends its group; another pod takes the groups that have not begun', async () => {
    const it = await make()
    const codes = groups(saysAndAwaits('never'), 'true', 'true')
    await it.launch('kubernetes', '--n_threads', '1', 'it', ...codes)
    await it.begun()
    const [pod] = objects('pods', '-l', 'qanat-run')
    kubectl('delete', pod!, '--wait=false')
    const { group_list } = await it.when(
      1,
      ({ groups: { finished, failed, lost } }) => finished === 2 && failed! + lost! === 1,
    )
    expect(group_list.map(({ status }) => status).slice(1)).toEqual(['finished', 'finished'])
    expect(group_list[0]).toMatchObject({ status: 'failed', cause: 'signal' })
    expect(begun(it)).toEqual([0, 1, 2])
  })

  test('an image that is not there holds the run, with the reason; it can be cancelled', async () => {
    const it = await podProject(desk(), script, 'kubernetes: {default: {image: localhost/none:1, pull: Never}}\n')
    await it.launch('kubernetes', 'it', 'true')
    const run = await it.whenStatus(1, 'held')
    expect(run.groups.held).toBe(1)
    const { stdout } = await it.qanat('why', '1.0')
    expect(stdout).toContain('ErrImageNeverPull')
    expect((await it.qanat('run_cancel', '1')).code).toBe(0)
    await it.whenStatus(1, 'cancelled')
    expect(begun(it)).toEqual([])
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
    expect(begun(it)).toEqual([0, 1, 2])
    await it.qanat('run_retry', '1', '--only', 'oom', '--wait')
    expect(begun(it)).toEqual([0, 1, 1, 2])
  })

  test('a group has its time, and the next one its own', async () => {
    const it = await make(', resources: {time: "0:03"}')
    await it.qanat('run', '--n_threads', '1', '--wait', 'it', ...groups('sleep 60', 'sleep 1', 'sleep 1', 'sleep 1'))
    const { group_list } = await it.show(1)
    expect(group_list.map(({ cause }) => cause)).toEqual(['timeout', null, null, null])
  })

  test('when somebody has deleted all jobs, what has not begun waits for new pods', async () => {
    const it = await make()
    await it.launch('kubernetes', '--n_threads', '1', 'it', ...groups(saysAndAwaits('never'), 'true', 'true'))
    await it.begun()
    kubectl('delete', 'jobs', '-l', 'qanat-run')
    const run = await it.when(1, ({ groups: { pending, running } }) => pending === 2 && running === 0)
    expect(run.group_list[0]!.status).not.toBe('finished')
    expect((await it.qanat('run_wait', '1', '--yes')).code).toBe(1)
    expect((await it.show(1)).groups).toMatchObject({ finished: 2, pending: 0 })
    expect(begun(it)).toEqual([0, 1, 2])
  })

  test('a large file stays there until it is fetched, and is the same here', async () => {
    const it = await make()
    const makes = 'head -c 20000000 /dev/urandom >"$QANAT_STORAGE_PATH/large"; sha256sum <"$QANAT_STORAGE_PATH/large"'
    await it.qanat('run', '--wait', 'it', makes)
    expect(it.read('results/it/run_1/large')).toBe('')
    expect((await it.qanat('run_fetch', '1')).code).toBe(0)
    const { stdout } = await it.command('sh', '-c', 'sha256sum <results/it/run_1/large')
    expect(stdout).toBe(it.read('results/it/run_1/stdout.txt'))
  })

  test('the output of a group that runs is followed until it ends', async () => {
    const it = await make()
    await it.launch('kubernetes', 'it', `echo first; ${saysAndAwaits('end')}; echo last`)
    await it.begun()
    const follows = openTerminal({ path: it.folder, environment: it.environment }, 'run_logs', '1', '--follow')
    await until(follows.shown, shown => shown.includes('first'))
    it.open('end')
    expect([await follows.ended, follows.shown()]).toEqual([0, expect.stringContaining('last')])
  })

  test('the context shows its claim and the pods that there are', async () => {
    const it = await make()
    await it.launch('kubernetes', '--n_threads', '1', 'it', ...groups(saysAndAwaits('end')))
    await it.begun()
    const [pod] = objects('pods', '-l', 'qanat-run')
    const shown = await it.json('context', 'show', 'lab', '--json')
    expect(shown.claim).toContain('scratch: Bound')
    expect(shown.pods).toContainEqual({ name: pod!.slice('pod/'.length), phase: 'Running' })
    const { stdout } = await it.qanat('context', 'show', 'lab')
    expect(stdout).toContain(`\nClaim ${shown.claim}\n`)
    it.open('end')
    await it.whenStatus(1, 'finished')
  })

  test('the test of the context finds all that runs need, and removes what one that was killed has left', async () => {
    const it = await make()
    const container = '{name: main, image: "localhost/small:1", imagePullPolicy: Never, command: ["true"]}'
    const yaml = `{apiVersion: v1, kind: Pod, metadata: {name: left, labels: {qanat-test: image}},
      spec: {restartPolicy: Never, containers: [${container}]}}`
    withObject('pod', 'left', yaml)
    await until(() => kubectl('get', 'pod', 'left', '-o', 'jsonpath={.status.phase}') === 'Succeeded')
    const { findings } = await it.json('context', 'test', 'lab', '--json')
    expect(findings.filter(({ advice }: { advice: string | null }) => advice !== null)).toEqual([])
    expect(findings.map(({ name }: { name: string }) => name)).toEqual(
      'kubectl server rights claim courier volume clock quota security image'.split(' '),
    )
    await until(() => objects('pods', '-l', 'qanat-test').length === 0)
  })
})
