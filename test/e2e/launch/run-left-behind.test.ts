import { existsSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withLock } from '../../../src/store/lock.js'
import { skips } from '../../skips.js'
import { awaits, Folder, groups, open, shellProject, until } from '../project.js'

const memory = '/dev/shm'
const isApart = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev
const oneFileSystem = skips('files left on another file system', isApart ? null : `${memory} is no other file system`)

const commits = 'git -c user.name=x -c user.email=x@y commit --quiet --all --message x'
const keeps = 'mkdir -p checkpoints; echo "$QANAT_RUN_ID" >>checkpoints/model'

describe('what a script writes below its working folder, which is a frozen copy', () => {
  test('goes to the right one of two runs that live at the same time', async () => {
    const project = await shellProject()
    const code = `${keeps}; touch "$QANAT_PROJECT/.qanat/began_$QANAT_RUN_ID"; ${awaits('both')}; cat checkpoints/model`
    for (const id of [1, 2]) {
      await project.qanat('run', '--detach', 'it', code)
      await until(() => project.has(`.qanat/began_${id}`))
    }
    open(project, 'both')
    for (const id of [1, 2]) {
      await project.whenStatus(id, 'finished')
      expect(project.read(`results/it/run_${id}/stdout.txt`)).toBe(`${id}\n`)
      expect(project.read(`results/it/run_${id}/.run/left_behind/checkpoints/model`)).toBe(`${id}\n`)
    }
    const commit = project.git('rev-parse', 'HEAD').slice(0, 12)
    expect(project.copies()).toEqual([commit, `${commit}_2`])
    await project.qanat('run', '--detach', 'it', 'true')
    await project.whenStatus(3, 'finished')
    expect(project.copies()).toEqual([commit, `${commit}_2`])
  })

  test.each(['.qanat/cache', '.qanat'])('is moved to the run also where %s is a link to another place', async path => {
    const project = await shellProject()
    const disk = new Folder()
    mkdirSync(join(project.path, '.qanat/cache'), { recursive: true })
    renameSync(join(project.path, path), join(disk.path, 'place'))
    symlinkSync(join(disk.path, 'place'), join(project.path, path))
    if (path === '.qanat') project.git('rm', '-r', '--quiet', '--cached', '.qanat')
    project.write('.gitignore', `${project.read('.gitignore')}${path}\n`)
    project.commit('Elsewhere')
    const code = `cat checkpoints/model; echo '# changed' >>it.sh; ${keeps}; exit 3`
    const ran = await project.qanat('run', 'it', ...groups(code, 'true'))
    expect(ran.stderr).toMatch(/run 1 wrote files .* in results\/it\/run_1\/\.run\/left_behind now: checkpoints\n/)
    expect(await project.show()).toMatchObject({ code_changed: true })
    expect(project.read('results/it/run_1/.run/left_behind/checkpoints/model')).toBe('1\n')
    await project.qanat('run_retry', 'it', '1', '--resume')
    expect(project.read('results/it/run_1/group_0/stdout.txt')).toBe('1\n')
    const next = await project.qanat('run', 'it', ...groups('[ ! -e checkpoints ] && ! grep changed it.sh', 'true'))
    expect(next).toMatchObject({ code: 0, stderr: '' })
    const name = project.git('rev-parse', 'HEAD').slice(0, 12)
    expect(project.copies()).toEqual([name])
    expect((await project.qanat('cache', 'clean')).stdout).toContain(`Removed ${name}: `)
    expect(project.copies()).toEqual([])
    expect(project.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  test('as ../NAME stays where it is and is named, with a warning if it hides what lies beside the project', async () => {
    const parent = new Folder()
    parent.write('conf.txt', 'beside\n')
    const project = await shellProject()
    renameSync(project.path, join(parent.path, 'study'))
    const run = (...codes: string[]) => parent.qanatIn('study', 'run', 'it', ...groups(...codes))
    const first = await run('echo script >../made; mv ../made ../conf.txt; echo 1 >../new.txt', 'true')
    expect(first.stderr).toContain('../conf.txt → .qanat/cache/conf.txt, ../new.txt → .qanat/cache/new.txt')
    expect((await parent.qanatIn('study', 'run_show', '1')).stdout).toContain('../new.txt → .qanat/cache/new.txt')
    const second = await run('cat ../conf.txt ../new.txt', 'true')
    const place = join(parent.path, 'study/.qanat/cache/conf.txt')
    expect(second.stderr).toContain(
      `../conf.txt leads the groups to ${place}, which a script has made, and not to ${parent.path}`,
    )
    expect(second.stderr).not.toContain('new.txt')
    await parent.shell(`mv ${place} elsewhere`)
    expect(await run('cat ../conf.txt ../new.txt', 'true')).toMatchObject({ code: 0, stderr: '' })
    expect(parent.read('study/results/it/run_3/group_0/stdout.txt')).toBe('beside\n1\n')
  })

  test('is moved at the next launch in the copy, if another command held its lock for long at the end of the run', async () => {
    const project = await shellProject()
    const code = `${keeps}; echo spoilt >it.yaml; touch "$QANAT_PROJECT/.qanat/kept"; ${awaits('locked')}`
    await project.qanat('run', '--detach', 'it', code)
    await until(() => project.has('.qanat/kept'))
    await withLock(join(project.path, '.qanat/locks/code'), async () => {
      open(project, 'locked')
      expect(await project.whenStatus(1, 'finished')).toMatchObject({ code_changed: false })
    })
    expect(project.has('results/it/run_1/.run/left_behind')).toBe(false)
    const next = await project.qanat('run', 'it', ...groups('[ ! -e checkpoints ]', 'grep name it.yaml'))
    expect([next.code, next.stderr]).toEqual([0, expect.stringContaining('run 1 wrote files to its frozen copy')])
    expect(project.read('results/it/run_1/.run/left_behind/checkpoints/model')).toBe('1\n')
    expect(await project.show(1)).toMatchObject({ code_changed: true })
    expect(project.copies()).toHaveLength(1)
  })

  test('is seen by no other run where the run is gone, and is kept', async () => {
    const project = await shellProject()
    await project.qanat('run', '--detach', 'it', `${keeps}; touch "$QANAT_PROJECT/.qanat/kept"; ${awaits('end')}`)
    await until(() => project.has('.qanat/kept'))
    // What is left only now, when nobody moves it any more.
    await project.qanat('run_cancel', 'it', '1')
    const copy = `.qanat/cache/${project.git('rev-parse', 'HEAD').slice(0, 12)}`
    project.write(`${copy}/late`, 'precious')
    await project.qanat('run_delete', 'it', '1', '--yes')
    expect(await project.qanat('run', 'it', ...groups('[ ! -e late ]', 'true'))).toMatchObject({ code: 0, stderr: '' })
    expect((await project.qanat('cache', 'clean')).stdout).toContain(`Kept ${copy}, where scripts have left late`)
  })

  test('goes to its own run even if nobody has looked since that run ended', async () => {
    const project = await shellProject()
    for (const id of [1, 2, 3]) {
      await project.qanat('run', '--detach', 'it', `${keeps}; touch "$QANAT_PROJECT/.qanat/ran_${id}"`)
      const ended = `grep -q '^1 end' results/it/run_${id}/.run/records/*`
      await until(async () => (await project.shell(ended)).code === 0)
    }
    expect(project.copies()).toHaveLength(1)
    expect(project.read('results/it/run_2/.run/left_behind/checkpoints/model')).toBe('2\n')
  })

  test('is moved to the run from a submodule, too, in which ../ leads to the same places', async () => {
    const parent = new Folder()
    parent.write('data/x', 'beside\n')
    const library = new Folder()
    library.git('init', '--quiet')
    library.write('lib.txt', 'lib\n')
    library.commit()
    const project = await shellProject()
    project.write('code.txt', 'code\n')
    project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'lib')
    project.commit()
    const study = join(parent.path, 'study')
    renameSync(project.path, study)
    const run = (...codes: string[]) => parent.qanatIn('study', 'run', 'it', ...groups(...codes))
    const first = await run('cd lib; cat ../code.txt ../../data/x; mkdir out; echo 1 >out/model; rm .git', 'true')
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(parent.read('study/results/it/run_1/group_0/stdout.txt')).toBe('code\nbeside\n')
    const second = await run('cat lib/lib.txt; ls lib; cd lib; mkdir out; echo 2 >out/model', 'true')
    expect(second.stderr).toContain('are in results/it/run_2/.run/left_behind now: lib/out\n')
    expect(parent.read('study/results/it/run_2/group_0/stdout.txt')).toBe('lib\nlib.txt\n')
    expect(parent.read('study/results/it/run_2/.run/left_behind/lib/out/model')).toBe('2\n')
    await run('ls lib', 'true')
    expect(parent.read('study/results/it/run_3/group_0/stdout.txt')).toBe('lib.txt\n')
  })

  test('is on a branch that a script checks out: neither its files nor the branch get lost', async () => {
    const project = await shellProject()
    project.git('branch', 'other')
    project.write('model.txt', 'recorded\n')
    project.commit()
    const other = project.git('rev-parse', 'other')
    const code = 'git checkout --quiet other; touch "$QANAT_PROJECT/.qanat/on_other"'
    await project.qanat(
      'run',
      '--detach',
      'it',
      `${code}; ${awaits('end')}; echo 1 >new.txt; git add new.txt; ${commits}`,
    )
    await until(() => project.has('.qanat/on_other'))
    await withLock(join(project.path, '.qanat/locks/code'), async () => {
      open(project, 'end')
      await project.whenStatus(1, 'finished')
    })
    const copy = `.qanat/cache/${project.copies()[0]}`
    expect((await project.qanat('cache', 'clean')).stdout).toContain(`Kept ${copy}, where scripts have left new.txt`)
    const committed = project.git('rev-parse', 'other')
    expect(committed).not.toBe(other)
    await project.qanat('run', 'it', ...groups('cat model.txt', 'true'))
    expect(project.read('results/it/run_2/group_0/stdout.txt')).toBe('recorded\n')
    expect(project.read('results/it/run_1/.run/left_behind/new.txt')).toBe('1\n')
    expect(project.git('rev-parse', 'other')).toBe(committed)
    project.git('checkout', '--quiet', 'other')
  })

  test.skipIf(oneFileSystem)(
    'stays on another file system, where no other run and no cleaning comes at it',
    async () => {
      const project = await shellProject()
      const elsewhere = join(memory, `qanat-test-${process.pid}`)
      onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }))
      const code = `${keeps}; [ "$(wc -l <checkpoints/model)" = 2 ]`
      const { stderr } = await project.qanat('run', '--snapshot', 'always', '--storage_path', elsewhere, 'it', code)
      const commit = project.git('rev-parse', 'HEAD').slice(0, 12)
      const copy = `.qanat/cache/${commit}`
      expect(stderr).toContain(`are in ${copy}, on another file system: checkpoints`)
      expect((await project.qanat('run_show', 'it', '1')).stdout).toContain(`Left behind: ${copy} `)
      expect((await project.show()).left_behind).toEqual([copy])
      await project.qanat('run', 'it', ...groups('[ ! -e checkpoints ]', 'true'))
      expect((await project.show(2)).status).toBe('finished')
      const { stdout } = await project.qanat('cache', 'clean')
      expect(stdout).toContain(`Removed ${commit}_2`)
      expect(stdout).toContain(`Kept ${copy}, where scripts have left checkpoints`)
      expect(project.read(`${copy}/checkpoints/model`)).toBe('1\n')
      await project.shell(`rm -r ${copy}/checkpoints`)
      expect((await project.qanat('cache', 'clean')).stdout).toContain(`Removed ${commit}:`)
      expect(project.copies()).toEqual([])
    },
  )
})
