import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { adminConfig, kubectl } from './cluster.js'
import { Desk, image, noCluster, podProject } from './project.js'

const template = `kubernetes: {default: {${image}}}\n`

describe.skipIf(noCluster)('a namespace that is not there', () => {
  const desks: Desk[] = []
  const sit = (...words: ConstructorParameters<typeof Desk>) => {
    const desk = new Desk(...words)
    desks.push(desk)
    return desk
  }
  const isThere = (name: string) => kubectl('get', 'namespace', name, '--ignore-not-found', '-o', 'name') !== ''
  afterAll(() => {
    for (const { home } of desks) rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    for (const name of ['fresh-log', 'fresh-volume']) kubectl('delete', 'namespace', name, '--ignore-not-found')
  })

  test('is made by a launch of somebody who may, and not before', async () => {
    const it = await podProject(sit(null, 'log', 'fresh-log', adminConfig()), 'echo x\n', template)
    const { findings } = await it.json('context', 'test', 'lab', '--json')
    const text = 'fresh-log is not there, and will be made'
    expect(findings).toContainEqual({ name: 'namespace', text, advice: null })
    expect(isThere('fresh-log')).toBe(false)
    const { code } = await it.qanat('run', '--wait', 'it', 'true')
    expect([code, it.read('results/it/run_1/stdout.txt'), isThere('fresh-log')]).toEqual([0, 'x\n', true])
  })

  test('is made with the claim of a context, and a courier begins in it', async () => {
    const it = await podProject(sit(null, 'log'), 'true\n', template)
    const fresh = it.with(sit('fresh', 'volume', 'fresh-volume', adminConfig()).environment)
    const { findings } = await fresh.json('context', 'test', 'lab', '--json')
    const advice = findings.filter((each: { advice: string | null }) => each.advice !== null)
    expect([advice, isThere('fresh-volume')]).toEqual([[], true])
  })

  test('is not made for somebody who may not', async () => {
    const it = await podProject(sit(null, 'log'), 'true\n', template)
    const other = it.with(sit(null, 'log', 'fresh-other').environment)
    expect((await other.qanat('context', 'test', 'lab')).stdout).toContain('role edit in the namespace')
    const { code, stderr } = await other.qanat('run', 'it', 'true')
    expect([code, stderr, isThere('fresh-other')]).toEqual([4, expect.stringContaining('you may not make jobs'), false])
  })
})
