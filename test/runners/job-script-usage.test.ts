import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { notePeak } from '../../src/runfolder/evidence/peaks.js'
import { localShells } from '../domain/text/shells.js'
import { skips } from '../skips.js'
import { plainEnvironment } from './plans.js'
import { TaskRun } from './task.js'
import { ran, Worker } from './worker.js'

const noProc = skips('the CPU time of groups', process.platform === 'linux' ? null : 'only Linux tells it to a shell')
/** Takes much more CPU time than one tick of the clock, in a process below that of the group. */
const works = "python3 -c 'for _ in range(3_000_000): pass'\n"

describe.skipIf(noProc).each(localShells)('the CPU time of a group, run by %s', shell => {
  test('is that of all its processes, and of no other group', async () => {
    const worker = await ran(shell, { script: `[ "$1" != work ] || ${works}`, groups: [['work'], ['rest'], ['work']] })
    const [first, second, third] = [0, 1, 2].map(index => worker.endOf(index)!.used!.cpuTime!)
    expect(first).toBeGreaterThan(0.02)
    expect(third).toBeGreaterThan(0.02)
    expect(second).toBeLessThan(Math.min(first!, third!))
  })

  test('is recorded of jobs of schedulers, too, and with shell lines of a template', async () => {
    const run = new TaskRun(shell, { script: works })
    await run.run()
    expect(run.lastOf()).toMatchObject({ used: { cpuTime: expect.closeTo(5, -1), peakMemory: null } })
    const worker = await ran(shell, { script: works, environment: { setup: 'IFS=0 a=1' } })
    expect(worker.endOf()!.used!.cpuTime).toBeGreaterThan(0.02)
  })

  test('is recorded of a group that was killed', async () => {
    const worker = await ran(shell, { script: `${works}kill -KILL $$` })
    expect(worker.endOf()).toMatchObject({ code: 137 })
    expect(worker.endOf()!.used!.cpuTime).toBeGreaterThan(0.02)
  })

  test('is unknown if a launcher may start its processes elsewhere', async () => {
    const worker = await ran(shell, { script: works, environment: { ...plainEnvironment, launcher: ['env'] } })
    expect(worker.endOf()).toMatchObject({ code: 0 })
    expect(worker.endOf()).not.toHaveProperty('used')
  })
})

describe.each(localShells)('the memory of a group, run by %s', shell => {
  test('is what was noted of it, and not of another group of its slot', async () => {
    const worker = new Worker(shell, { groups: [[], []] })
    notePeak(worker.plan.storagePath, 'slot_0', 0, 2_000_000_000)
    notePeak(worker.plan.storagePath, 'slot_0', 1, 5)
    await worker.runAll()
    expect([0, 1].map(index => worker.endOf(index)?.used?.peakMemory ?? null)).toEqual([null, 5])
  })

  test('is unknown if the note cannot be read, which harms nothing', async () => {
    const worker = new Worker(shell, {})
    mkdirSync(worker.path('.run/peaks/slot_0'), { recursive: true })
    await worker.runAll()
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
    expect(worker.stderr).toBe('')
  })

  test('is unknown if the supervisor was killed while it wrote the note', async () => {
    const worker = new Worker(shell, {})
    mkdirSync(worker.path('.run/peaks'), { recursive: true })
    writeFileSync(worker.path('.run/peaks/slot_0'), '')
    await worker.runAll()
    expect(worker.endOf()?.used?.peakMemory ?? null).toBeNull()
  })
})
