import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { awaits, Folder, open, shellProject } from '../project.js'

const frozen = ['run', '--snapshot', 'always', 'it']

describe('the cache of frozen code', () => {
  test('is listed by commit, and copies that no live run uses are removed', async () => {
    const folder = await shellProject()
    folder.write('.gitignore', 'data\n')
    folder.commit()
    folder.write('data/kept', 'precious')
    const first = folder.git('rev-parse', 'HEAD').slice(0, 12)
    await folder.qanat(...frozen, 'true')
    folder.write('other', '')
    folder.commit()
    const second = folder.git('rev-parse', 'HEAD').slice(0, 12)
    await folder.qanat('run', '--detach', 'it', awaits('end'))

    const { cache } = await folder.json('cache', 'status', '--json')
    const bytes = expect.any(Number)
    const copies = [
      { name: first, bytes, runs: [1], in_use: false },
      { name: second, bytes, runs: [2], in_use: true },
    ]
    expect(cache).toEqual(first < second ? copies : copies.reverse())
    expect((await folder.qanat('cache', 'status')).stdout).toContain(second)

    const { stdout, code } = await folder.qanat('cache', 'clean')
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Removed ${first}`)])
    expect(folder.copies()).toEqual([second])
    expect((await folder.qanat('run_show', '1')).stdout).toContain(
      `(frozen in .qanat/cache/${first}, which was removed)`,
    )
    expect((await folder.qanat('run_show', '2')).stdout).toContain(`(frozen in .qanat/cache/${second})`)
    expect(folder.git('worktree', 'list')).not.toContain(first)
    expect(folder.read('data/kept')).toBe('precious')

    open(folder, 'end')
    await folder.whenStatus(2, 'finished')
    await folder.qanat('cache', 'clean')
    expect(folder.copies()).toEqual([])
    expect(folder.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    const again = await folder.qanat('run', '--commit_sha', first, 'it', 'echo again')
    expect([again.code, folder.read('results/it/run_3/stdout.txt')]).toEqual([0, 'again\n'])
  })

  test('keeps the copy for a retry of a run that started in the tree itself', async () => {
    const folder = await shellProject()
    const code = `[ -e "$QANAT_PROJECT/.qanat/again" ] || exit 3; ${awaits('end')}`
    await folder.qanat('run', '--snapshot', 'never', 'it', code)
    folder.write('.qanat/again', '')
    await folder.qanat('run_retry', '--detach', 'it', '1')
    expect((await folder.qanat('cache', 'clean')).stdout).toContain('Nothing to remove: what is in the cache is in use')
    expect(folder.copies()).toEqual([folder.git('rev-parse', 'HEAD').slice(0, 12)])
    open(folder, 'end')
    await folder.whenStatus(1, 'finished')
  })

  test('with an incomplete copy of a crash is cleaned of it', async () => {
    const folder = await shellProject()
    mkdirSync(join(folder.path, '.qanat/cache/.c0ffeec0ffee-12345678'), { recursive: true })
    expect((await folder.qanat('cache', 'clean')).stdout).toContain('.c0ffeec0ffee-12345678')
    expect(folder.copies()).toEqual([])
    expect((await folder.qanat('cache', 'clean')).stdout).toContain('Nothing to remove')
  })

  test('is cleaned after the project was moved, except of what scripts have left', async () => {
    const parent = new Folder()
    const library = await shellProject()
    const project = await shellProject()
    project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'lib')
    project.commit()
    await project.qanat(...frozen, 'true')
    const copy = `.qanat/cache/${project.copies()[0]}`
    project.write(`${copy}/lib/late`, 'precious')
    renameSync(project.path, join(parent.path, 'moved'))
    const clean = () => parent.qanatIn('moved', 'cache', 'clean')
    expect((await clean()).stdout).toBe(`Kept ${copy}, where scripts have left lib/late\n`)
    await parent.shell(`rm moved/${copy}/lib/late`)
    expect((await clean()).stdout).toMatch(/^Removed [0-9a-f]{12}: /)
    expect(parent.copies('moved')).toEqual([])
    expect((await clean()).stdout).toBe('Nothing to remove: the cache holds no frozen copy\n')
  })

  test('has no registrations of submodules after it was cleaned', async () => {
    const folder = await shellProject()
    const library = await shellProject()
    folder.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'lib')
    folder.commit()
    await folder.qanat(...frozen, 'cat lib/it.sh')
    expect(folder.read('results/it/run_1/stdout.txt')).toContain('eval')
    await folder.qanat('cache', 'clean')
    expect(folder.git('-C', 'lib', 'worktree', 'list').trim().split('\n')).toHaveLength(1)
    expect((await folder.qanat(...frozen, 'cat lib/it.sh')).code).toBe(0)
  })
})
