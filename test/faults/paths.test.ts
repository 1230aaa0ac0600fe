import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectError } from '../e2e/expectations.js'
import { madeOnce } from '../e2e/made-once.js'
import { groups, shellProject } from '../e2e/project.js'
import { contents, victim } from './outside.js'

test('--storage_path is refused where it leads into our own folders or those of git, also by a link', async () => {
  const project = await shellProject()
  const outside = victim()
  const before = contents(outside)
  symlinkSync('.qanat', join(project.path, 'alias'))
  symlinkSync('../.git', join(project.path, '.qanat/git'))
  symlinkSync(outside.path, join(project.path, '.qanat/outside'))
  for (const path of '.git/hooks/x results/../.qanat/x alias/x .qanat/git/x .qanat/outside it.sh/x'.split(' ')) {
    expectError(await project.qanat('run', '--allow_dirty', '--storage_path', path, 'it', 'true'), 2, '--storage_path')
  }
  expect(contents(outside)).toEqual(before)
  expect(project.list('.qanat')).not.toContain('x')
})

/** A project with a run of two groups, of which one failed. */
const finished = madeOnce(async () => {
  const project = await shellProject()
  await project.qanat('run', 'it', ...groups('true', 'echo tried; [ -e "$QANAT_PROJECT/.qanat/fixed" ]'))
  return project
})

const ofRuns = [
  'run_delete it 1 --yes && qanat trash empty --yes; qanat trash restore 1',
  'run_retry it 1',
  'run_comment it 1 -m mine',
  'run_show it 1; qanat run_tag it 1 +x',
]

const folders = ['results', ...['', '/run_1', '/run_1/.run', '/run_1/group_0'].map(path => `results/it${path}`)]

describe.each<[string, readonly string[]]>([
  ...folders.map((folder): [string, string[]] => [folder, ofRuns]),
  ['results/.trash', ofRuns.slice(0, 1)],
  ['.qanat/cache', ['cache clean']],
  ['.qanat/definitions', ['export']],
])('%s, replaced by a link', (place, lines) => {
  test.each(lines)('is not followed by qanat %s', async line => {
    const project = await finished()
    const outside = victim()
    const before = contents(outside)
    const path = join(project.path, place)
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(outside.path, path)
    expect((await project.shell(`qanat ${line}`)).stderr).not.toContain('QANAT_DEBUG')
    expect(contents(outside)).toMatchObject(before)
  })
})

test('a run whose folder was moved to another disk, with a link in its place, continues', async () => {
  const project = await finished()
  renameSync(join(project.path, 'results/it/run_1'), join(project.path, 'results/moved'))
  symlinkSync('../moved', join(project.path, 'results/it/run_1'))
  project.write('.qanat/fixed', '')
  expect(await project.qanat('run_retry', 'it', '1')).toMatchObject({ code: 0, stderr: '' })
  expect(project.read('results/moved/group_1/stdout.txt')).toBe('tried\n')
})
