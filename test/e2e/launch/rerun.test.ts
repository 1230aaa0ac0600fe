import { execFileSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { ordinaryUser, qanatAsOrdinaryUser } from '../ordinary-user.js'
import { type Folder, shellProject } from '../project.js'

const isRoot = process.getuid!() === 0
const noOtherUser = skips('a rerun of the run of another user', isRoot ? null : 'only root can become another user')

test.skipIf(noOtherUser)('a rerun says whose file it is that holds the variables', async () => {
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

/** A run that failed, of an experiment that reads a dataset which git tracks and one that it ignores. */
async function withDatasets(...options: string[]): Promise<Folder> {
  const folder = await shellProject()
  for (const name of ['tracked', 'ignored', 'tracked_2']) folder.write(`data/${name}`, `${name}\n`)
  folder.write('.gitignore', 'data/ignored\n')
  const experiment = 'name: reads\nexecutable: reads.sh\nexecutable_command: sh\n'
  for (const [file, text] of [
    ['tracked', 'name: tracked\npath: data/tracked\n'],
    ['ignored', 'name: ignored\npath: data/ignored\n'],
    ['renamed', 'name: other\npath: data/tracked\n'],
    ['moved', 'name: tracked\npath: data/tracked_2\n'],
    ['elsewhere', 'name: other\npath: data/tracked_2\n'],
    ['reads', `${experiment}datasets: [tracked, ignored]\n`],
    ['none', experiment],
  ]) {
    folder.write(`.qanat/${file}.yaml`, text!)
  }
  folder.write('reads.sh', 'while [ $# -gt 0 ]; do [ "$1" != --dataset_path ] || cat "$2"; shift; done; exit 3\n')
  folder.commit()
  for (const name of ['tracked', 'ignored']) await folder.qanat('dataset', 'new', `.qanat/${name}.yaml`)
  expect((await folder.qanat('experiment', 'new', '.qanat/reads.yaml')).stderr).toBe('')
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
