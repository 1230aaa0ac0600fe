import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { Folder } from '../project.js'

const scripts = join(import.meta.dirname, '../../fixtures/deterministic')

/** What runs a script, by the end of its name. Debian's Python has Debian's numpy. */
const commands: Record<string, string> = {
  '.sh': 'sh',
  '.py': '/usr/bin/python3 -B',
  '.pl': 'perl',
  '.R': 'Rscript --vanilla',
  '.mjs': 'node',
}

const isSkipped = skips(
  'the twenty experiments',
  lacks('bc', 'gcc', 'perl', 'Rscript', 'sqlite3') ??
    (spawnSync('/usr/bin/python3', ['-c', 'import numpy, scipy, sklearn']).status === 0
      ? null
      : "Debian's Python has no numpy, scipy and scikit-learn on this machine"),
)

/** The experiments by name, with the path of their script. */
const experiments = new Map(
  filesIn(scripts)
    .filter(path => path.includes('/') && extname(path) in commands && !path.endsWith('options.py'))
    .map(path => [path.replace(/^.*\/|\.\w+$/g, ''), path]),
)

/** A project with the experiments, and with data that git does not track. */
async function projectWithAll(): Promise<Folder> {
  const project = new Folder()
  cpSync(scripts, join(project.path, 'experiments'), { recursive: true })
  const point = (at: number) => `${at / 50},${Math.sin(at / 50) * 2 + (at % 7) / 100},${'abc'[at % 3]}\n`
  project.write('data/points.csv', Array.from({ length: 300 }, (_, at) => point(at)).join(''))
  project.write('data/text.txt', readFileSync(join(scripts, '../../../LICENSE'), 'utf8'))
  project.write('.gitignore', 'data/\n')
  project.write('data.yaml', 'name: data\npath: data\n')
  for (const [name, path] of experiments) {
    const facts = { executable: `experiments/${path}`, executable_command: commands[extname(path)], datasets: ['data'] }
    project.write(`definitions/${name}.yaml`, JSON.stringify({ name, ...facts }))
  }
  project.git('init', '--quiet')
  project.commit()
  await succeed(project, 'init', '--yes')
  await succeed(project, 'dataset', 'new', '-f', 'data.yaml')
  for (const name of experiments.keys()) await succeed(project, 'experiment', 'new', '-f', `definitions/${name}.yaml`)
  return project
}

test.skipIf(isSkipped)(
  'twenty experiments are done again from their records in another clone after fifty commits, byte for byte',
  async () => {
    expect(experiments.size).toBe(20)
    const project = await projectWithAll()
    const names = [...experiments.keys()]
    for (const name of names) await succeed(project, 'run', name, '-R', '--seed 1 3 1')
    // One of them with changes that no commit has.
    const changed = 'experiments/shell/dice.sh'
    project.write(changed, project.read(changed).replace('5000', '4000'))
    await succeed(project, 'run', '--allow_dirty', 'dice', '-R', '--seed 1 3 1')
    project.git('checkout', '--quiet', changed)
    const runs = await project.json<{ runs: { id: number; experiment: string }[] }>('runs', '--json')

    for (let commit = 0; commit < 50; commit++) {
      project.write(`experiments/${experiments.get(names[commit % 20]!)}`, `another program by commit ${commit}\n`)
      project.commit()
    }
    const clone = new Folder()
    clone.git('clone', '--quiet', project.path, '.')
    for (const folder of ['results', 'data'])
      cpSync(join(project.path, folder), join(clone.path, folder), { recursive: true })
    await succeed(clone, 'init', '--yes')
    await succeed(clone, 'doctor', '--repair')

    for (const { id, experiment } of runs.runs) {
      const again = await clone.json<{ id: number }>('rerun', String(id), '--json')
      const [before, after] = [id, again.id].map(run => made(join(clone.path, `results/${experiment}/run_${run}`)))
      expect([experiment, Object.keys(before!).length > 4]).toEqual([experiment, true])
      expect([experiment, after]).toEqual([experiment, before])
    }
  },
)

/** The files that the groups of a run made, with their content. @param folder of the run */
function made(folder: string): Record<string, string> {
  const files = filesIn(folder).filter(file => !/^\.run\/|(^|\/)(group_)?info\.yaml$/.test(file))
  return Object.fromEntries(files.map(file => [file, readFileSync(join(folder, file), 'base64')]))
}

async function succeed(project: Folder, ...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await project.qanat(...words)
  expect([words.join(' '), code, code === 0 ? '' : stdout + stderr]).toEqual([words.join(' '), 0, ''])
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => statSync(join(folder, path)).isFile())
    .sort()
}
