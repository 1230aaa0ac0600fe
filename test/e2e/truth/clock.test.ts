import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { outcomeOf } from '../program.js'
import { until } from '../project.js'

/** Has the clock of commands go an hour ahead for as long as the file `ahead` is there. */
function withClock({ folder }: FakeSlurm): { ahead: () => void; back: () => Promise<unknown> } {
  const ahead = join(folder.path, '.qanat/ahead')
  const clock = join(folder.path, '.qanat/clock.cjs')
  writeFileSync(
    clock,
    `const { now } = Date
Date.now = () => now() + (require('node:fs').existsSync(${JSON.stringify(ahead)}) ? 3_600_000 : 0)\n`,
  )
  folder.write('.qanat/config.yaml', 'poll_interval: 0.001\ngrace: 0.5\n')
  folder.environment.NODE_OPTIONS = `--require ${clock}`
  return { ahead: () => writeFileSync(ahead, ''), back: () => folder.shell(`rm ${ahead}`) }
}

test('a job that was missed while the clock was an hour ahead is lost after the grace, not after an hour', async () => {
  const slurm = await FakeSlurm.start()
  const clock = withClock(slurm)
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  expect((await slurm.group()).status).toBe('running')
  clock.ahead()
  slurm.answer('queue', '')
  expect((await slurm.group()).status).toBe('running')
  await clock.back()
  await slurm.folder.whenStatus(1, 'lost')
})

test('a command that waits goes on to ask Slurm when the clock is set back by an hour', async () => {
  const slurm = await FakeSlurm.start()
  const clock = withClock(slurm)
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  clock.ahead()
  const waiting = outcomeOf(slurm.folder.start(['run_wait', 'it', '1']))
  await until(async () => (await slurm.folder.show()).status === 'running')
  await clock.back()
  // Nothing but the queue tells of this end.
  slurm.queue('FAILED', { exit: '3:0' })
  expect((await waiting).code).toBe(1)
})
