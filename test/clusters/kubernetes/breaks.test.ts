import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { groups, until } from '../../e2e/project.js'
import { saysAndAwaits } from '../lifecycle-project.js'
import { isReady, killServer, kubeconfig, restartServer } from './cluster.js'
import { begun, image, noCluster, podProject, script, upTo, withDesk } from './project.js'

describe.skipIf(noCluster)('a cluster', () => {
  const desk = withDesk()
  const make = () => podProject(desk(), script, `kubernetes: {default: {${image}}}\n`)

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

  test('whose login has expired says so wherever it is asked, with what to do, and changes nothing', async () => {
    const it = await make()
    await it.launch('kubernetes', '--n_threads', '1', 'it', ...groups(saysAndAwaits('end')))
    await it.begun()
    await it.when(1, ({ groups: { running } }) => running === 1)
    const config = it.path('..', 'expired.yaml')
    writeFileSync(config, readFileSync(kubeconfig(), 'utf8').replace('researcher-token', 'expired'))
    const expired = it.with({ KUBECONFIG: config })
    const shown = await expired.qanat('runs', '--refresh')
    expect([shown.stdout, shown.stderr]).toEqual([
      expect.stringContaining('running'),
      expect.stringMatching(/^Warning: lab cannot be asked, .*must be logged in.*log in as your cluster asks.*\n$/),
    ])
    // kubectl says it in other words where it has not asked this server before.
    const refused = /(must be logged in|to provide credentials).*\n +log in as your cluster asks/
    for (const words of [
      ['run', 'it', 'true'],
      ['run_cancel', '1'],
      ['run_fetch', '1'],
    ]) {
      const { code, stderr } = await expired.qanat(...words)
      expect([code, stderr]).toEqual([4, expect.stringMatching(refused)])
    }
    expect((await expired.qanat('why', '1.0')).stdout).toContain('cannot be asked: kubectl: You must be logged in')
    it.open('end')
    await it.whenStatus(1, 'finished')
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
