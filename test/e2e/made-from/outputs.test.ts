import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kill } from '../processes.js'
import { type Folder, shellProject, until } from '../project.js'
import { workingIn } from '../working-processes.js'

/** The processes that hash in the background what runs have left. */
function hashing({ path }: Folder): number[] {
  return workingIn(path).filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--hash_outputs')
    } catch {
      return false
    }
  })
}

test('what a run has left is hashed by a process that outlives the command, and is started again if it was killed', async () => {
  const folder = await shellProject()
  folder.write('hash.yaml', 'manifest: hash\n')
  folder.commit()
  expect((await folder.qanat('experiment', 'update', 'it', '-f', 'hash.yaml')).stderr).toBe('')
  await folder.qanat('run', 'it', 'truncate -s 32G "$QANAT_STORAGE_PATH/model.pt"')
  const outputs = async () => (await folder.show()).outputs
  expect(await outputs()).toMatchObject({ files: 3, bytes: 32 * 1024 ** 3, hashed: 0 })
  expect(hashing(folder)).not.toEqual([])
  kill(...hashing(folder))
  await until(() => hashing(folder).length === 0)
  await folder.shell('truncate -s 1M results/it/run_1/model.pt')
  await folder.show()
  await until(async () => (await outputs()).hashed === 2)
  // It is another file by now.
  await until(() => hashing(folder).length === 0)
  expect(await outputs()).toMatchObject({ files: 3, hashed: 2 })
})
