import { describe, expect, test } from 'vitest'
import { localShells } from '../domain/text/shells.js'
import { expectEnded } from './job-shell.js'
import { notes, tells } from './run-folder.js'
import { Worker } from './worker.js'

/** The first group runs until it is ended, the others end at once. */
const script = `[ "$1" != wait ] || { ${tells('group')}while :; do sleep 0.05; done; }`
const groups = [['wait'], ['go'], ['go']]

describe.each(localShells)('a limit, kept by %s', shell => {
  test.each([
    ['SIGURG', script, '', { outcome: 'timeout', code: 143 }],
    ['SIGXCPU', script, '', { outcome: 'oom', code: 137 }],
    ['SIGXCPU', `trap '' TERM; ${script}`, '', { outcome: 'oom', code: 137 }],
    ['SIGURG', script, notes('teardown of $QANAT_GROUP_INDEX'), { outcome: 'timeout' }],
    ['SIGXCPU', script, notes('teardown of $QANAT_GROUP_INDEX'), { outcome: 'oom' }],
  ] as const)('ends its group, which is recorded, and no other: %s, %j, %j', async (signal, code, teardown, end) => {
    const worker = new Worker(shell, { script: code, groups, environment: { teardown } })
    const pids = await worker.begin('group')
    process.kill(worker.workers()[0]!.pid, signal)
    await expectEnded(...pids)
    expect(await worker.shell.end()).toBe(0)
    const ended = { outcome: 'exit', code: 0 }
    expect(worker.ends()).toMatchObject([end, ended, ended])
    expect(worker.order()).toEqual(teardown === '' ? [] : [0, 1, 2].map(index => `teardown of ${index}`))
  })
})
