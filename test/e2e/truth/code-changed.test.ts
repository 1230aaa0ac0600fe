import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { Folder, groups, shellProject } from '../project.js'

/** A run in the tree itself whose groups fail. */
async function ran(codes: readonly string[]): Promise<Folder> {
  const folder = await shellProject()
  folder.write('version', 'recorded\n')
  folder.commit()
  expect((await folder.qanat('run', '--snapshot', 'never', 'it', ...groups(...codes))).code).toBe(1)
  return folder
}

/** Edits the tree that it runs in, where that is the project's own. */
const edit = '[ "$PWD" != "$QANAT_PROJECT" ] || echo edited >version; exit 3'

describe('whether the code changed under a run that was retried', () => {
  test('is false once all of its groups ran the recorded code', async () => {
    const folder = await ran([edit])
    expect((await folder.show()).code_changed).toBe(true)
    await folder.qanat('run_retry', 'it', '1')
    expect(await folder.show()).toMatchObject({ code_changed: false, group_list: [{ attempt: 2 }] })
  })

  test('does not change if other groups have run in the tree', async () => {
    const folder = await ran([edit, 'true'])
    await folder.qanat('run_retry', 'it', '1')
    expect((await folder.show()).code_changed).toBe(true)
  })

  test('does not depend on a tree that was edited only later', async () => {
    const folder = await ran(['cat version; exit 3', 'true'])
    folder.write('version', 'edited later\n')
    const database = new Database(`${folder.path}/.qanat/database.db`)
    database.exec('UPDATE runs SET code_changed = NULL')
    database.close()
    await folder.qanat('run_retry', 'it', '1')
    expect((await folder.show()).code_changed).toBeNull()
  })

  test('does not change after a retry that was refused', async () => {
    const folder = await ran([edit])
    await folder.shell('rm -rf results/it/run_1/.run/attempts; touch results/it/run_1/.run/attempts')
    expect((await folder.qanat('run_retry', 'it', '1')).code).not.toBe(0)
    expect(await folder.show()).toMatchObject({ code_changed: true, group_list: [{ attempt: 1 }] })
  })

  test('can be unknown, which hinders nothing else', async () => {
    const folder = await shellProject()
    await folder.qanat('run', '--detach', '--snapshot', 'never', 'it', 'mv .git .git-away; exit 3')
    const waited = await folder.qanat('run_wait', 'it', '1')
    expect(waited).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot tell whether the code changed') })
    expect((await folder.show()).status).toBe('failed')
    expect((await folder.qanat('runs')).code).toBe(0)
  })
})

test('code that changed while a run ran is not called the same as that of another run', async () => {
  const folder = await shellProject()
  folder.write('version', 'recorded\n')
  folder.commit()
  const launched = await folder.qanat('run', '--snapshot', 'never', 'it', 'echo edited >version')
  expect(launched.stderr).toContain(
    'the code was not as recorded when run 1 ended, so it is not certain which code its groups ran\n' +
      'qanat run --snapshot always it …        runs a copy of the code that no edit reaches\n',
  )
  const named = "Warning: not as recorded when the run ended in the project's tree: version\n"
  expect(launched.stderr).toContain(named)
  expect((await folder.qanat('run_show', '1')).stdout).toContain(named)
  folder.write('version', 'recorded\n')
  expect((await folder.qanat('run', '--snapshot', 'never', 'it', 'true')).stderr).toBe('')
  expect((await folder.qanat('diff', '1', '2')).stdout).toContain(
    'Code: the recorded code is the same, but the tree was not as recorded when run 1 ended',
  )
  expect((await folder.qanat('compare', 'it', '1.0', '2.0')).stdout).toContain(
    'The recorded code is the same, but the tree was not as recorded when run 1 ended.',
  )
  const { cells } = await folder.json('compare', 'it', '--json')
  const codes = cells.map(({ parameters }: { parameters: Record<string, string> }) => parameters.commit)
  expect(codes).toEqual([expect.stringMatching(/^\w{7} changed \(run 1\)$/), expect.stringMatching(/^\w{7}$/)])
})

/** A project with a submodule, in which there is another one. */
async function withSubmodule(): Promise<Folder> {
  const [inner, library, project] = [new Folder(), new Folder(), await shellProject()]
  const submodule = (folder: Folder, ...args: string[]) =>
    folder.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', ...args)
  for (const folder of [inner, library]) {
    folder.git('init', '--quiet')
    folder.write('lib.sh', 'echo recorded\n')
    folder.commit()
  }
  submodule(library, 'add', inner.path, 'in')
  library.commit()
  submodule(project, 'add', library.path, 'lib')
  submodule(project, 'update', '--init', '--recursive')
  project.commit()
  return project
}

const inTree = ['run', '--snapshot', 'never', 'it', 'sh lib/lib.sh']

test('a warning that a submodule is not as the commit says is kept, and the code is not called the same', async () => {
  const project = await withSubmodule()
  const recorded = project.git('-C', 'lib', 'rev-parse', 'HEAD').slice(0, 12)
  project.write('lib/__pycache__/lib.pyc', '')
  expect(await project.qanat(...inTree)).toMatchObject({ code: 0, stderr: '' })

  project.write('lib/lib.sh', 'echo edited\n')
  const edited = `submodule lib stands at ${recorded} with uncommitted changes`
  expect((await project.qanat(...inTree)).stderr).toContain(`${edited}, but only ${recorded} is recorded`)
  expect(project.read('results/it/run_2/stdout.txt')).toBe('edited\n')
  expect((await project.qanat('run_show', '2')).stdout).toContain(edited)
  expect(await project.show(2)).toMatchObject({ dirty: false, code_changed: true })
  expect(project.read('results/it/run_2/.run/warnings.txt')).toContain("ended in the project's tree: lib\n")
  expect((await project.qanat('diff', '1', '2')).stdout).toContain('not as recorded when run 2 ended')

  project.git('-C', 'lib', 'commit', '--quiet', '--all', '--message', 'Edited')
  const moved = `submodule lib stands at ${project.git('-C', 'lib', 'rev-parse', 'HEAD').slice(0, 12)}, but`
  const frozen = await project.qanat('run', '--snapshot', 'always', 'it', 'sh lib/lib.sh')
  expect(frozen.stderr).toContain(`${moved} the run uses what is recorded: ${recorded}`)
  expect(project.read('results/it/run_3/stdout.txt')).toBe('recorded\n')
  expect(await project.show(3)).toMatchObject({ code_changed: false })
  expect((await project.qanat('run_show', '3')).stdout).toContain(moved)
  expect((await project.qanat('rerun', '2')).stderr).not.toContain('submodule')

  project.write('changed', '')
  await project.qanat('run', '--allow_dirty', '--snapshot', 'never', 'it', 'sh lib/lib.sh')
  expect(project.read('results/it/run_5/stdout.txt')).toBe('edited\n')
  expect(await project.show(5)).toMatchObject({ dirty: true, code_changed: false })
})

test('a run in the tree warns once of files of a submodule that git does not track but shows', async () => {
  const project = await withSubmodule()
  const cached = 'mkdir lib/in/__pycache__; touch lib/in/__pycache__/lib.pyc'
  expect(await project.qanat('run', 'it', cached)).toMatchObject({ code: 0, stderr: '' })
  expect(await project.qanat(...inTree)).toMatchObject({ code: 0, stderr: '' })

  project.write('lib/notes.txt', '')
  const told = 'submodule lib has files that git does not track, and they are not recorded: notes.txt\n'
  expect((await project.qanat(...inTree)).stderr).toBe(`Warning: ${told}`)
  expect(await project.show(3)).toMatchObject({ dirty: false, code_changed: false })
  expect((await project.qanat('run_show', '3')).stdout).toContain(told)
  expect((await project.qanat('run', '--snapshot', 'always', 'it', 'true')).stderr).toBe('')

  project.git('config', 'submodule.lib.ignore', 'dirty')
  expect((await project.qanat(...inTree)).stderr).toBe('')
  project.write('lib/lib.sh', 'echo edited\n')
  expect((await project.qanat(...inTree)).stderr).toContain('with uncommitted changes, but only')
  expect(await project.show(6)).toMatchObject({ code_changed: true })
  project.write('lib/lib.sh', 'echo recorded\n')
  project.git('-C', 'lib', 'update-index', '--assume-unchanged', 'lib.sh')
  expect((await project.qanat(...inTree)).stderr).toBe('')
  project.write('lib/lib.sh', 'echo edited\n')
  expect((await project.qanat(...inTree)).stderr).toContain('with uncommitted changes, but only')
})

test.each([
  [
    'whose repository is not there',
    'echo "gitdir: /nowhere" >lib/.git',
    'cannot be looked at (not a git repository: /nowhere)',
    null,
  ],
  ['that is a link', 'mv lib/.git away; mv lib away; ln -s away/lib lib', 'is a link to away/lib, but', true],
  ['that is a folder without a repository', 'rm lib/.git', 'holds files without being a checkout, but', true],
])('a submodule %s is told of and kept, and hinders no run in the tree', async (_, replace, told, changed) => {
  const project = await withSubmodule()
  project.write('.git/info/exclude', 'away\n')
  await project.shell(`mkdir away; ${replace}`)
  const options = [[], ['--allow_dirty']]
  for (const [at, more] of options.entries()) {
    const { code, stderr } = await project.qanat('run', ...more, ...inTree.slice(1))
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Warning: submodule lib ${told}`)])
    expect(stderr.split(told)).toHaveLength(2)
    expect(project.read(`results/it/run_${at + 1}/stdout.txt`)).toBe('recorded\n')
    expect(await project.show(at + 1)).toMatchObject({ dirty: false, code_changed: changed })
  }
  expect((await project.qanat('run_show', '1')).stdout).toContain(`submodule lib ${told}`)
  project.write('new.txt', 'new\n')
  expect((await project.qanat('run', '--allow_dirty', 'it', 'cat new.txt')).code).toBe(0)
  expect(project.read('results/it/run_3/.run/uncommitted.patch')).toContain('+new\n')
  expect((await project.qanat('doctor')).stdout).toMatch(/ok +git /)
})

test('a file in the place of a submodule is an uncommitted change', async () => {
  const project = await withSubmodule()
  project.git('config', 'submodule.lib.ignore', 'dirty')
  await project.shell('rm -r lib; echo "echo file" >lib')
  const run = ['it', 'sh lib']
  const refused = await project.qanat('run', ...run)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('uncommitted changes:\n   T lib\n') })
  expect((await project.qanat('run', '--allow_dirty', ...run)).code).toBe(0)
  expect(await project.show(1)).toMatchObject({ dirty: true, code_changed: false })
  expect(project.read('results/it/run_1/.run/uncommitted.patch')).toContain('+echo file')
})

test('code that was changed and put back while a run ran is a doubt, which makes nothing another code', async () => {
  const folder = await shellProject()
  folder.write('version', 'recorded\n')
  folder.write('moved', 'recorded\n')
  folder.write('notes.md', 'text\n')
  folder.commit()
  await folder.qanat('run', '--snapshot', 'never', 'it', 'true')
  expect((await folder.qanat('run_show', '1')).stdout).not.toContain('Warning')
  // With its old time, too, as a backup has it that is moved back.
  const back =
    'cp -p moved b; echo edited >moved; mv b moved; echo edited >version; echo recorded >version; touch notes.md'
  await folder.qanat('run', '--snapshot', 'never', 'it', back)
  const doubt = 'may have changed while the run ran, and is now as it was recorded: moved, version'
  expect((await folder.qanat('run_show', '2')).stdout).toContain(`Warning: ${doubt}\n`)
  expect((await folder.show(2)).code_changed).toBe(false)
  expect((await folder.qanat('diff', '1', '2')).stdout).toContain('Code: the same\n')
  await folder.qanat('run', '--snapshot', 'never', 'it', 'echo 1 >1; for n in 2 3 4 5 6 7; do echo $n >$n; done')
  const named = "Warning: not as recorded when the run ended in the project's tree: 1, 2, 3, 4, 5 and 2 more\n"
  expect((await folder.qanat('run_show', '3')).stdout).toContain(named)
})
