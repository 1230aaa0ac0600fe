import { describe, expect, test } from 'vitest'
import { localShells } from '../domain/text/shells.js'
import { TaskRun } from './task.js'
import { Worker } from './worker.js'

/** Groups that exit with these codes. */
const exits = (...codes: number[]) => ({
  script: 'touch "$QANAT_STORAGE_PATH/ran"; exit "$1"',
  groups: codes.map(code => [`${code}`]),
})

describe.each(localShells)('a launch with --max_failures, run by %s', shell => {
  test.each([{}, { setup: 'export A=1' }])(
    'skips groups once so many have failed, with the template %j',
    async environment => {
      const worker = new Worker(shell, { ...exits(0, 3, 0, 4, 0, 5), maxFailures: 2, environment })
      expect(await worker.runAll()).toBe(0)
      const ends = [0, 1, 2, 3, 4, 5].map(index => worker.endOf(index))
      expect(ends.map(end => [end?.outcome, end?.code])).toEqual([
        ...[
          ['exit', 0],
          ['exit', 3],
          ['exit', 0],
          ['exit', 4],
        ],
        ...[
          ['skipped', 0],
          ['skipped', 0],
        ],
      ])
      expect([3, 4, 5].map(index => worker.read(`group_${index}`, 'ran'))).toEqual(['', null, null])
      expect(worker.stderr).toBe('')
    },
  )

  test('counts groups without their outputs, and none that was told to end', async () => {
    const worker = new Worker(shell, { ...exits(0, 0), maxFailures: 1, outputs: ['model.pt'] })
    await worker.runAll()
    expect([0, 1].map(index => worker.endOf(index)?.outcome)).toEqual(['incomplete', 'skipped'])
    const stopped = new Worker(shell, { script: 'kill -TERM $PPID; sleep 60', maxFailures: 1, groups: [[], []] })
    stopped.give(0)
    await stopped.end()
    expect([stopped.endOf(0)?.outcome, stopped.read('.run/failures')]).toEqual(['stopped', null])
  })
})

describe.each(localShells)('jobs of a scheduler with --max_failures, run by %s', shell => {
  test('leave groups alone once so many have failed, and end with code 0', async () => {
    const run = new TaskRun(shell, { ...exits(3, 0, 0), maxFailures: 1 })
    expect([await run.run({ index: 0 }), await run.run({ index: 1 })]).toEqual([3, 0])
    expect([0, 1, 2].map(index => run.read(`group_${index}`, 'ran'))).toEqual(['', null, null])
    expect(run.lastOf(1)).toMatchObject({ kind: 'end', outcome: 'skipped' })
  })
})
