import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { Folder, groups, shellProject } from '../project.js'

/** The folder of the only frozen copy there is, relative to the project. */
function copyOf(project: Folder, folder = '.'): string {
  const names = project.copies(folder)
  expect(names).toHaveLength(1)
  return join(folder, '.qanat/cache', names[0]!)
}

/** A project that ignores its data, with a frozen copy of its only commit. */
const withCopy = madeOnce(async () => {
  const project = await shellProject()
  project.write('.gitignore', '/results\n/data*\n')
  project.write('code.txt', 'recorded')
  project.commit()
  expect((await project.qanat('run', 'it', ...groups('true', 'true'))).code).toBe(0)
  return project
})

const output = (project: Folder, run: number, group: number) =>
  project.read(`results/it/run_${run}/group_${group}/stdout.txt`)

describe('frozen code', () => {
  test('what lies beside the repository is where it is in the tree, also for a project in a subfolder', async () => {
    const parent = new Folder()
    parent.write('data/x', 'beside')
    parent.write('env/bin/python', '#!/bin/sh\necho "python of $0"; exec sh "$@"', 0o755)
    parent.write("it's\nnew/x", 'odd')
    parent.write('study/sub/it.sh', 'cat ../../data/x\n')
    parent.write('study/sub/it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: ../../env/bin/python\n')
    const study = join(parent.path, 'study')
    execFileSync('git', ['init', '--quiet'], { cwd: study })
    parent.git('-C', 'study', 'add', '--all')
    parent.git('-C', 'study', 'commit', '--quiet', '--message', 'study')
    const inSub = (...words: string[]) => parent.qanatIn('study/sub', ...words)
    await inSub('init', '--yes')
    await inSub('experiment', 'new', '-f', 'it.yaml')
    expect(await inSub('run', 'it', '-R', '--n 0 2 1')).toMatchObject({ code: 0, stderr: '' })
    const printed = parent.read('study/sub/results/it/run_1/group_1/stdout.txt')
    expect(printed).toMatch(/^python of .*\/env\/bin\/python\nbeside$/)
    const cache = 'study/sub/.qanat/cache'
    expect(parent.read(`${cache}/it's\nnew/x`)).toBe('odd')
    renameSync(join(parent.path, 'data'), join(parent.path, 'datasets'))
    parent.write('mine', 'not ours')
    symlinkSync(join(parent.path, 'mine'), join(parent.path, cache, 'link of mine'))
    await inSub('run', 'it', '-R', '--n 0 2 1')
    expect(parent.list(cache).filter(name => !/^[0-9a-f]{12}$/.test(name))).toEqual([
      ...['datasets', 'env', "it's\nnew", 'link of mine', 'mine'],
    ])
    expect((await inSub('cache', 'clean')).stdout).toContain('Removed')
    expect(parent.list('.')).toEqual(['datasets', 'env', "it's\nnew", 'mine', 'study'])
  })

  test('a project that was moved can launch the commit that was frozen before', async () => {
    const project = await withCopy()
    const moved = new Folder()
    renameSync(project.path, moved.path)
    const { code, stderr } = await moved.qanat('run', 'it', ...groups('pwd', 'git rev-parse HEAD'))
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(output(moved, 2, 0)).toBe(`${moved.path}/${copyOf(moved)}\n`)
    expect(output(moved, 2, 1)).toBe(moved.git('rev-parse', 'HEAD'))
    expect(await moved.show(1)).toMatchObject({ status: 'finished', storage_path: 'results/it/run_1' })
  })

  test('a project that was copied takes no link into the original for a file that a script has left', async () => {
    const project = await withCopy()
    const copied = new Folder()
    await project.shell(`cp -r . ${copied.path}/`)
    const { code, stdout, stderr } = await copied.qanat('run', 'it', ...groups('pwd', 'readlink -f results'))
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).not.toContain('left_behind')
    expect(output(copied, 2, 0)).toBe(`${copied.path}/${copyOf(copied)}\n`)
    expect(output(copied, 2, 1)).toBe(`${copied.path}/results\n`)
    expect(project.has('results/it/run_2')).toBe(false)
  })

  test('a link that a script has left stays its file, also if it leads to the same path of another project', async () => {
    const [project, other] = [await shellProject(), await shellProject()]
    other.write('best/model.txt', 'weights')
    const script = `mkdir -p best; ln -s ${other.path}/best/model.txt best/model.txt; echo new >best/note.txt`
    const { code, stderr } = await project.qanat('run', 'it', ...groups(script, 'true'))
    expect([code, stderr]).toEqual([0, expect.stringContaining('left_behind')])
    const left = join(project.path, 'results/it/run_1/.run/left_behind/best')
    expect(readdirSync(left).sort()).toEqual(['model.txt', 'note.txt'])
    expect(other.read('best/model.txt')).toBe('weights')
  })

  test('a project in a subfolder of its repository runs in that folder of the copy', async () => {
    const folder = new Folder()
    folder.git('init', '--quiet')
    folder.write('shared.txt', 'shared')
    folder.write('sub/it.sh', 'cat ../shared.txt; pwd; cat data/x')
    folder.write('sub/it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\n')
    folder.write('sub/.gitignore', '/data\n')
    folder.commit()
    folder.write('sub/data/x', 'ignored')
    await folder.qanatIn('sub', 'init', '--yes')
    await folder.qanatIn('sub', 'experiment', 'new', '-f', 'it.yaml')
    const { code, stderr } = await folder.qanatIn('sub', 'run', 'it', '-R', '--n 0 2 1')
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const copy = copyOf(folder, 'sub')
    expect(folder.read('sub/results/it/run_1/group_1/stdout.txt')).toBe(`shared${folder.path}/${copy}/sub\nignored`)
    expect(lstatSync(join(folder.path, copy, 'sub/data')).isSymbolicLink()).toBe(true)
    // Any folder of the project will do, also one within the copy.
    expect((await folder.qanatIn(`${copy}/sub`, 'run_show', 'it', '1')).code).toBe(0)
    folder.write('other.txt', 'outside of the project, yet of its commit')
    expect((await folder.qanatIn('sub', 'run', 'it')).code).toBe(2)
  })

  test('submodules are there as the commit has them', async () => {
    const library = new Folder()
    library.git('init', '--quiet')
    library.write('lib.txt', 'first')
    library.commit()
    const project = await shellProject()
    project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'lib')
    project.commit()
    const inside = (...args: string[]) =>
      execFileSync('git', args, { cwd: join(project.path, 'lib'), env: project.environment })
    project.write('lib/lib.txt', 'second')
    inside('commit', '--quiet', '--all', '--message', 'moved')
    const { code, stderr } = await project.qanat(
      'run',
      'it',
      ...groups('cat lib/lib.txt; echo spoilt >lib/lib.txt', 'true'),
    )
    expect(stderr).toMatch(/^Warning: submodule lib stands at \w{12}, but the run uses what is recorded: \w{12}$/m)
    expect(code).toBe(0)
    expect(output(project, 1, 0)).toBe('first')
    await project.qanat('run', 'it', ...groups('cat lib/lib.txt', 'true'))
    expect(output(project, 2, 0)).toBe('first')
    expect(project.read('lib/lib.txt')).toBe('second')
    project.write('other.txt', '')
    project.commit()
    project.write('lib/.git', 'gitdir: /nowhere\n')
    const refused = await project.qanat('run', 'it', ...groups('true', 'true'))
    const problem = 'submodule lib cannot be put into a frozen copy: git worktree: not a git repository: /nowhere\n'
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) })
    expect(refused.stderr).toContain(`git -C ${project.path}/lib status\n`)
  })
})
