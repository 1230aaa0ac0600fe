import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWorkspace } from '../../src/cli/context.js'
import { liveMetrics, livePoints } from '../../src/operations/results/live-metrics.js'
import { shellProject } from '../e2e/project.js'
import { skips } from '../skips.js'
import { launchOf, runOf } from '../store/stores.js'

const groups = 1_000
/** Bytes of each file at first, about, and of the rows that are added. */
const size = 20_000
const row = (step: number) => `${step},0.5\n`

/** What this process has read since it began, in bytes; whatever else reads in it is less than the files. */
const readBytes = () => Number(/^rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))![1])

test.skipIf(skips('what is read of growing files', process.platform === 'linux' ? null : 'there is no /proc/self/io'))(
  'of 1,000 files that grow, a second look reads what was appended',
  async () => {
    const folder = await shellProject()
    const workspace = await openWorkspace(folder.path, true)
    onTestFinished(() => workspace.store.close())
    const { store } = workspace
    const grid = { fixed: { args: [] }, groups: [], axes: [{ option: '--n', start: '0', step: '1', count: groups }] }
    const running = { state: 'running', started: 1, host: 'n1', jobId: null } as const
    store.transaction(() => {
      store.runs.insert(
        1,
        runOf('it', groups, { storagePath: 'results/it/run_1' }),
        launchOf('it', 'token', { grid: grid as never }),
      )
      store.runs.update(
        1,
        Array.from({ length: groups }, (_, index) => ({ index, status: running })),
        100,
        1,
      )
    })
    const rows = Array.from({ length: size / row(1000).length }, (_, step) => row(step))
    const files = Array.from({ length: groups }, (_, index) => {
      const path = join(folder.path, `results/it/run_1/group_${index}`)
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, 'metrics.csv'), `step,loss\n${rows.join('')}`)
      return join(path, 'metrics.csv')
    })
    const look = () => {
      const before = readBytes()
      const found = liveMetrics(workspace, store.runs.get(1))
      return {
        bytes: readBytes() - before,
        counts: new Set([...found.values()].map(({ loss }) => (loss as { count: number }).count)),
        found: found.size,
      }
    }
    const first = look()
    expect(first).toMatchObject({ found: groups, counts: new Set([rows.length]) })
    expect(first.bytes).toBeGreaterThan(groups * size * 0.9)
    // Nothing has changed.
    expect(look().bytes).toBeLessThan(groups * 20)
    for (const file of files) appendFileSync(file, row(5000) + row(5001))
    const { bytes, counts } = look()
    expect(counts).toEqual(new Set([rows.length + 2]))
    // What was added, and 64 bytes before it.
    expect(bytes).toBeLessThan(groups * (2 * row(5000).length + 64 + 20))
    expect(livePoints(workspace, store.runs.get(1), 7, 'loss')?.steps.slice(-2)).toEqual([5000, 5001])
    // What has finished is not live any more.
    const finished = { ...running, state: 'finished', exitCode: 0, finished: 2 } as const
    store.transaction(() => store.runs.update(1, [{ index: 7, status: finished }], 200, 2))
    expect(look().found).toBe(groups - 1)
  },
)
