import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Store } from '../../../src/store/store.js'
import { awaits, open, until } from '../project.js'
import { FakeSlurm } from './fake-slurm.js'

test('a scheduler that does not answer delays no news of local runs, and JSON has the warning', async () => {
  const slurm = await FakeSlurm.start()
  const { folder } = slurm
  await slurm.launch('exit 0')
  await folder.qanat('run', '--detach', 'it', awaits('local'))
  const stored = Store.openForReading(join(folder.path, '.qanat/database.db'))
  open(folder, 'local')
  await until(async () => (await folder.shell('cat results/it/run_2/.run/records/*')).stdout.includes('1 end 0'))
  expect(stored.runs.get(2).status).not.toBe('finished')
  slurm.program('squeue', `QANAT_PROJECT=${folder.path}; ${awaits('queue')}; echo Welcome`)
  const runs = folder.json('runs', '--json')
  await until(() => stored.runs.get(2).status === 'finished')
  stored.close()
  open(folder, 'queue')
  expect((await runs).warnings).toEqual(['slurm did not answer: run 1 is shown as it was before'])
})
