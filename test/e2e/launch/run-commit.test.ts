import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Folder, shellProject } from '../project.js'

/** A project with a submodule, which stands at the commit before the recorded one, and what was committed last. */
async function withSubmodule() {
  const library = new Folder()
  library.git('init', '--quiet')
  library.write('lib.txt', 'first')
  library.commit()
  library.write('lib.txt', 'second')
  library.commit()
  const project = await shellProject()
  project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'lib')
  project.commit()
  project.git('-C', 'lib', 'checkout', '--quiet', 'HEAD~1')
  const last = () => project.git('log', '-1', '--format=%s').trim()
  return { project, last }
}

describe('run --commit', () => {
  test('commits uncommitted changes, except ignored files, and the run records that commit', async () => {
    const project = await shellProject()
    project.write('untracked/new.txt', 'new\n')
    project.git('mv', 'it.yaml', 'sub.yaml')
    project.write('it.sh', `${project.read('it.sh')}# edited\n`)
    const { stdout, stderr, code } = await project.qanat('run', '--json', '--commit', 'Why not', 'it', 'true')
    expect(code).toBe(0)
    expect(stderr).toContain("committed as 'Why not'")
    expect(stderr).toContain('\n  A untracked/new.txt\n')
    expect(project.git('log', '-1', '--format=%s %H').trim()).toBe(`Why not ${JSON.parse(stdout).commit_sha}`)
    expect(project.git('status', '--porcelain')).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ dirty: false, code_changed: false })
  })

  test('commits a new parameter file alone, and names it', async () => {
    const project = await shellProject()
    project.write('grid.yaml', 'fixed_args: {positional: {0: "true"}}\n')
    const { code, stderr } = await project.qanat('run', '--commit', 'grid', '-f', 'grid.yaml', 'it')
    expect([code, stderr]).toEqual([0, "Warning: committed as 'grid':\n  A grid.yaml\n"])
    expect(project.git('status', '--porcelain')).toBe('')
  })

  test('names all that it has committed, also outside of a project in a folder of the repository', async () => {
    const parent = new Folder()
    parent.git('init', '--quiet')
    parent.git('config', 'diff.relative', 'true')
    parent.write('beside.txt', 'before\n')
    parent.write('inside/it.sh', 'true\n')
    parent.write('inside/it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\n')
    parent.git('add', '--all')
    parent.git('commit', '--quiet', '--message', 'First')
    for (const words of [
      ['init', '--yes'],
      ['experiment', 'new', '-f', 'it.yaml'],
    ]) {
      expect((await parent.qanatIn('inside', ...words)).code).toBe(0)
    }
    parent.write('beside.txt', 'after\n')
    const { stderr } = await parent.qanatIn('inside', 'run', '--commit', 'all', 'it')
    expect(stderr).toBe("Warning: committed as 'all':\n  M beside.txt\n")
  })

  test('commits nothing for an experiment whose executable is gone', async () => {
    const project = await shellProject()
    project.git('mv', 'it.sh', 'moved.sh')
    const { code, stderr } = await project.qanat('run', '--commit', 'moved', 'it')
    expect([code, stderr]).toEqual([2, expect.stringContaining('the executable of it does not exist: it.sh')])
    expect(project.git('log', '-1', '--format=%s')).not.toContain('moved')
  })

  test('launches at the last commit if nothing is to be committed', async () => {
    const project = await shellProject()
    project.write('.gitignore', `${project.read('.gitignore')}*.pyc\n`)
    project.commit()
    const head = project.git('rev-parse', 'HEAD')
    // Git commits neither an empty folder, nor one in which it ignores all files.
    mkdirSync(join(project.path, 'empty'))
    project.write('__pycache__/it.pyc', '')
    expect(await project.qanat('run', '--commit', 'no', 'it', 'true')).toMatchObject({ code: 0, stderr: '' })
    const code = project.read('it.sh')
    project.write('it.sh', `${code}# staged\n`)
    project.write('new.txt', 'staged')
    project.git('add', 'it.sh', 'new.txt')
    project.write('it.sh', code)
    project.git('rm', '--quiet', '--cached', 'new.txt')
    renameSync(join(project.path, 'new.txt'), join(project.path, 'empty/it.pyc'))
    expect(await project.qanat('run', '--commit', 'no', 'it', 'true')).toMatchObject({ code: 0, stderr: '' })
    expect(project.git('rev-parse', 'HEAD')).toBe(head)
    expect(await project.show(2)).toMatchObject({ dirty: false, code_changed: false })
  })

  test('commits that a submodule has moved', async () => {
    const { project, last } = await withSubmodule()
    const { code, stderr } = await project.qanat('run', '--commit', 'back', 'it', 'cat lib/lib.txt')
    expect([code, stderr, last()]).toEqual([0, "Warning: committed as 'back':\n  M lib\n", 'back'])
    expect(await project.show()).toMatchObject({ code_changed: false })
  })

  test('commits everything else if git cannot look at a submodule', async () => {
    const { project, last } = await withSubmodule()
    project.write('lib/.git', 'gitdir: /nowhere\n')
    project.write('new.txt', 'new')
    const { code, stderr } = await project.qanat('run', '--commit', 'new', 'it', 'true')
    expect([code, stderr, last()]).toEqual([0, expect.stringContaining("committed as 'new':\n  A new.txt\n"), 'new'])
    expect(stderr).toContain('submodule lib cannot be looked at')
  })

  test.each([[['--commit', 'all']], [['--allow_dirty']]])(
    'keeps no files of earlier runs, which may hold secrets, as %j would',
    async options => {
      const project = await shellProject()
      await project.qanat('config', 'set', 'result_dir', 'out')
      project.commit()
      await project.qanat('run', 'it', 'true')
      const { code, stderr } = await project.qanat('run', ...options, 'it', 'true')
      const file = 'out/it/run_1/.run/'
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`git does not ignore the results of runs, such as ${file}`),
      ])
      expect(stderr).toMatch(/\n {2}echo \/out >>\.gitignore\n$/)
      execFileSync('sh', ['-c', 'echo /out >>.gitignore'], { cwd: project.path })
      // Other files there are the user's to keep.
      project.write('.gitignore', project.read('.gitignore').replace('/out\n', '/out/it/\n'))
      project.write('out/figure.svg', '<svg/>')
      expect((await project.qanat('run', ...options, 'it', 'true')).code).toBe(0)
    },
  )

  test.each(['GIT_LITERAL_PATHSPECS', 'GIT_GLOB_PATHSPECS', 'GIT_NOGLOB_PATHSPECS', 'GIT_ICASE_PATHSPECS'])(
    'and --allow_dirty do the same with %s in the environment',
    async name => {
      const project = await shellProject({ [name]: '1' })
      project.write('new.txt', 'new')
      expect((await project.qanat('run', '--allow_dirty', 'it', 'true')).code).toBe(0)
      const { code, stderr } = await project.qanat('run', '--commit', 'new', 'it', 'true')
      expect([code, stderr]).toEqual([0, "Warning: committed as 'new':\n  A new.txt\n"])
    },
  )
})
