import { join } from 'node:path'
import { expect } from 'vitest'
import { groups, quote, until } from '../e2e/project.js'
import type { LifecycleProject } from './lifecycle-project.js'

/** Makes the folder of a project, at this path below a new folder in which everything else can be written. */
export type MakeFolder = (path: string) => LifecycleProject

/** Shell code that tells the test that its run has begun, and waits until the test has opened the gate. */
const waits = `echo began >"$QANAT_PROJECT/.qanat/began_$QANAT_RUN_ID"
while [ -d "$QANAT_PROJECT/.qanat" ] && [ ! -e "$QANAT_PROJECT/.qanat/gate" ]; do sleep 0.02; done`

/**
 * Launches runs in frozen copies of one commit that use everything that works in the tree, and compares what they saw.
 * @param options of the runs, before the name of the experiment
 * @param path of the project in the repository: `.` or the name of a folder
 */
export async function worksAsInTheTree(make: MakeFolder, path: string, options: readonly string[]): Promise<void> {
  const project = make(join('near/study', path))
  const near = path === '.' ? '..' : '../..'
  const far = join(near, '..')
  const absolute = (place: string) => project.path(place)
  await prepare(project, near, far)
  const run = (...words: string[]) => project.qanat('run', ...options, ...words)
  const done = (id: number, { experiment = 'it', changes = false } = {}) =>
    until(
      () => project.json('run_show', experiment, String(id), '--json'),
      // The copy is compared after the end.
      ({ finished, code_changed }) => finished !== null && (code_changed || !changes),
    )
  const output = (id: number, group: number, experiment = 'it') =>
    project.read(`results/${experiment}/run_${id}/group_${group}/stdout.txt`)

  await run('--submit_template', 'venv', 'it', ...groups('echo weights >"$3/model.pt"', 'echo "$VIRTUAL_ENV"'))
  expect(await done(1)).toMatchObject({ status: 'finished', code_changed: false })
  expect(output(1, 1)).toBe(`${absolute(`${near}/env`)}\n`)

  // The second stage, twice at the same time.
  const second = `cat results/it/run_1/group_0/model.pt ${near}/data/x code.txt
mkdir -p checkpoints; echo "$QANAT_RUN_ID" >"checkpoints/$QANAT_GROUP_INDEX"
[ "$QANAT_GROUP_INDEX" != 0 ] || { echo spoilt >model.txt; ${waits}; }`
  const stages = []
  for (const id of [2, 3]) {
    stages.push(run('--n_threads', '4', 'it', second, '-R', '--n 0 20 1'))
    await until(() => project.read(`.qanat/began_${id}`), Boolean)
  }
  project.write('.qanat/gate', '')
  await Promise.all(stages)
  for (const id of [2, 3]) {
    expect(await done(id, { changes: true })).toMatchObject({ groups: { finished: 20 } })
    for (let group = 0; group < 20; group++) {
      expect(output(id, group)).toBe('weights\nbeside\nrecorded\n')
      const left = ['results/it', `run_${id}`, '.run/left_behind', path, 'checkpoints', String(group)]
      await until(() => project.read(...left) === `${id}\n`)
    }
  }

  const seen = 'cat model.txt; ls checkpoints; echo "$CONDA_PREFIX $PYTHONPATH"'
  await run('--submit_template', 'conda', 'beside', ...groups(seen, 'true'))
  expect(await done(4, { experiment: 'beside' })).toMatchObject({ status: 'finished', code_changed: false })
  const env = absolute(`${near}/env`)
  const [python, code, prefix, imports] = output(4, 0, 'beside').trimEnd().split(/\n| /).slice(-4)
  expect([python, code, prefix]).toEqual([`${env}/bin/python`, 'recorded', env])
  // Folders of the copy may come first.
  expect(`:${imports}`.endsWith(`:${env}:lib`)).toBe(true)

  const [relative, typed] = [`${far}/x`, absolute(`${far}/x`)]
  const reads = ['it', 'echo "$VIRTUAL_ENV"; cat "$2"', '-g', relative, '-g', typed]
  const { stderr } = await run('--submit_template', 'far', ...reads)
  expect(stderr).toContain(`type the absolute ones instead: ${relative} → ${typed}\n`)
  expect(await done(5)).toMatchObject({ groups: { failed: 1, finished: 1 } })
  expect(output(5, 1)).toBe(`${absolute(`${far}/far`)}\nfar\n`)
}

/** Writes what the runs use inside of the repository and around it, and registers two experiments. */
async function prepare(project: LifecycleProject, near: string, far: string): Promise<void> {
  const activates = (place: string) => `VIRTUAL_ENV=${quote(project.path(place))}; export VIRTUAL_ENV\n`
  project.write(`${near}/data/x`, 'beside\n')
  project.write(`${near}/env/bin/activate`, activates(`${near}/env`))
  // A stand-in for conda, whose environments are folders.
  project.write(`${near}/env/bin/conda`, `#!/bin/sh\necho 'conda() { CONDA_PREFIX=$2; export CONDA_PREFIX; }'\n`)
  project.write(`${near}/env/bin/python`, '#!/bin/sh\necho "python of $0"\nexec sh "$@"\n')
  project.write(`${far}/far/bin/activate`, activates(`${far}/far`))
  project.write(`${far}/x`, 'far\n')
  project.write('it.sh', 'eval "$1"\n')
  project.write('code.txt', 'recorded\n')
  project.write('model.txt', 'recorded\n')
  project.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\n')
  project.write('beside.yaml', `name: beside\nexecutable: it.sh\nexecutable_command: ${near}/env/bin/python\n`)
  await project.command('git', 'init', '--quiet', join(near, 'study'))
  await project.qanat('init', '--yes')
  const templates = `{default: {}, venv: {venv: ${near}/env}, far: {venv: ${far}/far},
  conda: {conda: ${near}/env, env: {CONDA_EXE: ${near}/env/bin/conda, PYTHONPATH: '${near}/env:lib'}}}`
  const settings = ['local', 'slurm', 'htcondor'].map(runner => `${runner}: ${templates}\n`)
  project.write('.qanat/config.yaml', `poll_interval: 1\ngrace: 9\n${settings.join('')}`)
  for (const name of ['it', 'beside']) {
    const { code, stderr } = await project.qanat('experiment', 'new', '-f', `${name}.yaml`)
    expect([code, stderr]).toEqual([0, ''])
  }
  await project.commit('all')
}
