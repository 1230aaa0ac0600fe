import { describe, expect, test } from 'vitest'
import type { Container } from '../../src/domain/container.js'
import { localShells } from '../domain/text/shells.js'
import { pathWith } from './run-folder.js'
import { TaskRun } from './task.js'
import { ran, Worker } from './worker.js'

/** Groups that exit with these codes. */
const exits = (...codes: number[]) => ({
  script: 'touch "$QANAT_STORAGE_PATH/ran"; exit "$1"',
  groups: codes.map(code => [`${code}`]),
})

describe.each(localShells)('a launch with --max_failures, run by %s', shell => {
  test.each([{}, { setup: 'export A=1' }])('skips groups once so many have failed, with %j', async environment => {
    const worker = new Worker(shell, { ...exits(0, 3, 0, 4, 0, 5), maxFailures: 2, environment })
    expect(await worker.runAll()).toBe(0)
    const ends = worker.ends().map(end => `${end?.outcome} ${end?.code}`)
    expect(ends).toEqual(['exit 0', 'exit 3', 'exit 0', 'exit 4', 'skipped 0', 'skipped 0'])
    expect([3, 4, 5].map(index => worker.read(`group_${index}/ran`))).toEqual(['', null, null])
    expect(worker.shell.stderr).toBe('')
  })

  // What another group does that fails at that moment.
  const reachLimit = 'printf x >>"$QANAT_STORAGE_PATH/../.run/failures"'
  const container: Container = { image: 'image', kind: 'apptainer', gpu: false, digest: null }
  test.each([
    ['by a container', { container }],
    ['by the setup of its template', { environment: { setup: reachLimit } }],
  ])('skips a group if so many others fail while it is prepared %s', async (_, facts) => {
    const variables = pathWith({ apptainer: reachLimit })
    const worker = await ran(shell, { ...exits(0, 0), maxFailures: 1, variables, ...facts })
    expect(worker.ends()).toMatchObject(Array(2).fill({ outcome: 'skipped', code: 0 }))
    expect([worker.read('group_0/ran'), worker.read('.run/failures')]).toEqual([null, 'x'])
  })

  test('counts groups without their outputs, and none that was told to end', async () => {
    const worker = await ran(shell, { ...exits(0, 0), maxFailures: 1, outputs: ['model.pt'] })
    expect(worker.ends().map(end => end?.outcome)).toEqual(['incomplete', 'skipped'])
    const stopped = new Worker(shell, { script: 'kill -TERM $PPID; sleep 60', maxFailures: 1, groups: [[], []] })
    await stopped.runAll()
    expect([stopped.endOf(0)?.outcome, stopped.read('.run/failures')]).toEqual(['stopped', null])
  })

  test('leaves groups that are jobs of a scheduler alone once so many have failed: they end with code 0', async () => {
    const run = new TaskRun(shell, { ...exits(3, 0, 0), maxFailures: 1 })
    expect([await run.run({ index: 0 }), await run.run({ index: 1 })]).toEqual([3, 0])
    expect([0, 1, 2].map(index => run.read(`group_${index}/ran`))).toEqual(['', null, null])
    expect(run.lastOf(1)).toMatchObject({ kind: 'end', outcome: 'skipped' })
  })
})
