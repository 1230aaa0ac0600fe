import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { until } from '../project.js'
import { addData } from './flowers.js'

test('data that change while a run waits in the queue are told', async () => {
  const slurm = await FakeSlurm.start()
  const folder = await addData(slurm.folder)
  await folder.qanat('run', '--runner', 'slurm', 'it', 'true')
  expect((await slurm.group()).status).toBe('pending')
  folder.write('data/a.csv', 'longer')
  // Clocks may differ by a second, so that later changes might have come after the start.
  const changed = Date.now()
  await until(() => Date.now() > changed + 1_500)
  slurm.queue('RUNNING')
  await slurm.runJob()
  slurm.queue('COMPLETED')
  await until(
    () => slurm.group(),
    ({ status }) => status === 'finished',
  )
  expect((await folder.show()).data.flatMap(({ notes }: { notes: string[] }) => notes)).toEqual([
    'dataset flowers changed while run 1 waited: 1 file changed',
  ])
})

test('data of a run on Slurm are looked at once, also if more becomes known of its end later', async () => {
  const slurm = await FakeSlurm.start()
  const folder = await addData(slurm.folder)
  await folder.qanat('run', '--runner', 'slurm', 'it', 'true')
  slurm.queue('RUNNING')
  expect((await slurm.group()).status).toBe('running')
  await slurm.runJob()
  expect((await slurm.group()).status).toBe('finished')
  slurm.queue('COMPLETED')
  expect((await slurm.group()).status).toBe('finished')
  const ends = join(folder.path, '.qanat/data/ends')
  expect(readdirSync(ends)).toEqual([])
  // What a killed program has left of runs that are gone.
  const past = new Date(Date.now() - 120_000)
  for (const name of ['99', '1.0123456789ab.new']) {
    folder.write(`.qanat/data/ends/${name}`, '')
    utimesSync(join(ends, name), past, past)
  }
  await folder.qanat('runs')
  expect(readdirSync(ends)).toEqual([])
  expect((await folder.show()).data.flatMap(({ notes }: { notes: string[] }) => notes)).toEqual([])
})
