import { expect, test } from 'vitest'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { until } from '../project.js'
import { addData } from './flowers.js'

test('data that change while a run waits in the queue are told, and those of a run are looked at once', async () => {
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
  expect((await slurm.group()).status).toBe('finished')
  folder.write('data/b.csv', 'changed later')
  expect((await slurm.says('COMPLETED')).status).toBe('finished')
  const { data } = await folder.show()
  const note = 'dataset flowers changed while run 1 waited: 1 file changed'
  expect(data.flatMap(({ notes }: { notes: string[] }) => notes)).toEqual([note])
  expect(folder.list('.qanat/data/ends')).toEqual([])
})
