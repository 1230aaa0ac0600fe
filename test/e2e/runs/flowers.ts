import { madeOnce } from '../made-once.js'
import { type Folder, shellProject } from '../project.js'

/** Has the experiment of a project read the dataset `flowers`, a folder that git ignores, and `tracked`, which git tracks. */
export async function addData(folder: Folder): Promise<Folder> {
  folder.write('.gitignore', `${folder.read('.gitignore')}\n/data\n`)
  for (const name of ['a', 'b', 'c']) folder.write(`data/${name}.csv`, name)
  folder.write('tracked/a.csv', 'a')
  folder.write('flowers.yaml', 'name: flowers\npath: data\nfingerprint: stat\n')
  folder.write('tracked.yaml', 'name: tracked\npath: tracked\n')
  folder.write('it.yaml', `${folder.read('it.yaml')}datasets: [flowers, tracked]\n`)
  folder.commit()
  await folder.qanat('dataset', 'new', 'flowers.yaml')
  await folder.qanat('dataset', 'new', 'tracked.yaml')
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  return folder
}

/** A project of which the experiment `it` reads these data. */
export const withData = madeOnce(async () => addData(await shellProject()))
