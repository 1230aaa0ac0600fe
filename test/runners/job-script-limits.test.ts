import { describe, expect, test } from 'vitest'
import { localShells } from '../domain/text/shells.js'
import { expectEnded, tells, Worker } from './worker.js'

const forever = 'while :; do sleep 0.05; done'
/** The first group runs until it is ended, the others end at once. */
const script = `[ "$1" != wait ] || { ${tells('group')}${forever}; }`
const groups = [['wait'], ['go'], ['go']]

describe.each(localShells)('a limit, kept by %s', shell => {
  test.each([
    ['SIGURG', { outcome: 'timeout', code: 143 }],
    ['SIGXCPU', { outcome: 'oom', code: 137 }],
  ] as const)('ends its group, which is recorded, and no other group: %s', async (signal, end) => {
    const worker = new Worker(shell, { script, groups })
    worker.give(0)
    const pid = await worker.process('group')
    worker.signal(signal)
    await expectEnded(pid)
    for (const index of [1, 2]) worker.give(index)
    expect(await worker.end()).toBe(0)
    expect([0, 1, 2].map(index => worker.endOf(index))).toMatchObject([end, { outcome: 'exit', code: 0 }, { code: 0 }])
  })

  test('of memory also ends a script that ignores SIGTERM', async () => {
    const worker = new Worker(shell, { script: `trap '' TERM; ${script}`, groups })
    worker.give(0)
    await worker.process('group')
    worker.signal('SIGXCPU')
    await worker.end()
    expect(worker.endOf(0)).toMatchObject({ outcome: 'oom', code: 137 })
  })

  test.each([
    ['SIGURG', 'timeout'],
    ['SIGXCPU', 'oom'],
  ] as const)('leaves time for the teardown: %s', async (signal, outcome) => {
    const environment = { teardown: 'echo over >"$QANAT_STORAGE_PATH/teardown.txt"' }
    const worker = new Worker(shell, { script, groups, environment })
    worker.give(0)
    await worker.process('group')
    worker.signal(signal)
    worker.give(1)
    await worker.end()
    expect(worker.endOf(0)).toMatchObject({ outcome })
    expect(worker.endOf(1)).toMatchObject({ outcome: 'exit', code: 0 })
    expect(worker.read('group_0/teardown.txt')).toBe('over\n')
  })
})
