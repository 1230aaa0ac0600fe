import { mkdirSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, expect, test } from 'vitest'
import { notePeak } from '../../src/runfolder/evidence/peaks.js'
import { localShells } from '../domain/text/shells.js'
import { skips } from '../skips.js'
import { TaskRun } from './task.js'
import { ran, Worker } from './worker.js'

const noProc = skips('the CPU time of groups', process.platform === 'linux' ? null : 'only Linux tells it to a shell')
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

describe.each(localShells)('the memory of a group, run by %s', shell => {
  const noted = ({ plan }: Worker, index: number, bytes: number) => notePeak(plan.place.here, 'slot_0', index, bytes)

  test.each<[string, (worker: Worker) => void, number | null]>([
    ['what was noted of it last', worker => [2_000_000_000, 5].map(bytes => noted(worker, 0, bytes)), 5],
    ['unknown if another group of its slot was noted', worker => noted(worker, 1, 5), null],
    ['unknown if the note cannot be read', worker => mkdirSync(worker.path('.run/peaks/slot_0')), null],
    ['unknown if the note was being written', worker => writeFileSync(worker.path('.run/peaks/slot_0'), ''), null],
  ])('is %s, which harms nothing', async (_, note, memory) => {
    const worker = new Worker(shell, {})
    mkdirSync(worker.path('.run/peaks'))
    note(worker)
    await worker.runAll()
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
    expect([worker.endOf()?.used?.peakMemory ?? null, worker.shell.stderr]).toEqual([memory, ''])
  })
})
