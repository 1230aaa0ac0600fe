import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { localShells } from '../domain/text/shells.js'
import { until } from '../e2e/project.js'
import { folderWith } from '../project/temporary.js'
import { tells } from './run-folder.js'
import { Worker } from './worker.js'

describe.each(localShells)('a worker, run by %s', shell => {
  test('answers when a group has ended, and starts none after it was told to end', async () => {
    const go = folderWith()
    const script = `${tells('group')}while [ ! -e '${go}/on' ]; do sleep 0.01; done`
    const worker = new Worker(shell, { script, groups: [[], [], []] })
    await worker.begin('group')
    expect(worker.shell.stdout).toBe('')
    mkdirSync(join(go, 'on'))
    await until(() => worker.shell.stdout === '\n')
    expect(worker.endOf(0)).toMatchObject({ code: 0 })
    worker.give(1)
    await until(() => worker.shell.stdout === '\n\n')
    worker.shell.signal('SIGTERM')
    worker.give(2)
    await worker.shell.end()
    expect(worker.read('group_2/stdout.txt')).toBeNull()
  })

  test('runs only groups that no other worker has claimed', async () => {
    const groups = Array.from({ length: 30 }, () => [])
    const worker = new Worker(shell, { script: 'echo ran', groups })
    for (const index of groups.keys()) mkdirSync(worker.path(`group_${index}`))
    const others = [1, 2].map(slot => new Worker(shell, worker.plan, slot))
    await Promise.all([worker, ...others].map(each => each.runAll()))
    for (const index of groups.keys()) {
      expect(worker.read(`group_${index}/stdout.txt`)).toBe('ran\n')
      expect(worker.endOf(index)).toMatchObject({ code: 0, outcome: 'exit' })
    }
  })

  // With any other code it counts as killed, and the group that it was given last is given to its successor.
  test('exits with code 0, however its groups ended, and whoever ran them', async () => {
    const worker = new Worker(shell, { script: 'exit 3' })
    expect(await worker.runAll()).toBe(0)
    expect(await new Worker(shell, worker.plan, 1).runAll()).toBe(0)
    expect(worker.read('.run/records/slot_1')).toBeNull()
  })
})
