import { type Folder, projectWith } from '../e2e/project.js'

const script = `
import json, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
seed, model = int(words['--seed']), words['--model']
if model == 'b' and seed == 2: sys.exit('singular matrix')
acc = {'a': 0.5, 'b': 0.75}[model] + seed / 300
json.dump({'acc': acc, 'loss': 1 / (seed + 3)}, open(words['--storage_path'] + '/metrics.json', 'w'))
print('model', model)
`

/** A project with metrics of six groups, of which one has failed. */
export async function measured(): Promise<Folder> {
  const folder = await projectWith(script, 'python3')
  await folder.qanat('run', '-V', '--model a b', 'it', '-R', '--seed 0 3 1', '--n_threads', '2')
  return folder
}
