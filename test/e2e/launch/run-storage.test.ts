import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { Folder, groups, shellProject } from '../project.js'
import { FakeSlurm } from './fake-slurm.js'

describe('--storage_path', () => {
  test('is the folder of the run, new or empty, in the project or elsewhere', async () => {
    const project = await shellProject()
    const elsewhere = new Folder()
    mkdirSync(join(elsewhere.path, 'empty'))
    const inside = await project.json(
      'run',
      '--json',
      '--storage_path',
      'results/a/b',
      'it',
      'echo "$QANAT_STORAGE_PATH"',
    )
    expect(inside.storage_path).toBe('results/a/b')
    expect(project.read('results/a/b/stdout.txt')).toBe(`${project.path}/results/a/b\n`)
    const outside = await project.json(
      'run',
      '--json',
      'it',
      ...groups('true', 'pwd'),
      '--storage_path',
      `${elsewhere.path}/empty`,
    )
    expect(outside.storage_path).toBe(`${elsewhere.path}/empty`)
    expect(elsewhere.list('empty')).toEqual(['.run', 'group_0', 'group_1', 'info.yaml'])
    expect((await project.show(2)).group_list[1].storage_path).toBe(`${elsewhere.path}/empty/group_1`)
    expect((await project.qanat('run_logs', 'it', '2', '--group', '1')).stdout).toContain('.qanat/cache/')
  })

  test('is relative to the current folder', async () => {
    const project = await shellProject()
    mkdirSync(join(project.path, 'results/deep'), { recursive: true })
    const { stdout } = await project.qanatIn('results/deep', 'run', '--json', '--storage_path', '../here', 'it', 'pwd')
    expect(JSON.parse(stdout).storage_path).toBe('results/here')
    expect(project.read('results/here/stdout.txt')).toBe(`${project.path}\n`)
  })

  test.each([
    ['a folder with something in it', 'results/full'],
    ['a file', 'it.sh'],
    ["the project's own folder", '.'],
    ['the settings of the project', '.qanat/mine'],
  ])('refuses %s, and nothing is made', async (_, path) => {
    const project = await shellProject()
    project.write('results/full/kept.txt', 'kept')
    const { code, stderr } = await project.qanat('run', 'it', 'true', '--storage_path', path)
    expect(stderr).toMatch(/^Error: --storage_path /)
    expect(stderr).not.toContain('QANAT_DEBUG')
    expect(code).toBe(2)
    expect(project.list('results/full')).toEqual(['kept.txt'])
    expect((await project.json('experiment', 'status', 'it', '--json')).runs).toEqual([])
    expect(project.git('for-each-ref', 'refs/qanat/')).toBe('')
    expect(project.git('status', '--porcelain')).toBe('')
  })
})

const refused = (stderr: string) => ({ code: 2, stderr: expect.stringContaining(stderr) })

describe('the folder of a new run', () => {
  test('is refused inside the folder of another run, also through links, and around one', async () => {
    const project = await shellProject()
    const disk = new Folder()
    symlinkSync(disk.path, join(project.path, 'results'))
    symlinkSync('results/sweep', join(project.path, 'link'))
    project.commit()
    const run = (path: string) => project.qanat('run', '--storage_path', path, 'it', 'true')
    expect((await run('results/sweep')).code).toBe(0)
    for (const path of ['results/sweep/extra', 'link/extra', join(disk.path, 'sweep/extra')]) {
      const outcome = await run(path)
      expect(outcome).toMatchObject(refused(`${path} lies in the folder of run 1, results/sweep\n`))
      expect(project.list('results/sweep')).not.toContain('extra')
    }
    expect((await run('results/deep/one')).code).toBe(0)
    await project.qanat('run_delete', '2', '--yes')
    expect(await run('results/deep')).toMatchObject(
      refused('results/deep would hold the folder of the deleted run 2, results/deep/one\n'),
    )
    // Its own former place is free.
    expect((await run('results/deep/one')).code).toBe(0)
    rmSync(join(project.path, 'results/deep'), { recursive: true })
    expect(await run('results/deep/one')).toMatchObject(refused('results/deep/one is the folder of run 3'))
  })

  test('is refused where the runs of an experiment are', async () => {
    const project = await shellProject()
    expect(await project.qanat('run', '--storage_path', 'results/it', 'it', 'true')).toMatchObject(
      refused(
        `results/it is used for all runs of it\n  name a folder inside it: --storage_path ${project.path}/results`,
      ),
    )
  })

  test('may be one of an experiment that was named like the folder of a run, and is kept with that run', async () => {
    const project = await shellProject()
    const fails = 'touch "$3/model.pt"; [ -e "$QANAT_PROJECT/.qanat/fixed" ]'
    await project.qanat('run', '--storage_path', 'results/other', 'it', fails)
    project.write('other.yaml', 'name: other\nexecutable: it.sh\nexecutable_command: sh\n')
    project.commit()
    await project.qanat('experiment', 'new', '-f', 'other.yaml')
    expect((await project.qanat('run', 'other', 'echo precious')).code).toBe(0)
    expect(await project.qanat('run_delete', '1', '--yes')).toMatchObject(refused('holds the folder of run 2'))
    project.write('.qanat/fixed', '')
    expect((await project.qanat('run_retry', '1')).code).toBe(0)
    expect(project.has('results/other/.run/attempts/1/model.pt')).toBe(true)
    expect(project.read('results/other/run_2/stdout.txt')).toBe('precious\n')
    // What run 2 has left is not counted as that of run 1.
    const { stdout: made } = await project.qanat('whence', 'results/other/run_2/stdout.txt')
    expect(made).toContain('run 2 of other')
    expect(made).not.toContain('run 1')
    expect((await project.qanat('rerun', '1', '--verify')).code).toBe(0)
    await project.qanat('export', '--crate', '1', '-o', 'crate')
    expect(project.list('crate/run_1')).toContain('model.pt')
    expect(project.list('crate/run_1')).not.toContain('run_2')
  })

  test('stays if it came into that of a launch which then failed', async () => {
    const slurm = await FakeSlurm.start()
    const project = slurm.folder
    project.write('other.yaml', 'name: other\nexecutable: it.sh\nexecutable_command: sh\n')
    project.commit()
    const words = ['experiment new -f other.yaml', "run other 'echo precious'"]
    const qanat = words.map(each => `"${process.execPath}" "${project.program}" ${each} >&2`).join('\n')
    slurm.program('sbatch', `cd "${project.path}"\n${qanat}\necho 'sbatch: error: invalid partition' >&2\nexit 1`)
    for (const answer of ['queue', 'jobs']) project.write(`.qanat/slurm_${answer}`, '')
    const path = 'results/other'
    const { code } = await project.qanat('run', '--runner', 'slurm', '--storage_path', path, 'it', 'true')
    expect([code, project.list(path)]).toEqual([4, ['run_2']])
    expect((await project.qanat('run_logs', '2')).stdout).toContain('precious')
  })

  test('is removed if its launch fails although a deleted run was there, which can be restored then', async () => {
    const slurm = await FakeSlurm.start()
    const project = slurm.folder
    slurm.program('sbatch', "echo 'sbatch: error: invalid partition' >&2; exit 1")
    for (const answer of ['queue', 'jobs']) project.write(`.qanat/slurm_${answer}`, '')
    const run = (...words: string[]) => project.qanat('run', ...words, '--storage_path', 'results/one', 'it', 'true')
    await run()
    await project.qanat('run_delete', '1', '--yes')
    expect((await run('--runner', 'slurm')).code).toBe(4)
    expect((await project.qanat('trash', 'restore', '1')).code).toBe(0)
  })

  test('is the next one where a run is stored in it, also if that is in the trash', async () => {
    const project = await shellProject()
    await project.qanat('run', '--storage_path', 'results/it/run_2/own', 'it', 'true')
    await project.qanat('run_delete', '1', '--yes')
    rmSync(join(project.path, 'results/it'), { recursive: true })
    expect((await project.json('run', '--json', 'it', 'true')).storage_path).toBe('results/it/run_3')
    expect((await project.qanat('trash', 'restore', '1')).code).toBe(0)
  })

  test('is refused inside that of a deleted run that is still there, until the trash is emptied', async () => {
    const [project, elsewhere] = [await shellProject(), new Folder()]
    const run = (path: string) => project.qanat('run', '--storage_path', join(elsewhere.path, path), 'it', 'true')
    await run('out')
    await project.qanat('run_delete', '1', '--yes')
    const refusal = await run('out/b')
    expect(refusal).toMatchObject(refused(`lies in the folder of the deleted run 1, ${elsewhere.path}/out\n`))
    expect(refusal.stderr).toContain('qanat trash empty ')
    expect((await project.qanat('trash', 'empty', '--yes')).code).toBe(0)
    expect((await run('out/b')).code).toBe(0)
  })

  test('is given to one of two launches that want it, or one inside the other, at the same time', async () => {
    const project = await shellProject()
    const paths = ['results/sweep', 'results/sweep/extra', 'results/sweep']
    const runs = await Promise.all(paths.map(path => project.qanat('run', '--storage_path', path, 'it', 'true')))
    expect(runs.filter(({ code }) => code === 0)).toHaveLength(1)
    expect((await project.json('runs', '--json')).runs).toHaveLength(1)
  })
})

/** A project in which the folder of run 2 lies in that of run 1, as earlier versions allowed. */
async function nestedProject(): Promise<Folder> {
  const project = await shellProject()
  for (const path of ['results/sweep', 'results/extra']) {
    await project.qanat('run', '--storage_path', path, 'it', 'echo precious')
  }
  renameSync(join(project.path, 'results/extra'), join(project.path, 'results/sweep/extra'))
  const database = new Database(join(project.path, '.qanat/database.db'))
  database.exec("UPDATE runs SET storage_path = 'results/sweep/extra' WHERE id = 2")
  database.close()
  return project
}

describe('a run whose folder holds that of another run', () => {
  test('is not deleted before that is deleted or elsewhere', async () => {
    const project = await nestedProject()
    for (const words of [['1'], ['1', '2']]) {
      const refusal = await project.qanat('run_delete', ...words)
      expect(refusal).toMatchObject(
        refused('run 1 was kept: its folder results/sweep holds the folder of run 2\n  qanat run_delete 2 '),
      )
      expect(project.read('results/sweep/extra/stdout.txt')).toBe('precious\n')
    }
    const { stderr } = await project.qanat('run_delete', '1', '--yes')
    const move = /^ *(mkdir .*--repair) /m.exec(stderr)?.[1] ?? ''
    expect((await project.shell(move)).code).toBe(0)
    expect((await project.qanat('run_delete', '1', '--yes')).code).toBe(0)
    expect((await project.qanat('trash', 'empty', '--yes')).code).toBe(0)
    expect((await project.show(2)).storage_path).toBe('results/kept/run_2')
    expect((await project.qanat('run_logs', '2')).stdout).toContain('precious')
  })

  test('can be deleted once the other is, and both can be restored', async () => {
    const project = await nestedProject()
    expect((await project.qanat('run_delete', '2', '--yes')).code).toBe(0)
    expect((await project.qanat('run_delete', '1', '--yes')).code).toBe(0)
    expect((await project.qanat('trash', 'restore', '1', '2')).code).toBe(0)
    expect(project.read('results/sweep/extra/stdout.txt')).toBe('precious\n')
  })

  test('stays in the trash if an earlier version has moved both there, until it is restored', async () => {
    const project = await nestedProject()
    mkdirSync(join(project.path, 'results/.trash'))
    renameSync(join(project.path, 'results/sweep'), join(project.path, 'results/.trash/run_1'))
    const database = new Database(join(project.path, '.qanat/database.db'))
    database.exec('UPDATE runs SET deleted = 1 WHERE id = 1')
    database.close()
    for (const words of [[], ['--yes']]) {
      expect(await project.qanat('trash', 'empty', ...words)).toMatchObject(
        refused('the deleted run 1 holds the folder of run 2, which was not deleted\n  qanat trash restore 1 '),
      )
    }
    expect((await project.qanat('trash', 'restore', '1')).code).toBe(0)
    expect((await project.qanat('run_logs', '2')).stdout).toContain('precious')
  })
})

describe('run_delete', () => {
  test('takes several runs and ranges', async () => {
    const project = await shellProject()
    for (let id = 1; id <= 4; id++) await project.qanat('run', 'it', 'true')
    expect((await project.qanat('run_delete', 'it', '1', '3-4', '--yes')).code).toBe(0)
    expect(project.list('results/it')).toEqual(['run_2'])
    const { runs } = await project.json('experiment', 'status', 'it', '--json')
    expect(runs.map((run: any) => run.id)).toEqual([2])
  })

  test('asks first: without a terminal it names the option and deletes nothing', async () => {
    const project = await shellProject()
    await project.qanat('run', 'it', 'true')
    const { code, stderr } = await project.qanat('run_delete', 'it', '1')
    expect(code).toBe(2)
    expect(stderr).toContain('--yes')
    expect(project.has('results/it/run_1/info.yaml')).toBe(true)
  })

  test('leaves a folder outside of the results where it is, and says so', async () => {
    const project = await shellProject()
    const elsewhere = new Folder()
    const path = join(elsewhere.path, 'run')
    await project.qanat('run', '--storage_path', path, 'it', 'true')
    const { code, stderr } = await project.qanat('run_delete', 'it', '1', '--yes')
    expect(code).toBe(0)
    expect(stderr).toContain(path)
    expect(elsewhere.list('run')).toContain('info.yaml')
    expect((await project.qanat('run_show', 'it', '1')).code).toBe(2)
  })

  test('follows no link: neither one in the folder of a run, nor one in its place', async () => {
    const project = await shellProject()
    const elsewhere = new Folder()
    elsewhere.write('data/kept.txt', 'kept')
    const links = `ln -s ${elsewhere.path}/data "$QANAT_STORAGE_PATH/data"; ln -s ${elsewhere.path}/data/kept.txt "$QANAT_STORAGE_PATH/file"`
    await project.qanat('run', 'it', links)
    await project.qanat('run', 'it', 'true')
    rmSync(join(project.path, 'results/it/run_2'), { recursive: true })
    symlinkSync(join(elsewhere.path, 'data'), join(project.path, 'results/it/run_2'))
    const { stderr, code } = await project.qanat('run_delete', 'it', '1', '2', '--yes')
    expect(code).toBe(0)
    expect(stderr).toContain('results/it/run_2')
    expect(elsewhere.read('data/kept.txt')).toBe('kept')
    expect(project.list('results/it')).toEqual(['run_2'])
  })

  test('works where the result folder is a link to another disk', async () => {
    const project = await shellProject()
    const disk = new Folder()
    symlinkSync(disk.path, join(project.path, 'results'))
    const run = await project.json('run', '--json', 'it', ...groups('true', 'true'))
    expect(run).toMatchObject({ status: 'finished', storage_path: 'results/it/run_1' })
    expect(disk.list('it/run_1')).toContain('group_1')
    expect((await project.qanat('run_delete', 'it', '1', '--yes')).stderr).toBe('')
    expect(disk.list('it')).toEqual([])
  })

  test('can be undone until the trash is emptied', async () => {
    const project = await shellProject()
    await project.qanat('run', '--tag', 'paper', 'it', 'echo precious')
    await project.qanat('run', 'it', 'echo other')
    const { stdout } = await project.qanat('run_delete', 'it', '1', '2', '--yes')
    expect(stdout).toContain('To restore them: qanat run_delete --undo')
    expect((await project.json('status', '--json')).runs).toEqual({})
    expect((await project.qanat('run_delete', 'it', '1', '--undo')).stdout).toBe('Run 1 restored.\n')
    expect(project.read('results/it/run_1/stdout.txt')).toBe('precious\n')
    expect(await project.show(1)).toMatchObject({ status: 'finished', tags: ['paper'] })
    expect((await project.json('cache', 'status', '--json')).trash).toMatchObject({ runs: 1 })
    const reference = () => project.git('for-each-ref', 'refs/qanat').trim().split('\n')
    expect(reference()).toHaveLength(2)
    expect(await project.json('trash', 'list', '--json')).toMatchObject({ runs: [{ id: 2, experiment: 'it' }] })
    await project.qanat('cache', 'clean')
    expect((await project.qanat('trash', 'list')).stdout).toContain('results/it/run_2')
    expectError(await project.qanat('trash', 'empty'), 2, '--yes')
    const emptied = await project.qanat('trash', 'empty', '--yes')
    expect(emptied.stdout).toContain('Removed for good: 1 deleted run')
    expect((await project.qanat('trash', 'list')).stdout).toContain('The trash is empty')
    expect(project.list('results')).toEqual(['it'])
    expect(reference()).toHaveLength(1)
    const late = await project.qanat('run_delete', 'it', '2', '--undo')
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('run 2 of it is not in the trash')])
    expect((await project.json('run', '--json', 'it', 'true')).id).toBe(3)
  })

  test('makes it possible to delete the experiment, once nothing in the trash can be restored any more', async () => {
    const project = await shellProject()
    await project.qanat('run', 'it', 'echo precious')
    await project.qanat('run_delete', 'it', '1', '--yes')
    for (const words of [[], ['--yes']]) {
      const refusal = await project.qanat('experiment', 'delete', 'it', ...words)
      expect(refusal).toMatchObject(refused('experiment it has a run in the trash'))
      expect(refusal.stderr).toContain('qanat trash empty ')
    }
    await project.qanat('run_delete', '1', '--undo')
    expect(project.read('results/it/run_1/stdout.txt')).toBe('precious\n')
    await project.qanat('run_delete', '1', '--yes')
    await project.qanat('trash', 'empty', '--yes')
    expect((await project.qanat('experiment', 'delete', 'it', '--yes')).code).toBe(0)
    expect(project.list('results')).not.toContain('.trash')
    expect(project.git('for-each-ref', 'refs/qanat')).toBe('')
  })

  test('removes a run whose folder somebody has deleted already', async () => {
    const project = await shellProject()
    await project.qanat('run', 'it', 'true')
    rmSync(join(project.path, 'results'), { recursive: true })
    expect(await project.show()).toMatchObject({ status: 'finished' })
    expect(await project.qanat('run_delete', 'it', '1', '--yes')).toMatchObject({ code: 0, stderr: '' })
    expect((await project.json('experiment', 'status', 'it', '--json')).runs).toEqual([])
  })
})
