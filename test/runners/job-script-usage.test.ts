import { writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, expect, test } from 'vitest'
import { tellsMemory } from '../../src/system/processes/memory.js'
import { localShells } from '../domain/text/shells.js'
import { until } from '../e2e/project.js'
import { skips } from '../skips.js'
import type { Facts } from './run-folder.js'
import { TaskRun } from './task.js'
import { ran, Worker } from './worker.js'

const noProc = skips('the CPU time of groups', process.platform === 'linux' ? null : 'only Linux tells it to a shell')
const noMemory = skips('the memory of groups', tellsMemory() ? null : 'the system does not tell it')
/** Takes much more CPU time than one tick of the clock, in a process below that of the group. */
const works = "python3 -c 'for _ in range(3_000_000): pass'\n"

describe.skipIf(noProc).each(localShells)('the CPU time of a group, run by %s', shell => {
  test('is that of all its processes, also if it was killed, and of no other group', async () => {
    const scripts = [works, ':', `${works}kill -KILL $$`]
    const worker = await ran(shell, { script: 'eval "$1"', groups: scripts.map(script => [script]) })
    const [first, second, third] = worker.ends().map(end => end!.used!.cpuTime!)
    expect(Math.min(first!, third!)).toBeGreaterThan(0.02)
    expect(second).toBeLessThan(Math.min(first!, third!))
  })

  test('is recorded of jobs of schedulers, too, and with shell lines of a template', async () => {
    const run = new TaskRun(shell, { script: works })
    await run.run()
    expect(run.lastOf()).toMatchObject({ used: { cpuTime: expect.closeTo(5, -1), peakMemory: null } })
    const worker = await ran(shell, { script: works, environment: { setup: 'IFS=0 a=1' } })
    expect(worker.endOf()!.used!.cpuTime).toBeGreaterThan(0.02)
  })

  test('is measured of one that gives way to others, too', async () => {
    const script = `${works}python3 -c 'import os, sys; sys.exit(os.nice(0) - int(sys.argv[1]))' "$1"\n`
    const worker = await ran(shell, { script, groups: [[String(getPriority())]], environment: { nice: 7 } })
    expect(worker.endOf()).toMatchObject({ code: 7, used: { cpuTime: expect.any(Number) } })
    expect(worker.endOf()!.used!.cpuTime).toBeGreaterThan(0.02)
  })

  test('is unknown if a launcher may start its processes elsewhere', async () => {
    const worker = await ran(shell, { script: works, environment: { launcher: ['env'] } })
    expect(worker.endOf()).toMatchObject({ code: 0 })
    expect(worker.endOf()).not.toHaveProperty('used')
  })
})

const megabyte = 1_000_000

describe.skipIf(noMemory).each(localShells)('the memory of a group, run by %s', shell => {
  /** A process that has so many bytes in memory, does something with them, and ends once the test lets it. */
  const takes = (bytes: number, then = '') =>
    `python3 -c 'import os, time\nx = b"x" * ${bytes}\n${then}\nwhile not os.path.exists("go"): time.sleep(0.05)'`

  /** Runs a group until its pool has seen so much memory of it, then lets it end. @returns what is recorded of it */
  async function recorded(script: string, seen: number, facts: Partial<Facts> = {}): Promise<number> {
    const worker = new Worker(shell, { script, ...facts })
    worker.start()
    await until(() => Number(worker.read('.run/pool/peak_0')?.split(' ')[1] ?? 0) > seen)
    writeFileSync(worker.path('../../../go'), '')
    await worker.shell.end()
    return worker.endOf()!.used!.peakMemory!
  }

  test('is the most that one of its processes had, also if it was freed before anybody looked', async () => {
    const memory = await recorded(takes(220 * megabyte, 'del x'), 220 * megabyte)
    expect(memory).toBeLessThan(300 * megabyte)
  })

  test('is that of all its processes together if they have it at a time', async () => {
    const script = `${takes(80 * megabyte)} & ${takes(80 * megabyte)} & wait`
    const memory = await recorded(script, 160 * megabyte, { environment: { setup: 'a=1' } })
    expect(memory).toBeLessThan(240 * megabyte)
  })

  test('is unknown of a group that ends at once, and is not that of an earlier group of the slot', async () => {
    const worker = new Worker(shell, { script: 'eval "$1"', groups: [[takes(50 * megabyte)], [':']] })
    worker.start()
    await until(() => worker.read('.run/pool/peak_0') !== null)
    writeFileSync(worker.path('../../../go'), '')
    await worker.shell.end()
    const [first, second] = worker.ends().map(end => end!.used?.peakMemory ?? 0)
    expect(first).toBeGreaterThan(0)
    expect(second).toBeLessThan(first!)
  })
})
