import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { ordinaryUser, qanatAsOrdinaryUser } from '../ordinary-user.js'
import { type Folder, groups, shellProject } from '../project.js'

const isRoot = process.getuid!() === 0
const noOtherUser = skips('a rerun of the run of another user', isRoot ? null : 'only root can become another user')

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

  test('has the variables of the run, whatever the template says by now', async () => {
    const folder = await shellProject()
    const show = 'printf "%s|%s|%s" "$TAKEN" "$NUMBER" "${EMPTY-unset}"'
    const value = "it's\n$HOME `id`"
    folder.write('mine.yaml', stringify({ env: { TAKEN: value, NUMBER: 4, EMPTY: '' }, setup: 'export SHOWN=1\n' }))
    await folder.qanat('run', '--submit_template', 'mine.yaml', 'it', show)
    folder.write('mine.yaml', 'env: {NUMBER: 5}\n')
    folder.commit()
    expect((await folder.qanat('rerun', '1')).stderr).toBe('')
    expect(folder.read('results/it/run_2/stdout.txt')).toBe(`${value}|4|`)
    expect((await folder.qanat('rerun', '2', '--submit_template', 'mine.yaml')).stderr).toBe('')
    expect(folder.read('results/it/run_3/stdout.txt')).toBe('|5|unset')
  })

  test.each([
    ['rerun', 'true'],
    ['run_retry', 'false'],
  ])('%s refuses to guess variables that cannot be read, and takes those of a template', async (command, code) => {
    const folder = await shellProject()
    await folder.qanat('config', 'set', 'local.loud.env.VOLUME', 'high')
    await folder.qanat('run', '--submit_template', 'loud', 'it', `echo "$VOLUME"; ${code}`)
    const settings = 'results/it/run_1/.run/settings.sh'
    const hint = `  qanat ${command} 1 --submit_template loud        uses the template as it is now\n`
    const written = folder.read(settings)
    folder.write(settings, written.replace('export VOLUME=high\n', ''))
    expectError(await folder.qanat(command, '1'), 2, `VOLUME`, `${settings} no longer has VOLUME\n`, hint)
    rmSync(join(folder.path, settings))
    expectError(await folder.qanat(command, '1'), 2, `${settings} is gone\n`, hint)
    mkdirSync(join(folder.path, settings))
    expectError(await folder.qanat(command, '1'), 2, `${settings} cannot be read\n`, hint)
    expect((await folder.json('runs', '--json')).runs).toHaveLength(1)
    await folder.qanat('config', 'set', 'local.loud.env.VOLUME', 'low')
    await folder.qanat('rerun', '1', '--submit_template', 'loud')
    expect(folder.read('results/it/run_2/stdout.txt')).toBe('low\n')
  })

  test.skipIf(noOtherUser)('says whose file it is that holds the variables', async () => {
    const folder = await shellProject()
    await folder.qanat('config', 'set', 'local.default.env.VOLUME', 'high')
    await folder.qanat('run', 'it', 'true')
    const settings = 'results/it/run_1/.run/settings.sh'
    // Unlike a recursive list of Node.js 20, this follows no links.
    execFileSync('chown', ['-hR', `${ordinaryUser.uid}:${ordinaryUser.gid}`, folder.path])
    chownSync(join(folder.path, settings), 0, 0)
    const outcome = await qanatAsOrdinaryUser(folder, '.', 'rerun', '1')
    const told = `${settings} belongs to user 0, who alone can read it`
    expectError(outcome, 2, 'VOLUME', told, 'qanat rerun 1 --submit_template default')
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
  const changes: [string, string, string | null][] = [
    [
      'deleted',
      'qanat experiment update reads -f none.yaml && qanat dataset delete -y tracked',
      'the dataset tracked no longer exists',
    ],
    // It lies where it was: there is nothing to warn of.
    ['renamed', 'qanat dataset update tracked -f renamed.yaml', null],
    ['moved', 'qanat dataset update tracked -f moved.yaml', 'the path of the dataset tracked is now data/tracked_2'],
    [
      'renamed and then moved',
      'qanat dataset update tracked -f renamed.yaml && qanat dataset update other -f elsewhere.yaml',
      'the dataset tracked no longer exists',
    ],
  ]
  test.each(changes)('is retried and rerun with the datasets that it read (%s)', async (_, change, said) => {
    const folder = await withDatasets(...options)
    folder.write('.qanat/none.yaml', 'name: reads\nexecutable: reads.sh\nexecutable_command: sh\n')
    folder.write('.qanat/renamed.yaml', 'name: other\npath: data/tracked\n')
    folder.write('.qanat/moved.yaml', 'name: tracked\npath: data/tracked_2\n')
    folder.write('.qanat/elsewhere.yaml', 'name: other\npath: data/tracked_2\n')
    expect(await folder.shell(change.replace(/-f (\S+)/g, '-f .qanat/$1'))).toMatchObject({ code: 0 })
    await folder.shell('rm -rf .qanat/cache; git worktree prune --expire=now')
    expect((await folder.qanat('run_retry', 'reads', '1')).code).toBe(1)
    expect(folder.read('results/reads/run_1/stdout.txt')).toBe('tracked\nignored\n')
    const again = await folder.qanat('rerun', 'reads', '1')
    expect(again).toMatchObject({
      code: 1,
      stderr: said === null ? '' : `Warning: reading ${folder.path}/data/tracked, as run 1 did; ${said}\n`,
    })
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

test('a commit runs again in which a file is where ignored paths are in a folder today', async () => {
  const project = await shellProject()
  project.write('data', 'recorded\n')
  project.write('.gitignore', 'cache\n')
  project.commit()
  const read = 'cat data'
  expect((await project.qanat('run', 'it', ...groups(read, read))).code).toBe(0)
  rmSync(join(project.path, 'data'))
  for (const path of ['data/code.txt', 'data/cache/x', 'data/deep/code.txt', 'data/deep/cache/x'])
    project.write(path, path)
  project.commit()
  expect(await project.qanat('rerun', '1')).toMatchObject({ code: 0 })
  expect(project.read('results/it/run_2/group_1/stdout.txt')).toBe('recorded\n')
})
