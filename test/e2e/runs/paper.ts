import { expect } from 'vitest'
import { madeOnce } from '../made-once.js'
import { type Folder, shellProject } from '../project.js'

const compile =
  'cat exports/*/*.txt exports/*/*/*.txt 2>/dev/null >paper.out; echo "compiled $*"; case $1 in fail) exit 1 ;; interrupt) kill -INT $$ ;; esac'

const usual = `  - {experiment_name: count, run_args_file: grid.yaml, action_name: draw, files: [all.txt], runner_params: '--n_threads 2'}
  - {experiment_name: count, files: count.txt}`

const project = {
  'count.sh':
    'for last; do :; done\nwhile [ "$1" != --storage_path ]; do n=$1; shift; done\necho "$n" >"$2/count.txt"\n',
  'draw.sh': 'while [ "$1" != --storage_path ]; do shift; done\ncat "$2"/group_*/count.txt >"$2/all.txt"\n',
  'count.yaml': `name: count
executable: count.sh
executable_command: sh
actions:
  - draw: {executable: draw.sh, executable_command: sh}
`,
  'grid.yaml': "varying_args: {range: {options: {'--n': [0, 3, 1]}}}\n",
  'paper/compile.sh': `${compile}\n`,
  'paper/view.sh': 'echo viewing "$PWD"\n',
  'paper/.gitignore': 'exports/\n*.out\n',
  'paper.yaml': `name: paper
path: paper
compile_script: paper/compile.sh
compile_script_command: sh
view_script: view.sh
view_script_command: sh
experiment_dependencies:
`,
}

/** A project with a document `paper` that depends on files of experiments; `count` is one of these. */
export async function withPaperOf(dependencies: string, files: Readonly<Record<string, string>> = {}): Promise<Folder> {
  const folder = await shellProject()
  const all = { ...project, 'paper.yaml': `${project['paper.yaml']}${dependencies}\n`, ...files }
  for (const [path, text] of Object.entries(all)) folder.write(path, text)
  expect(await folder.qanat('experiment', 'new', 'count.yaml')).toMatchObject({ code: 0, stderr: '' })
  expect(await folder.qanat('document', 'new', 'paper.yaml')).toMatchObject({ code: 0, stderr: '' })
  folder.commit()
  return folder
}

/** Whose document needs a file of the experiment `count`, and one that an action draws of a grid. */
export const withPaper = madeOnce(() => withPaperOf(usual))

/** The same once it was compiled: run 1 is the grid, run 2 a single group. */
export const withCompiled = madeOnce(async () => {
  const folder = await withPaper()
  expect((await folder.qanat('document', 'compile', 'paper')).code).toBe(0)
  return folder
})
