import { existsSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withLock } from '../../../src/store/locks/lock.js'
import { skips } from '../../skips.js'
import { awaits, groups, open, shellProject, until } from '../project.js'

const memory = '/dev/shm'
const isApart = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev
const oneFileSystem = skips('files left on another file system', isApart ? null : `${memory} is no other file system`)
const keeps = 'mkdir -p checkpoints; echo "$QANAT_RUN_ID" >>checkpoints/model'

describe('what a script writes below its working folder, which is a frozen copy', () => {
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

  test('is on a branch that a script checks out: neither its files nor the branch get lost', async () => {
    const project = await shellProject()
    project.git('branch', 'other')
    project.write('model.txt', 'recorded\n')
    project.commit()
    const other = project.git('rev-parse', 'other')
    const checksOut = 'git checkout --quiet other; touch "$QANAT_PROJECT/.qanat/on_other"'
    const commits = 'echo 1 >new.txt; git add new.txt; git commit --quiet --all --message x'
    await project.qanat('run', '--detach', 'it', `${checksOut}; ${awaits('end')}; ${commits}`)
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
    'stays on another file system, where no other run and no cleaning gets at it',
    async () => {
      const project = await shellProject()
      const elsewhere = join(memory, `qanat-test-${process.pid}`)
      onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }))
      const { stderr } = await project.qanat('run', '--snapshot', 'always', '--storage_path', elsewhere, 'it', keeps)
      const commit = project.git('rev-parse', 'HEAD').slice(0, 12)
      const copy = `.qanat/cache/${commit}`
      expect(stderr).toContain(`are in ${copy}, on another file system: checkpoints`)
      expect((await project.qanat('run_show', 'it', '1')).stdout).toContain(`Left behind: ${copy} `)
      expect((await project.show()).left_behind).toEqual([copy])
      expect((await project.qanat('run', 'it', ...groups('[ ! -e checkpoints ]', 'true'))).code).toBe(0)
      const { stdout } = await project.qanat('cache', 'clean')
      expect(stdout).toContain(`Removed ${commit}_2`)
      expect(stdout).toContain(`Kept ${copy}, where scripts have left checkpoints`)
      await project.shell(`rm -r ${copy}/checkpoints`)
      expect((await project.qanat('cache', 'clean')).stdout).toContain(`Removed ${commit}:`)
      expect(project.copies()).toEqual([])
    },
  )
})
