import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { localShells } from '../domain/text/shells.js'
import { until } from '../e2e/project.js'
import { folderWith } from '../project/temporary.js'
import { tells, Worker } from './worker.js'

describe.each(localShells)('a worker, run by %s', shell => {
  test('answers when a group has ended', async () => {
    const go = folderWith()
    const script = `${tells('group')}while [ ! -e '${go}/on' ]; do sleep 0.01; done`
    const worker = new Worker(shell, { script, groups: [[], []] })
    worker.give(0)
    await worker.process('group')
    expect(worker.stdout).toBe('')
    mkdirSync(join(go, 'on'))
    await until(() => worker.stdout === '\n')
    expect(worker.endOf(0)).toMatchObject({ code: 0 })
    worker.give(1)
    await until(() => worker.stdout === '\n\n')
    await worker.end()
  })

  test('runs only groups that no other worker has claimed', async () => {
    const groups = Array.from({ length: 30 }, () => [])
    const worker = new Worker(shell, { script: 'echo ran', groups })
    for (const index of groups.keys()) mkdirSync(worker.path(`group_${index}`))
    const others = [1, 2].map(slot => new Worker(shell, worker.plan, slot))
    await Promise.all([worker, ...others].map(each => each.runAll()))
    for (const index of groups.keys()) {
      expect(worker.read(`group_${index}`, 'stdout.txt')).toBe('ran\n')
      expect(worker.endOf(index)).toMatchObject({ code: 0, outcome: 'exit' })
    }
  })

  // With any other code it counts as killed, and the group that it was given last is given to its successor.
  test('exits with code 0, however its groups ended, and whoever ran them', async () => {
    const worker = new Worker(shell, { script: 'exit 3' })
    expect(await worker.runAll()).toBe(0)
    const late = new Worker(shell, worker.plan, 1)
    expect(await late.runAll()).toBe(0)
    expect(worker.read('.run/records/slot_1')).toBeNull()
  })

  test('starts no group after it was told to end', async () => {
    const worker = new Worker(shell, { script: 'echo ran', groups: [[], []] })
    worker.give(0)
    await until(() => worker.stdout === '\n')
    worker.signal('SIGTERM')
    worker.give(1)
    await worker.end()
    expect(worker.read('group_1/stdout.txt')).toBeNull()
  })
})
