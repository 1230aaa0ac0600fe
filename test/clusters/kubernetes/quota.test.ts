import { describe, expect, onTestFinished, test } from 'vitest'
import { groups, until } from '../../e2e/project.js'
import { openTerminal } from '../../e2e/terminal.js'
import { saysAndAwaits } from '../lifecycle-project.js'
import { kubectl, objects, withObject } from './cluster.js'
import { begun, image, noCluster, otherKubectl, podProject, script, upTo, withDesk } from './project.js'

/** A quota of the namespace, for the time of a test; resolves once it is counted. */
async function withQuota(hard: string): Promise<void> {
  await until(() => objects('jobs,pods').length === 0)
  const yaml = `{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: ${hard}}}`
  onTestFinished(withObject('resourcequota', 'q', yaml))
  await until(() => kubectl('get', 'resourcequota', 'q', '-o', 'jsonpath={.status.used}') !== '')
}

const numbers = 'the quota q has 2 of 2 jobs (count/jobs.batch)'

describe.skipIf(noCluster)('a quota', () => {
  const desk = withDesk()
  const make = (settings = '') => podProject(desk(), script, `kubernetes: {default: {${image}${settings}}}\n`)

  test('that allows one job has all pods in it, of which each is replaced that dies', async () => {
    const it = await make()
    await withQuota('{count/jobs.batch: "1"}')
    const waits = saysAndAwaits('end')
    const launched = await it.qanat(
      'run',
      '--detach',
      '--n_threads',
      '3',
      'it',
      ...groups(waits, waits, waits, 'true', 'true'),
    )
    expect([launched.code, launched.stderr]).toEqual([0, ''])
    await it.begun(3)
    expect([objects('jobs').length, objects('pods', '-l', 'qanat-run').length]).toEqual([1, 3])
    kubectl('delete', objects('pods', '-l', 'qanat-run')[0]!)
    it.open('end')
    const { group_list } = await it.when(1, ({ groups: { pending, running } }) => pending! + running! === 0)
    const [died, ...others] = group_list.map(({ status }) => status).sort()
    expect([died, others]).toEqual(['failed', Array(4).fill('finished')])
    expect((await it.qanat('run_retry', '1', '--wait')).code).toBe(0)
    expect((await it.show(1)).groups).toMatchObject({ finished: 5 })
    await until(() => objects('jobs').length === 0)
  })

  test('that allows one job lets a run be cancelled, and explained', async () => {
    const it = await make()
    await withQuota('{count/jobs.batch: "1"}')
    const never = saysAndAwaits('never')
    await it.launch('kubernetes', '--n_threads', '2', 'it', ...groups(never, never, 'true'))
    await it.begun(2)
    await it.when(1, ({ groups: { running } }) => running === 2)
    expect((await it.qanat('why', '1.2')).stdout).toContain('2 pods take groups one after another')
    expect((await it.qanat('run_cancel', '1')).code).toBe(0)
    await it.whenStatus(1, 'cancelled')
    expect(begun(it)).toEqual([0, 1])
  })

  test('that one may not read leaves the pods that it allows, which take all groups', async () => {
    const it = await make()
    const blind = it.with(otherKubectl(desk(), 'case " $* " in *" resourcequotas,"*) exit 1 ;; esac'))
    await withQuota('{count/jobs.batch: "2"}')
    const { code, stderr } = await blind.qanat('run', '--wait', '--n_threads', '4', 'it', 'true', '-R', '--seed 0 6 1')
    expect([code, stderr]).toEqual([0, expect.stringContaining('has room for 2 of 4 jobs')])
    expect(stderr).toContain(numbers)
    expect(begun(it)).toEqual(upTo(6))
  })

  test('that allows no job refuses the launch with its numbers, and nothing is left', async () => {
    const it = await make()
    await withQuota('{count/jobs.batch: "0"}')
    const { code, stderr } = await it.qanat('run', 'it', 'true')
    expect(code).toBe(4)
    expect(stderr).toContain('the namespace has no room for a job: the quota q has 0 of 0 jobs (count/jobs.batch)')
    expect(stderr).toContain('get jobs')
    expect((await it.json('runs', '--json')).runs).toEqual([])
  })

  test('that allows no pod refuses the launch, and nothing is left', async () => {
    const it = await make()
    await withQuota('{pods: "0"}')
    const { code, stderr } = await it.qanat('run', 'it', 'true')
    expect([code, stderr]).toEqual([4, expect.stringContaining('exceeded quota: q')])
    expect(objects('jobs')).toEqual([])
  })

  test('that demands limits has those of the requests, of the courier and of a shell; without them the launch is refused', async () => {
    const it = await make(', resources: {cpus: 1, memory: 64M}')
    await withQuota('{limits.cpu: "4", requests.cpu: "4", limits.memory: 4Gi, requests.memory: 4Gi}')
    await it.launch('kubernetes', '--n_threads', '1', 'it', ...groups(saysAndAwaits('end')))
    await it.begun()
    const path = 'jsonpath={.items[0].spec.containers[0].resources.limits}'
    expect(JSON.parse(kubectl('get', 'pods', '-l', 'qanat-run', '-o', path))).toEqual({ cpu: '1', memory: '64Mi' })
    it.open('end')
    await it.whenStatus(1, 'finished')
    const shell = openTerminal({ path: it.folder, environment: it.environment }, 'shell', '1.0')
    await until(shell.shown, shown => shown.includes('(qanat)'))
    shell.type('exit 9\r')
    expect(await shell.ended).toBe(9)
    const other = await make(', resources: {memory: 64M}').catch(error => error)
    expect(String(other)).toContain('the quota q of the namespace demands limits.cpu of each pod')
    expect(String(other)).toContain('resources: {cpus: 1}')
  })
})

describe.skipIf(noCluster)('a quota, without a claim', () => {
  const desk = withDesk(null, 'log')
  const make = () => podProject(desk(), 'echo "$QANAT_GROUP_INDEX"\n', `kubernetes: {default: {${image}}}\n`)
  const launch = ['run', '--wait', '--n_threads', '3', 'it', 'true', '-R', '--seed 0 5 1']

  test('that allows fewer jobs has fewer pods, with larger shares', async () => {
    const it = await make()
    await withQuota('{count/jobs.batch: "2"}')
    const { code, stderr } = await it.qanat(...launch)
    expect([code, stderr]).toEqual([0, expect.stringContaining('a quota allows 2 of 3 jobs now')])
    expect(upTo(5).map(index => it.read(`results/it/run_1/group_${index}/stdout.txt`))).toEqual(
      upTo(5).map(index => `${index}\n`),
    )
  })

  test('that one may not read refuses a launch of more jobs, with what to type, and nothing is left', async () => {
    const it = await make()
    const blind = it.with(otherKubectl(desk(), 'case " $* " in *" resourcequotas,"*) exit 1 ;; esac'))
    await withQuota('{count/jobs.batch: "2"}')
    const { code, stderr } = await blind.qanat(...launch)
    expect(code).toBe(4)
    expect(stderr).toContain('has room for 2 of 3 jobs')
    expect(stderr).toContain(numbers)
    expect(stderr).toContain('--n_threads 2')
    expect((await it.json('runs', '--json')).runs).toEqual([])
    await until(() => objects('jobs').length === 0)
  })
})
