import { cpSync } from 'node:fs'
import { FakeSlurm } from '../e2e/launch/fake-slurm.js'
import { madeOnce } from '../e2e/made-once.js'
import { Folder } from '../e2e/project.js'
import { blocksOf, read } from './page.js'
import { explainEach } from './slurm-states.js'

/** Where a part of a page is typed. */
export interface Place {
  /** Its name below the home of the reader. */
  readonly name: string
  readonly folder: Folder
  readonly slurm?: FakeSlurm
}

/** The script of the first chapter, which the pages use that need one. */
function trainScript(): string {
  return blocksOf(read('docs/tutorial/1-your-script.md')).find(({ fence }) => fence === 'python train.py')!.text
}

async function typed(folder: Folder, ...lines: string[]): Promise<void> {
  for (const line of lines) {
    const { code, stderr } = await folder.shell(line)
    if (code !== 0) throw new Error(`${line}\n${stderr}`)
  }
}

/** A copy of the example, in which everything that it describes is registered but the document. */
const iris = madeOnce(async () => {
  const folder = new Folder()
  cpSync('examples/iris', folder.path, { recursive: true })
  folder.git('init', '--quiet')
  folder.commit('Iris data and scripts')
  const names = ['experiment', 'classifier', 'knn']
  const experiments = names.map(name => `qanat experiment new -f ${name}.yaml`)
  await typed(folder, 'qanat init --yes', 'qanat dataset new -f dataset.yaml', ...experiments)
  folder.commit('What is registered')
  return folder
})

/** What `qanat demo` makes, with the run that it makes of a grid and the one that fails. */
const demo = madeOnce(async () => {
  const folder = new Folder()
  await typed(folder, 'cd .. && rmdir "$OLDPWD" && qanat demo "$OLDPWD"')
  return folder
})

/** A repository with `train.py` and its description, which is registered. */
const mine = madeOnce(async () => {
  const folder = new Folder()
  folder.git('init', '--quiet')
  folder.write('train.py', `${trainScript()}\n`)
  folder.write('train.yaml', 'name: train\nexecutable: train.py\nexecutable_command: python3\nbest: {error: min}\n')
  folder.commit('A script')
  await typed(folder, 'qanat init --yes', 'qanat experiment new -f train.yaml')
  folder.commit('What is registered')
  return folder
})

/** The projects that the comment of a page can name. */
export const places: Readonly<Record<string, () => Promise<Place>>> = {
  iris: async () => ({ name: 'iris', folder: await iris() }),
  demo: async () => ({ name: 'iris', folder: await demo() }),
  mine: async () => ({ name: 'mine', folder: await mine() }),
  /** The same beside a Slurm that does what the page says. */
  'fake-slurm': async () => {
    const slurm = await FakeSlurm.start(templates, await mine())
    explainEach(slurm)
    return { name: 'mine', folder: slurm.folder, slurm }
  },
  /** An empty folder. */
  folder: async () => ({ name: 'mine', folder: new Folder() }),
}

const templates = `  big:
    extends: default
    resources: {memory: 16G}
`
