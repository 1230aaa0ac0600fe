import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { openWorkspace } from '../../src/cli/context.js'
import { registryOf } from '../../src/cli/parse/registry.js'
import { splitLine } from '../../src/cli/parse/split-line.js'
import { standingText } from '../../src/domain/results/comparison/standing.js'
import { compileDocument } from '../../src/operations/documents/compile-document.js'
import { launchFill, planFill } from '../../src/operations/launch/fill/fill.js'
import { readFill } from '../../src/operations/launch/fill/request.js'
import { findDocument } from '../../src/operations/registry/find-experiment.js'
import type { Workspace } from '../../src/operations/workspace.js'
import { here } from '../../src/sites/here.js'
import { awaits, type Folder, open, program, projectWith } from '../e2e/project.js'

/** The experiment `it` ends once its gate is open. */
const gated = () => projectWith(`gate() { ${awaits('$1')}; }\ngate go\n`)

async function opened(folder: Folder): Promise<Workspace> {
  const workspace = await openWorkspace(folder.path, true)
  onTestFinished(() => workspace.store.close())
  return workspace
}

const request = (workspace: Workspace, ...words: string[]) =>
  splitLine(
    ['--fill', '--detach', ...words, 'it'],
    registryOf(() => workspace.store),
  )

/** The values of `--x` of all groups of the project, run by run. */
function launched({ store }: Workspace): string[][] {
  return store.runs.list().map(({ id }) => store.runs.grid(id).groups.map(({ args }) => String([args].flat(3).at(-1))))
}

test('cells that another fill has taken in the meantime are left to it', async () => {
  const folder = await gated()
  const workspace = { ...(await opened(folder)), note: () => {} }
  const config = { ...workspace.config, confirmAbove: 0 }
  let isFirst = true
  const ask = {
    commit: async () => null,
    doubt: null,
    async many() {
      if (isFirst) await folder.qanat('run', '--fill', '--detach', '-g', '--x 1', '-g', '--x 2', 'it')
      isFirst = false
      return true
    },
  }
  const line = request(workspace, '-g', '--x 2', '-g', '--x 3', '-g', '--x 4')
  const { run, standing } = await launchFill({ ...workspace, config }, line, ask, new AbortController().signal)
  expect(run?.id).toBe(2)
  expect(standingText(standing)).toMatch(/^3 cells: 1 (running|pending) \(run 1\), 2 to run$/)
  expect(launched(workspace)).toEqual([
    ['3', '4'],
    ['1', '2'],
  ])
  open(folder, 'go')
  await folder.qanat('run_wait', '1')
  await folder.qanat('run_wait', '2')
})

test('of several fills at once, none launches a cell that another one launches', async () => {
  const folder = await gated()
  const words = ['1', '2', '3', '4'].flatMap(value => ['-g', `--x ${value}`])
  await Promise.all([1, 2, 3].map(() => folder.qanat('run', '--fill', '--detach', ...words, 'it')))
  const workspace = await opened(folder)
  expect(launched(workspace).flat().sort()).toEqual(['1', '2', '3', '4'])
  open(folder, 'go')
  await folder.qanat('run_wait', '1')
})

test('a document launches no cell that a fill launches at the same moment', async () => {
  const folder = await gated()
  folder.write('grid.yaml', "varying_args: {range: {options: {'--x': {values: [1, 2, 3]}}}}\n")
  folder.write('paper/compile.sh', '')
  folder.write(
    'paper.yaml',
    `name: paper
path: paper
compile_script: compile.sh
compile_script_command: sh
experiment_dependencies: [{experiment_name: it, run_args_file: grid.yaml, files: [group_0/stdout.txt]}]
`,
  )
  await folder.qanat('document', 'new', '-f', 'paper.yaml')
  folder.commit()
  const known = await opened(folder)
  let filled: string | null = null
  const workspace: Workspace = {
    ...known,
    note: () => {},
    findRunner(site, name) {
      // The cells have been found missing, and the run is about to be made.
      if (filled === null && new Error('here').stack!.includes('launchDependency')) {
        const words = ['run', '--fill', '--detach', '-q', '-g', '--x 1', '-g', '--x 2', 'it']
        filled = execFileSync(process.execPath, [program, ...words], {
          cwd: folder.path,
          env: folder.environment,
          encoding: 'utf8',
        })
      }
      return known.findRunner(site, name)
    },
  }
  const launched: [number, boolean][] = []
  await compileDocument(workspace, findDocument(workspace, 'paper'), [], {
    ...{ force: false, interruption: new AbortController().signal, output: 'stderr' },
    ...{ found() {}, exported() {}, make: () => Promise.reject(new Error('nothing is made')) },
    async follow({ id }, isNew) {
      launched.push([id, isNew])
      open(folder, 'go')
      await folder.qanat('run_wait', String(id))
      return workspace.store.runs.get(id)
    },
  })
  expect(filled).toBe('1\n')
  expect(launched).toEqual([
    [1, false],
    [2, true],
  ])
  expect(workspace.store.runs.get(2).counts.finished).toBe(1)
})

test('cells of a run that cannot be asked count as pending, and a warning names it', async () => {
  const folder = await gated()
  await folder.qanat('run', '--detach', '-g', '--x 1', '-g', '--x 2', 'it')
  open(folder, 'go')
  await folder.qanat('run_wait', '1')
  folder.inDatabase(database =>
    database.exec(`UPDATE runs SET site = 'hpc', as_of = 1, finished = NULL, groups_finished = 1, groups_running = 1;
      UPDATE groups SET state = 'running', finished = NULL WHERE number = 1`),
  )
  const warnings: string[] = []
  const known = await opened(folder)
  const workspace: Workspace = {
    ...known,
    findSite: name =>
      name === 'hpc' ? { ...here, name, isHere: false, visit: () => Promise.reject(new Error('no route')) } : here,
    warn: message => warnings.push(message),
  }
  const fill = readFill(workspace, request(workspace, '-g', '--x 1', '-g', '--x 2', '-g', '--x 3'))
  const { standing } = await planFill(workspace, fill, async () => null)
  expect(standingText(standing)).toBe('3 cells: 1 finished (run 1), 1 pending (1), 1 to run')
  expect(warnings.at(-1)).toBe(
    'run 1 (hpc) does not answer, and 1 cell of it counts as pending\nqanat context test hpc        shows the reason; qanat run_retire 1 lets the cell be launched again',
  )
})
