import { describe, expect, test } from 'vitest'
import { expectError, paths, traces } from '../expectations.js'
import { Folder } from '../project.js'

const schemas = ['config', 'dataset', 'document', 'experiment', 'parameters', 'template'].map(
  name => `.qanat/schemas/${name}.json`,
)
const madeFiles = ['.gitignore', '.qanat/.gitignore', '.qanat/config.yaml', ...schemas]

/** A repository with a commit of these files. */
function repository(files: Readonly<Record<string, string>> = { 'code.py': 'pass\n' }): Folder {
  const folder = new Folder()
  folder.git('init', '--quiet')
  for (const [path, text] of Object.entries(files)) folder.write(path, text)
  folder.git('add', '--all', '--force')
  folder.git('commit', '--quiet', '--message', 'First')
  return folder
}

/** Paths that the last commit changed. */
function committed(folder: Folder): string[] {
  return folder.git('show', '--format=', '--name-only', 'HEAD').trimEnd().split('\n')
}

describe('init', () => {
  test('makes a repository and a project of an empty folder', async () => {
    const folder = new Folder()
    const { stdout, stderr, code } = await folder.qanat('init', '--yes')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`Qanat project in ${folder.path}`)
    expect(stdout).toContain(`Committed as ${folder.git('rev-parse', '--short=7', 'HEAD').trim()}`)
    expect(committed(folder)).toEqual(madeFiles)
    expect(folder.git('status', '--porcelain', '--ignored')).toBe('!! .qanat/database.db\n')
    const nothing = { experiments: 0, datasets: 0, documents: 0, runs: {}, differing: [] }
    expect(await folder.json('status', '--json')).toEqual({ project: folder.path, ...nothing })
  })

  test("commits only what it made, on top of existing commits, and leaves the user's changes as they are", async () => {
    const folder = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'gone.txt': 'x\n' })
    folder.write('a.txt', 'staged\n')
    folder.write('new.txt', 'staged\n')
    folder.git('add', '--all')
    folder.git('rm', '--quiet', 'gone.txt')
    for (const path of ['a.txt', 'b.txt', 'untracked.txt']) folder.write(path, 'staged\nunstaged\n')
    const look = () => [
      ...['status --porcelain', 'diff', 'diff --cached'].map(line => folder.git(...line.split(' '))),
      folder.read('a.txt'),
    ]
    const before = look()
    await folder.qanat('init', '--yes')
    expect(look()).toEqual(before)
    expect(folder.git('log', '--format=%s').split('\n')).toEqual(['Add a Qanat project', 'First', ''])
    expect(committed(folder)).toEqual(madeFiles)
  })

  test.each<[string, { head?: string; index?: string; tree?: string }]>([
    ['unstaged', { head: '*.o\n', tree: '*.o\n*.log\n' }],
    ['staged', { head: '*.o\n', index: '*.o\n*.log\n' }],
    ['staged, then changed again', { head: '*.o\n', index: '*.o\n*.log\n', tree: '*.o\n*.log\n*.tmp\n' }],
    ['staged in a new file', { index: '*.log\n' }],
    ['in an untracked file', { tree: '*.log\n' }],
    ['without a newline at the end', { head: '*.o', tree: '*.o\n*.log' }],
  ])('adds its line to a .gitignore whose changes are %s', async (_, { head, index, tree }) => {
    const folder = repository({ 'a.txt': 'a\n', ...(head !== undefined && { '.gitignore': head }) })
    if (index !== undefined) folder.write('.gitignore', index)
    if (index !== undefined) folder.git('add', '.gitignore')
    if (tree !== undefined) folder.write('.gitignore', tree)
    await folder.qanat('init', '--yes')
    const withLine = (text: string) => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}/results\n`
    expect(folder.git('show', 'HEAD:.gitignore')).toBe(withLine(head ?? ''))
    expect(folder.read('.gitignore')).toBe(withLine(tree ?? index ?? head ?? ''))
    expect(folder.git('show', ':.gitignore')).toBe(withLine(index ?? head ?? ''))
  })

  test.each(['.qanat', '.qanat/', '**/.qanat/*', '.*', '*'])('tracks its settings where %s is ignored', async rule => {
    const folder = repository({ '.gitignore': `${rule}\nresults\n` })
    await folder.qanat('init', '--yes')
    expect(committed(folder)).toEqual(madeFiles)
    folder.write('.qanat/config.yaml', 'poll_interval: 20\n')
    expect(folder.git('status', '--porcelain')).toBe(' M .qanat/config.yaml\n')
    expect(folder.git('check-ignore', '.qanat/database.db', '.qanat/cache/x', 'results').split('\n')).toHaveLength(4)
  })

  test('makes a project of a subfolder of a repository', async () => {
    const folder = repository({ '.gitignore': '*.o\n', 'sub/deep/code.py': 'pass\n' })
    expect((await folder.qanatIn('sub', 'init', '--yes')).code).toBe(0)
    expect(committed(folder)).toEqual(madeFiles.map(path => `sub/${path}`))
    expect(folder.git('status', '--porcelain')).toBe('')
    expect(folder.has('sub/.git')).toBe(false)
    expect(JSON.parse((await folder.qanatIn('sub/deep', 'status', '--json')).stdout).project).toBe(`${folder.path}/sub`)
  })

  test('makes the folder that it is given', async () => {
    const folder = new Folder()
    const { code, stdout } = await folder.qanat('init', 'my work/näme', '-y')
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Qanat project in ${folder.path}/my work/näme`)])
    const made = ['.git', '.qanat', '.qanat/database.db', '.qanat/schemas', ...madeFiles].map(
      path => `my work/näme/${path}`,
    )
    expect(paths(folder).filter(path => !path.includes('.git/'))).toEqual(['my work', 'my work/näme', ...made].sort())
  })

  test('changes nothing in an existing project, makes the database of a clone, and leaves a .qanat without config.yaml', async () => {
    const folder = new Folder()
    await folder.qanat('init', '--yes')
    folder.write('sub/x', '')
    const clone = new Folder()
    clone.git('clone', '--quiet', folder.path, '.')
    const before = traces(folder)
    for (const [where, ...args] of [['.'], ['.', '--yes'], ['sub'], ['.', 'sub']] as const) {
      const stdout = expect.stringContaining(`${folder.path} is already a Qanat project; nothing was changed`)
      expect(await folder.qanatIn(where, 'init', ...args)).toEqual({ stdout, stderr: '', code: 0 })
    }
    expect(traces(folder)).toEqual(before)

    expectError(await clone.qanat('status'), 1, 'the project has no database', "'qanat init' makes one")
    const { code, stdout } = await clone.qanat('init')
    expect([code, stdout]).toEqual([0, expect.stringContaining('with a new database')])
    expect(clone.git('status', '--porcelain', '--ignored')).toBe('!! .qanat/database.db\n')
    expect(clone.git('rev-parse', 'HEAD')).toBe(folder.git('rev-parse', 'HEAD'))
    expect((await clone.json('status', '--json')).project).toBe(clone.path)

    folder.git('rm', '--quiet', '.qanat/config.yaml')
    const without = traces(folder)
    expectError(await folder.qanat('init', '--yes'), 2, '.qanat already exists, but it has no config.yaml', 'mv ')
    expect(traces(folder)).toEqual(without)
  })
})
