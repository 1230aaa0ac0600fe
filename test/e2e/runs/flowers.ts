import { type Folder, shellProject } from '../project.js'

/** A project whose experiment reads the dataset `flowers`, a folder that git ignores, and `tracked`, which git tracks. @param given the project */
export async function withData(level: string, given?: Folder): Promise<Folder> {
  const folder = given ?? (await shellProject())
  folder.write('.gitignore', `${folder.read('.gitignore')}\n/data\n`)
  for (const name of ['a', 'b', 'c']) folder.write(`data/${name}.csv`, name)
  folder.write('tracked/a.csv', 'a')
  folder.write('flowers.yaml', `name: flowers\npath: data\nfingerprint: ${level}\n`)
  folder.write('tracked.yaml', 'name: tracked\npath: tracked\n')
  folder.write('reads.yaml', 'datasets: [flowers, tracked]\n')
  folder.commit()
  await folder.qanat('dataset', 'new', 'flowers.yaml')
  await folder.qanat('dataset', 'new', 'tracked.yaml')
  await folder.qanat('experiment', 'update', 'it', '-f', 'reads.yaml')
  return folder
}
