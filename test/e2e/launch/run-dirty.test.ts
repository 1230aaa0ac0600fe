import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { awaits, Folder, groups, open, shellProject, until } from '../project.js'

/** What a user sees of a dirty tree. */
function makeDirty(project: Folder): void {
  project.write('tracked.txt', 'before\n')
  project.write('gone.txt', 'x')
  project.write('sub/renamed.txt', 'a text that is long enough to be found again\n')
  project.commit()
  project.write('tracked.txt', 'after\n')
  project.git('rm', '--quiet', 'gone.txt')
  project.git('mv', 'sub/renamed.txt', 'sub/näme.txt')
  project.write('untracked/new.txt', 'new\n')
}

/** The patch that a run keeps, applied to its commit in a clone. */
function applied(project: Folder, id: number): Folder {
  const clone = new Folder()
  clone.git('clone', '--quiet', project.path, '.')
  clone.git(
    'apply',
    '--index',
    '--whitespace=nowarn',
    join(project.path, `results/it/run_${id}/.run/uncommitted.patch`),
  )
  return clone
}

describe('uncommitted changes', () => {
  test('are named, and nothing is made', async () => {
    const project = await shellProject()
    makeDirty(project)
    const { code, stdout, stderr } = await project.qanat('run', 'it', 'true')
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      'Error: the working tree has uncommitted changes:',
      '  D  gone.txt',
      '  R  sub/näme.txt',
      '   M tracked.txt',
      '  ?? untracked/',
    ])
    expect(stderr).toContain('qanat run --commit "what changed" it')
    expect(stderr).toContain('qanat run --allow_dirty it')
    const again = await project.qanat('run', '--tag', 'x', 'it', 'a b')
    expect(again.stderr).toContain(`qanat run --commit "what changed" --tag x it 'a b'`)
    expect(project.has('results')).toBe(false)
    expect(project.has('.qanat/cache')).toBe(false)
    expect(project.git('for-each-ref', 'refs/qanat/')).toBe('')
    expect((await project.json('run', '--json', 'it', 'true')).error.code).toBe(2)
    expect((await project.json('experiment', 'status', 'it', '--json')).runs).toEqual([])
  })

  test('are kept as a patch with --allow_dirty: it applies, with binary, untracked and oddly encoded files', async () => {
    const project = await shellProject()
    makeDirty(project)
    writeFileSync(join(project.path, 'binary.dat'), Buffer.from([0, 1, 2, 255, 254, 10, 13]))
    writeFileSync(join(project.path, 'latin.txt'), Buffer.from('caf\u00e9\r\n', 'latin1'))
    project.write('tool', '#!/bin/sh\n', 0o755)
    project.git('config', 'diff.noprefix', 'true')
    project.git('config', 'color.ui', 'always')
    const run = await project.json('run', '--json', '--allow_dirty', 'it', 'true')
    expect(run).toMatchObject({ dirty: true, code_changed: false, commit_sha: project.git('rev-parse', 'HEAD').trim() })
    expect(project.git('diff', '--cached', '--name-only', '--color=never').split('\n')).not.toContain('binary.dat')
    const clone = applied(project, 1)
    project.git('add', '--all')
    expect(clone.git('write-tree')).toBe(project.git('write-tree'))
  })

  test('are in the frozen copy of a grid with --allow_dirty, whatever is edited later', async () => {
    const project = await shellProject()
    makeDirty(project)
    const shows = 'cat tracked.txt untracked/new.txt sub/*; [ ! -e gone.txt ]'
    const running = project.json('run', '--json', '--allow_dirty', 'it', ...groups(awaits('edited'), shows))
    await until(() => project.has('results/it/run_1/group_0/stdout.txt'))
    project.write('tracked.txt', 'edited later\n')
    open(project, 'edited')
    expect(await running).toMatchObject({ status: 'finished', dirty: true, code_changed: false })
    expect(project.read('results/it/run_1/group_1/stdout.txt')).toBe(
      'after\nnew\na text that is long enough to be found again\n',
    )
    await project.qanat('run', '--allow_dirty', 'it', ...groups('cat tracked.txt', 'true'))
    expect(project.read('results/it/run_2/group_0/stdout.txt')).toBe('edited later\n')
    const [head = ''] = project.git('rev-parse', '--short=12', 'HEAD').split('\n')
    const copies = project.copies()
    expect(copies.map(name => name.replace(/-[0-9a-f]{8}$/, ''))).toEqual([head, head])
  })

  test.each(['skip-worktree', 'assume-unchanged'])(
    'count in files at which git was told not to look: %s',
    async flag => {
      const project = await shellProject()
      const [edited, same] = ['sub/edited.txt', 'sub/same.txt']
      for (const path of [edited, same]) project.write(path, 'recorded\n')
      project.commit()
      project.git('update-index', `--${flag}`, edited, same)
      const run = ['run', 'it', `cat ${edited}`]
      expect((await project.qanat(...run)).code).toBe(0)
      project.write(edited, 'edited\n')
      const staged = project.git('ls-files', '-v')
      for (const options of [[], ['--commit', 'Edited']]) {
        const { code, stderr } = await project.qanat('run', ...options, ...run.slice(1))
        expect([code, stderr]).toEqual([2, expect.stringContaining(`uncommitted changes:\n   M ${edited}\n`)])
        expect(stderr).toContain(`git update-index --no-${flag} ${project.path}/${edited}\n`)
        expect(stderr).not.toContain('--commit')
        expect(stderr).toContain(`qanat run --allow_dirty it 'cat ${edited}'  `)
      }
      expect((await project.qanat('run', '--allow_dirty', ...run.slice(1))).code).toBe(0)
      expect(project.read('results/it/run_2/stdout.txt')).toBe('edited\n')
      expect(await project.show(2)).toMatchObject({ dirty: true, code_changed: false })
      expect(applied(project, 2).read(edited)).toBe('edited\n')
      expect((await project.qanat('diff', '1', '2')).stdout).toContain(edited)
      expect(project.git('ls-files', '-v')).toBe(staged)
      project.git('update-index', `--no-${flag}`, edited)
      expect((await project.qanat('run', '--commit', 'Edited', ...run.slice(1))).code).toBe(0)
    },
  )

  test('are none in a sparse checkout, of which a run in the tree and one in a frozen copy see the same', async () => {
    const project = await shellProject()
    project.write('large/data', '')
    project.commit()
    project.git('sparse-checkout', 'set', '--no-cone', '/*', '!/large')
    for (const snapshot of ['never', 'always']) {
      const run = await project.qanat('run', '--snapshot', snapshot, 'it', '[ -e it.yaml ]')
      expect(run).toMatchObject({ code: 0, stderr: '' })
    }
    expect(project.has('large')).toBe(false)
  })

  test('do not count under .qanat, nor in the files that are named on the command line', async () => {
    const project = await shellProject()
    project.write('.qanat/config.yaml', `${project.read('.qanat/config.yaml')}\n# a remark\n`)
    project.write('mine.yaml', 'env: {X: "1"}\n')
    project.write('grids/one.yaml', 'fixed_args: {positional: {0: "true"}}\n')
    const given = ['--submit_template', 'mine.yaml', '-f', 'grids/one.yaml']
    const { stdout, stderr, code } = await project.qanat('run', '--json', 'it', ...given)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ dirty: false, code_changed: false })
    project.write('grids/other.yaml', '')
    expect((await project.qanat('run', 'it', ...given)).code).toBe(2)
  })
})

describe('code_changed', () => {
  test('is true if the tree changed while a single group ran in it', async () => {
    const project = await shellProject()
    const running = project.json('run', '--json', 'it', `echo begun; ${awaits('edited')}`)
    await until(() => project.has('results/it/run_1/stdout.txt') && project.read('results/it/run_1/stdout.txt'))
    // The shell that runs it must not read on in the new text.
    project.write('.qanat/it.sh', 'edited')
    renameSync(`${project.path}/.qanat/it.sh`, `${project.path}/it.sh`)
    open(project, 'edited')
    expect(await running).toMatchObject({ status: 'finished', code_changed: true, dirty: false })
    expect((await project.qanat('run_show', 'it', '1')).stdout).toContain('the tree was not as recorded when it ended')
  })

  test.each([
    ['other code', 'other.py', true],
    ['other texts', 'README.md', false],
  ])('is known if a commit with %s was checked out in the meantime', async (_, file, isChanged) => {
    const project = await shellProject()
    const running = project.json('run', '--json', 'it', awaits('edited'))
    await until(() => project.has('results/it/run_1/stdout.txt'))
    project.write(file, 'another')
    project.commit()
    open(project, 'edited')
    expect(await running).toMatchObject({ code_changed: isChanged })
  })

  test('distinguishes a dirty tree that was edited further from one that was not', async () => {
    const project = await shellProject()
    project.write('new.txt', 'one')
    expect(await project.json('run', '--json', '--allow_dirty', 'it', 'true')).toMatchObject({ code_changed: false })
    const edits = 'echo two >new.txt'
    expect(await project.json('run', '--json', '--allow_dirty', 'it', edits)).toMatchObject({ code_changed: true })
  })

  test('is false if only the run itself has written, wherever its folder is', async () => {
    const project = await shellProject()
    const run = await project.json('run', '--json', '--storage_path', 'mine', 'it', 'touch "$QANAT_STORAGE_PATH/made"')
    expect(run).toMatchObject({ storage_path: 'mine', code_changed: false })
  })
})

describe('a template of the config', () => {
  const config = 'local:\n  two_cpus: {}\n  gpu: {extends: two_cpus}\n'

  test.each(['two_cpus', 'gpu'])('excuses no change in a file or folder that is called %s, too', async name => {
    const project = await shellProject()
    project.write('.qanat/config.yaml', config)
    project.write('two_cpus/code.sh', 'echo old\n')
    project.write('gpu', 'echo old\n')
    project.commit()
    project.write(name === 'gpu' ? 'gpu' : 'two_cpus/code.sh', 'echo EDITED\n')
    for (const words of [[], ['--snapshot', 'always']]) {
      const { code, stderr } = await project.qanat(
        'run',
        ...words,
        '--submit_template',
        name,
        'it',
        'sh two_cpus/code.sh',
      )
      expect([code, stderr]).toEqual([2, expect.stringContaining(name)])
    }
    const { code } = await project.qanat('run', '--allow_dirty', '--submit_template', name, 'it', 'true')
    expect([code, (await project.show()).dirty]).toEqual([0, true])
  })

  test('in a file excludes only that file', async () => {
    const project = await shellProject()
    project.write('conf/mine.yaml', '{}\n')
    project.write('conf/code.sh', 'echo old\n')
    project.commit()
    project.write('conf/mine.yaml', '{scratch: true}\n')
    const run = () => project.qanat('run', '--submit_template', 'conf/../conf/mine.yaml', 'it', 'true')
    expect((await run()).code).toBe(0)
    project.write('conf/code.sh', 'echo EDITED\n')
    expect((await run()).stderr).toContain('conf/code.sh')
  })
})
