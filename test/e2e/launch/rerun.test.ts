import { describe, expect, test } from 'vitest'
import { type Folder, groups, shellProject } from '../project.js'

describe('rerun', () => {
  test('launches the same groups of the same commit, and refers to the old run, which keeps its tags and description', async () => {
    const folder = await shellProject()
    folder.write('version', 'old\n')
    folder.commit()
    const commit = folder.git('rev-parse', 'HEAD').trim()
    await folder.qanat(
      'run',
      '--tag',
      'paper',
      '--description',
      'the first',
      '--n_threads',
      '2',
      'it',
      ...groups('cat version', "echo 'it''s'"),
    )
    folder.write('version', 'new\n')
    folder.commit()
    const { code, stdout, stderr } = await folder.qanat('rerun', 'it', '1')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Run 2 of it')
    expect(folder.read('results/it/run_2/group_0/stdout.txt')).toBe('old\n')
    expect(folder.read('results/it/run_2/group_1/stdout.txt')).toBe('its\n')
    const run = await folder.show(2)
    expect(run).toMatchObject({ commit_sha: commit, rerun_of: 1, runner_params: { n_threads: 2 } })
    expect(run).toMatchObject({ tags: [], description: '' })
    expect((await folder.qanat('run_show', 'it', '2')).stdout).toContain('Rerun of: run 1\n')
    expect((await folder.show(1)).rerun_of).toBe(null)
  })

  test('includes uncommitted changes of the old run, but not those of the current tree', async () => {
    const folder = await shellProject()
    folder.write('version', 'dirty\n')
    await folder.qanat('run', '--allow_dirty', 'it', 'cat version')
    folder.write('version', 'dirtier\n')
    const { code, stderr } = await folder.qanat('rerun', 'it', '1')
    expect([code, stderr]).toEqual([0, ''])
    expect(folder.read('results/it/run_2/stdout.txt')).toBe('dirty\n')
    expect(await folder.show(2)).toMatchObject({ dirty: true })
    expect(folder.read('results/it/run_2/.run/uncommitted.patch')).toContain('+dirty')
  })

  test('works for a run whose folder somebody has deleted', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'echo kept')
    await folder.shell('rm -rf results/it/run_1')
    await folder.qanat('rerun', 'it', '1')
    expect(folder.read('results/it/run_2/stdout.txt')).toBe('kept\n')
  })

  test('of a missing run lists the runs', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'true')
    expect(await folder.qanat('rerun', 'it', '7')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('its runs are 1'),
    })
  })
})

/** A run that failed, of an experiment that reads a dataset which git tracks, one that it ignores, and one elsewhere. */
async function withDatasets(...options: string[]): Promise<Folder> {
  const folder = await shellProject()
  for (const name of ['tracked', 'ignored', 'tracked_2']) folder.write(`data/${name}`, `${name}\n`)
  folder.write('.gitignore', 'data/ignored\n')
  for (const name of ['tracked', 'ignored']) {
    folder.write(`${name}.yaml`, `name: ${name}\npath: data/${name}\n`)
  }
  folder.write('reads.sh', 'while [ $# -gt 0 ]; do [ "$1" != --dataset_path ] || cat "$2"; shift; done; exit 3\n')
  folder.write(
    'reads.yaml',
    'name: reads\nexecutable: reads.sh\nexecutable_command: sh\ndatasets: [tracked, ignored]\n',
  )
  folder.commit()
  for (const name of ['tracked', 'ignored']) await folder.qanat('dataset', 'new', `${name}.yaml`)
  expect((await folder.qanat('experiment', 'new', 'reads.yaml')).stderr).toBe('')
  expect((await folder.qanat('run', ...options, 'reads')).code).toBe(1)
  return folder
}

describe.each([
  ['frozen', ['--snapshot', 'always']],
  ['in the tree', []],
])('after its datasets have changed, a run that was %s', (_, options) => {
  const changes: [string, string, string][] = [
    [
      'deleted',
      'qanat experiment update reads -f none.yaml && qanat dataset delete -y tracked',
      'the dataset tracked no longer exists',
    ],
    ['renamed', 'qanat dataset update tracked -f renamed.yaml', 'the dataset tracked no longer exists'],
    ['moved', 'qanat dataset update tracked -f moved.yaml', 'the path of the dataset tracked is now data/tracked_2'],
  ]
  test.each(changes)('is retried and rerun with the datasets that it read (%s)', async (_, change, said) => {
    const folder = await withDatasets(...options)
    folder.write('.qanat/none.yaml', 'name: reads\nexecutable: reads.sh\nexecutable_command: sh\n')
    folder.write('.qanat/renamed.yaml', 'name: other\npath: data/tracked\n')
    folder.write('.qanat/moved.yaml', 'name: tracked\npath: data/tracked_2\n')
    expect(await folder.shell(change.replace(/-f (\S+)/, '-f .qanat/$1'))).toMatchObject({ code: 0 })
    await folder.shell('rm -rf .qanat/cache; git worktree prune --expire=now')
    expect((await folder.qanat('run_retry', 'reads', '1')).code).toBe(1)
    expect(folder.read('results/reads/run_1/stdout.txt')).toBe('tracked\nignored\n')
    const again = await folder.qanat('rerun', 'reads', '1')
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(said)])
    expect(again.stderr).toContain(`${folder.path}/data/tracked, as run 1 did; `)
    expect(folder.read('results/reads/run_2/stdout.txt')).toBe('tracked\nignored\n')
    await folder.qanat('rerun', 'reads', '2')
    expect(folder.read('results/reads/run_3/stdout.txt')).toBe('tracked\nignored\n')
  })

  test('warns only of a dataset that is gone', async () => {
    const folder = await withDatasets(...options)
    expect((await folder.qanat('rerun', 'reads', '1')).stderr).toBe('')
    await folder.shell('rm data/ignored')
    expect((await folder.qanat('rerun', 'reads', '1')).stderr).toContain('data/ignored is not on this machine')
  })
})
