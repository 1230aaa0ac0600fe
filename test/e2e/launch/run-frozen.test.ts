import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { awaits, Folder, groups, open, shellProject, until } from '../project.js'

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
  test('an edit while a grid runs does not reach groups that start later', async () => {
    const project = await shellProject()
    project.write('code.txt', 'recorded')
    project.commit()
    const running = project.json('run', '--json', 'it', ...groups(`${awaits('edited')}`, 'cat code.txt'))
    await until(() => project.has('results/it/run_1/group_0/stdout.txt'))
    project.write('code.txt', 'edited')
    project.write('it.sh', 'exit 1')
    project.commit()
    open(project, 'edited')
    expect(await running).toMatchObject({ status: 'finished', code_changed: false })
    expect(output(project, 1, 1)).toBe('recorded')
  })

  test('it equals the commit: modes and links survive, and ignored paths are links to those of the project', async () => {
    const project = await shellProject()
    project.write('tool', '#!/bin/sh\necho tool', 0o755)
    symlinkSync('tool', join(project.path, 'link'))
    project.write('.gitignore', '/results\n/data/\n/.venv\n__pycache__/\n*.bin\n')
    for (const path of ['data/a', '.venv/pyvenv.cfg', '__pycache__/x.pyc', 'src/model.bin']) project.write(path, path)
    project.write('src/kept.txt', '')
    project.commit()
    await project.qanat('run', 'it', ...groups('./tool; ./link; cat data/a', 'echo made >data/b'))
    expect(output(project, 1, 0)).toBe('tool\ntool\ndata/a')
    expect(project.read('data/b')).toBe('made\n')
    const copy = join(project.path, copyOf(project))
    const targets = ['data', '.venv', 'src/model.bin'].map(path => readlinkSync(join(copy, path)))
    expect(targets).toEqual(['data', '.venv', 'src/model.bin'].map(path => join(project.path, path)))
    const ours = ['__pycache__', '.qanat/cache', '.qanat/database.db']
    expect(ours.filter(path => project.has(join(copyOf(project), path)))).toEqual([])
    expect(readlinkSync(join(copy, 'link'))).toBe('tool')
  })

  test.each(['results', 'out/results'])(
    'results of earlier runs have the same paths as in the tree: %s',
    async results => {
      const project = await shellProject()
      await project.qanat('config', 'set', 'result_dir', results)
      project.write('.gitignore', `/${results}\n`)
      project.commit()
      const trains = await project.qanat('run', 'it', ...groups('echo weights >"$3/model.pt"', `ls ${results}/it`))
      expect([trains.stderr, project.read(`${results}/it/run_1/group_1/stdout.txt`)]).toEqual(['', 'run_1\n'])
      await project.qanat('run', 'it', ...groups(`cat ${results}/it/run_1/group_0/model.pt`, 'true'))
      expect(project.read(`${results}/it/run_2/group_0/stdout.txt`)).toBe('weights\n')
      expect((await project.qanat('cache', 'clean')).code).toBe(0)
      expect(project.list(`${results}/it`)).toEqual(['run_1', 'run_2'])
    },
  )

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

  test('links to ignored paths are renewed at the next launch', async () => {
    const project = await withCopy()
    project.write('data_late/x', 'late')
    const { code } = await project.qanat('run', 'it', ...groups('cat data_late/x', 'true'))
    expect(code).toBe(0)
    expect(output(project, 2, 0)).toBe('late')
  })

  test('a file that a script has overwritten is restored at the next launch', async () => {
    const project = await shellProject()
    project.write('code.txt', 'recorded')
    project.commit()
    const spoils = 'echo spoilt >code.txt; rm it.yaml; chmod +x it.sh; git add --all'
    expect((await project.qanat('run', 'it', ...groups(spoils, 'true'))).code).toBe(0)
    expect((await project.qanat('run', 'it', ...groups('cat code.txt it.yaml', '[ ! -x it.sh ]'))).code).toBe(0)
    expect(output(project, 2, 0)).toBe(`recorded${project.read('it.yaml')}`)
    expect(project.read('code.txt')).toBe('recorded')
  })

  test("a copy that has lost its .git is made again, and the user's tree is not changed", async () => {
    const project = await withCopy()
    rmSync(join(project.path, copyOf(project), '.git'))
    project.write(join(copyOf(project), 'code.txt'), 'spoilt')
    project.write('code.txt', 'precious')
    const { code } = await project.qanat('run', '--commit_sha', 'HEAD', 'it', ...groups('cat code.txt', 'true'))
    expect(project.read('code.txt')).toBe('precious')
    expect(code).toBe(0)
    expect(output(project, 2, 0)).toBe('recorded')
  })

  test('a copy that somebody has deleted is made again', async () => {
    const project = await withCopy()
    rmSync(join(project.path, '.qanat/cache'), { recursive: true })
    expect((await project.qanat('run', 'it', ...groups('true', 'true'))).code).toBe(0)
    copyOf(project)
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

  test('hooks of the repository do not run for it', async () => {
    const project = await shellProject()
    project.write('.git/hooks/post-checkout', `#!/bin/sh\ntouch "${project.path}/.qanat/hooked"`, 0o755)
    expect((await project.qanat('run', 'it', ...groups('true', 'true'))).code).toBe(0)
    expect(project.has('.qanat/hooked')).toBe(false)
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

describe('the commit of a run', () => {
  test('is protected from garbage collection by a ref of its own, which is deleted with the run', async () => {
    const project = await shellProject()
    const refs = () =>
      project
        .git('for-each-ref', '--format=%(objectname)', 'refs/qanat/')
        .split('\n')
        .filter(line => line !== '')
    project.write('code.txt', 'one')
    project.commit()
    const first = project.git('rev-parse', 'HEAD').trim()
    await project.qanat('run', 'it', 'true')
    project.git('reset', '--quiet', '--hard', 'HEAD~1')
    project.git('reflog', 'expire', '--expire=now', '--all')
    project.git('gc', '--quiet', '--prune=now')
    await project.qanat('run', 'it', 'true')
    expect(refs().sort()).toEqual([first, project.git('rev-parse', 'HEAD').trim()].sort())
    expect((await project.qanat('run', '--commit_sha', first, 'it', 'cat code.txt')).stdout).toContain('\none')
    await project.qanat('run_delete', 'it', '1', '3', '--yes')
    await project.qanat('trash', 'empty', '--yes')
    expect(refs()).toEqual([project.git('rev-parse', 'HEAD').trim()])
  })

  test('may be an older one, by its short name, a tag or a branch; the tree may be dirty then', async () => {
    const project = await shellProject()
    project.write('code.txt', 'old')
    project.commit()
    project.git('tag', 'v1')
    project.write('code.txt', 'new')
    project.commit()
    project.write('code.txt', 'dirty')
    const sha = project.git('rev-parse', 'v1').trim()
    for (const name of [sha.slice(0, 8), 'v1']) {
      const { stdout, stderr } = await project.qanat('run', '--json', '--commit_sha', name, 'it', 'cat code.txt')
      expect(stderr).toBe('old')
      expect(JSON.parse(stdout)).toMatchObject({ commit_sha: sha, dirty: false, code_changed: false })
    }
    const { code, stderr } = await project.qanat('run', '--commit_sha', 'nowhere', 'it', 'true')
    expect(code).toBe(2)
    expect(stderr).toContain("no commit 'nowhere'")
    project.git('commit', '--quiet', '--all', '--message', 'x')
    project.git('rm', '--quiet', 'it.sh')
    project.commit()
    expect((await project.qanat('run', 'it', 'true')).code).toBe(2)
    expect((await project.qanat('run', '--commit_sha', 'v1', 'it', 'cat code.txt')).stdout).toContain('\nold')
  })

  test.each([
    ['never', '.', 'never'],
    ['always', '.qanat/cache/', 'always'],
  ])('is frozen %s if --snapshot says so', async (_, folder, snapshot) => {
    const project = await shellProject()
    await project.qanat('run', '--snapshot', snapshot, 'it', 'pwd')
    const grid = await project.json('run', '--json', '--snapshot', snapshot, 'it', ...groups('pwd', 'true'))
    expect(grid).toMatchObject({ status: 'finished', code_changed: false })
    const expected = folder === '.' ? project.path : join(project.path, copyOf(project))
    expect([project.read('results/it/run_1/stdout.txt'), output(project, 2, 0)]).toEqual([
      `${expected}\n`,
      `${expected}\n`,
    ])
    expect(statSync(expected).isDirectory()).toBe(true)
  })
})
