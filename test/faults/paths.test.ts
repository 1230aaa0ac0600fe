import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { expectError } from '../e2e/expectations.js'
import { madeOnce } from '../e2e/made-once.js'
import { type Folder, groups, shellProject } from '../e2e/project.js'
import { contents, victim } from './outside.js'

let [refused, kept] = [0, 0]
afterAll(() => {
  console.log(`${refused} names, ids and paths that lead out of the project: all refused`)
  console.log(`${kept} commands on folders that were replaced by links: nothing changed behind any`)
})

const names = [
  ...String.raw`../it .. . /etc/passwd a/b a\b -x .hidden ~ $HOME é`.split(' '),
  'a b',
  'a\nb',
  'a\0',
  'x'.repeat(65),
]
const ids = ['../1 1/../2 -1 +1 1.5 0x1 1e0 １ NaN __proto__ * %s'.split(' '), '1\n', ' 1', '', '9'.repeat(30)].flat()

describe('an invalid name is refused, and leaves nothing behind', () => {
  test.each([
    ['experiment', (name: string) => ({ name, executable: 'it.sh' })],
    ['experiment', (name: string) => ({ name: 'fine', executable: 'it.sh', actions: [{ name, executable: 'it.sh' }] })],
    ['experiment', (name: string) => ({ name: 'fine', executable: 'it.sh', datasets: [name] })],
    ['dataset', (name: string) => ({ name, path: 'it.sh' })],
  ])('of an %s', async (kind, definition) => {
    const project = await shellProject()
    for (const name of names) {
      project.write('.qanat/given.yaml', stringify(definition(name)))
      expectError(await project.qanat(kind, 'new', '-f', '.qanat/given.yaml'), 2, '.qanat/given.yaml:')
      refused++
    }
    expect((await project.json('status', '--json')).experiments).toBe(1)
  })
})

test('files of a document must be in the folder of a run', async () => {
  const project = await shellProject()
  for (const file of ['../x', '/etc/passwd', 'a/../../x', '..', '.', 'a/..', './/']) {
    const dependency = { experiment_name: 'it', files: [file] }
    const document = { name: 'paper', path: '.', compile_script: 'it.sh', experiment_dependencies: [dependency] }
    project.write('.qanat/given.yaml', stringify(document))
    expectError(await project.qanat('document', 'new', '-f', '.qanat/given.yaml'), 2, 'is not inside the folder')
    refused++
  }
})

test('ids of runs and numbers of groups are numbers, and nothing else', async () => {
  const project = await finished()
  const before = await project.show()
  const commands = [
    ...['run_show', 'run_logs', 'run_cancel', 'run_wait', 'why', 'rerun', 'run_retry'].map(name => [name, 'it']),
    ['run_delete', '--yes', 'it'],
  ]
  for (const id of ids) {
    const lines = commands.map(words => [...words, '--', id])
    lines.push(
      ['run_logs', 'it', '1', `--group=${id}`],
      ['run_comment', '-m', 'x', 'it', '--', id],
      ['why', 'it', `1.${id}x`],
    )
    const outcomes = await Promise.all(lines.map(line => project.qanat(...line)))
    for (const [at, { code, stderr, stdout }] of outcomes.entries()) {
      const line = lines[at]
      expect([line, code, stdout, stderr]).toEqual([line, 2, '', expect.stringMatching(/^Error: (?!.*QANAT_DEBUG)/)])
      refused++
    }
  }
  expect(await project.show()).toEqual(before)
  expect(project.list('results/it')).toEqual(['run_1'])
})

test('--storage_path is refused for our own folders and for folders with files', async () => {
  const project = await shellProject()
  const outside = victim()
  const before = contents(outside)
  symlinkSync('.qanat', join(project.path, 'alias'))
  symlinkSync('../.git', join(project.path, '.qanat/git'))
  symlinkSync(outside.path, join(project.path, '.qanat/outside'))
  const paths = '.git/hooks/x results/../.qanat/x alias/x .qanat/git/x .qanat/outside it.sh/x'.split(' ')
  for (const path of [...paths, outside.path]) {
    const outcome = await project.qanat('run', '--allow_dirty', '--storage_path', path, 'it', 'true')
    expectError(outcome, 2, '--storage_path')
    refused++
  }
  expect(contents(outside)).toEqual(before)
  expect(project.list('.qanat')).not.toContain('x')
})

/** A project with a run of two groups, of which one failed; what it did is in its trash, its cache, its definitions. */
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

describe.each<{ place: string; lines: readonly string[] }>([
  ...['run_1', 'run_1/.run', 'run_1/group_0', ''].map(place => ({ place: join('results/it', place), lines: ofRuns })),
  { place: 'results', lines: ofRuns },
  { place: 'results/.trash', lines: ofRuns.slice(0, 1) },
  { place: '.qanat/cache', lines: ['cache clean'] },
  { place: '.qanat/definitions', lines: ['export'] },
])('$place, replaced by a link', ({ place, lines }) => {
  test.each(lines)('is not followed by qanat %s', async line => {
    const project = await finished()
    const outside = victim()
    const before = contents(outside)
    replace(project, place, outside.path)
    const { stderr } = await project.shell(`qanat ${line}`)
    expect(stderr).not.toContain('QANAT_DEBUG')
    const after = contents(outside)
    expect(Object.keys(before).filter(path => after[path] !== before[path])).toEqual([])
    kept++
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

function replace(project: Folder, place: string, target: string): void {
  const path = join(project.path, place)
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}
