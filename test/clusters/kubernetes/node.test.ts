import { describe, expect, test } from 'vitest'
import { groups } from '../../e2e/project.js'
import { saysAndAwaits } from '../lifecycle-project.js'
import { couriers, kubectl } from './cluster.js'
import { begun, image, noCluster, podProject, script, upTo, withDesk } from './project.js'

describe.skipIf(noCluster)('a claim for one node', () => {
  const desk = withDesk('single', 'node')
  const make = (settings = '') => podProject(desk(), script, `kubernetes: {default: {${image}${settings}}}\n`)

  test('is made as such, and all pods are beside those that use it', async () => {
    const it = await make()
    expect(kubectl('get', 'pvc', 'single', '-o', 'jsonpath={.spec.accessModes}')).toBe('["ReadWriteOnce"]')
    await it.launch('kubernetes', '--n_threads', '2', 'it', ...groups(saysAndAwaits('end'), saysAndAwaits('end')))
    await it.begun(2)
    const label = kubectl('get', 'pods', '-l', 'qanat-claim=single,qanat-run', '-o', 'name').trim().split('\n')
    expect(label).toHaveLength(2)
    it.open('end')
    await it.whenStatus(1, 'finished')
    expect(begun(it)).toEqual(upTo(2))
  })

  test('is left alone while pods wait for a node, so that they may choose it', async () => {
    const it = await make(', pod: {nodeSelector: {disk: none}}')
    await it.launch('kubernetes', 'it', 'true')
    const before = couriers()
    const { stdout } = await it.qanat('runs', '--refresh')
    expect(stdout).toContain('pending')
    expect(before).toEqual(expect.arrayContaining(couriers()))
    expect((await it.qanat('run_cancel', '1')).code).toBe(0)
    await it.whenStatus(1, 'cancelled')
  })
})

describe.skipIf(noCluster)('a claim for one node, of a context for all nodes', () => {
  const desk = withDesk('single')

  test('is refused with what to write, and no courier stays', async () => {
    const before = couriers().map(name => name.slice('pod/'.length))
    const made = podProject(desk(), script, `kubernetes: {default: {${image}}}\n`)
    await expect(made).rejects.toThrow("add 'results: node' to the context")
    // Those that are being removed are listed, too.
    const path = 'jsonpath={range .items[*]}{.metadata.name} {.metadata.deletionTimestamp}{"\\n"}{end}'
    const left = kubectl('get', 'pods', '-l', 'qanat-courier', '-o', path).split('\n')
    expect(left.filter(line => line.endsWith(' ') && !before.some(name => line.startsWith(name)))).toEqual([])
  })
})
