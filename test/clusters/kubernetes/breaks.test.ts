import { describe, expect, onTestFinished, test } from 'vitest'
import { groups, until } from '../../e2e/project.js'
import { saysAndAwaits } from '../lifecycle-project.js'
import { isReady, killServer, objects, restartServer, withObject } from './cluster.js'
import { begun, image, noCluster, podProject, script, upTo, withDesk } from './project.js'

/** A quota of the namespace, for the time of a test. */
function withQuota(hard: string): void {
  const yaml = `{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: ${hard}}}`
  onTestFinished(withObject('resourcequota', 'q', yaml))
}

describe.skipIf(noCluster)('a cluster', () => {
  const desk = withDesk()
  const make = () => podProject(desk(), script, `kubernetes: {default: {${image}}}\n`)

  test('whose quota allows fewer jobs has fewer pods, which take all groups', async () => {
    const it = await make()
    await until(() => objects('jobs').length === 0)
    withQuota('{count/jobs.batch: "2"}')
    await until(
      async () => {
        const { stderr } = await it.qanat('run', '--wait', '--n_threads', '4', 'it', 'true', '-R', '--seed 0 6 1')
        // The quota is not counted at once.
        return stderr
      },
      stderr => stderr.includes('allows 2 of 4 jobs'),
    )
    const { runs } = await it.json('runs', '--json')
    expect(runs.map(({ status }: { status: string }) => status)).toEqual(runs.map(() => 'finished'))
    const times = runs.length
    expect(begun(it)).toEqual(upTo(6).flatMap(index => Array(times).fill(index)))
  })

  test('whose quota allows no pod refuses the launch, and nothing is left', async () => {
    const it = await make()
    await until(() => objects('pods').length === 0)
    withQuota('{pods: "0"}')
    const refused = () => it.qanat('run', 'it', 'true')
    const { stderr } = await until(refused, ({ code }) => code === 4)
    expect(stderr).toContain('exceeded quota: q')
  })

  test('whose API server is away loses nothing: states stay, a launch and a cancel are refused', async () => {
    const it = await make()
    await it.launch(
      'kubernetes',
      '--n_threads',
      '2',
      'it',
      ...groups(saysAndAwaits('end'), saysAndAwaits('end'), 'true'),
    )
    await it.begun(2)
    await it.when(1, ({ groups: { running } }) => running === 2)
    killServer('kube-apiserver')
    const shown = await it.qanat('runs', '--refresh')
    expect(shown.stderr).toContain('are shown as they were before')
    expect(shown.stdout).toContain('running')
    expect((await it.qanat('run', 'it', 'true')).code).toBe(4)
    expect((await it.qanat('run_cancel', '1')).code).toBe(4)
    it.open('end')
    restartServer('kube-apiserver')
    await until(isReady)
    const { groups: counts } = await it.whenStatus(1, 'finished')
    expect([counts.finished, begun(it)]).toEqual([3, upTo(3)])
  })

  test('whose kubelet is away for a while loses nothing', async () => {
    const it = await make()
    await it.launch('kubernetes', '--n_threads', '1', 'it', ...groups(saysAndAwaits('end'), 'true'))
    await it.begun()
    killServer('kubelet')
    it.open('end')
    restartServer('kubelet')
    const { groups: counts } = await it.whenStatus(1, 'finished')
    expect([counts.finished, begun(it)]).toEqual([2, upTo(2)])
  })
})
