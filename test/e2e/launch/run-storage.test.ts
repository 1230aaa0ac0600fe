import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
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
  test('is refused inside that of another run, or around one, also of a deleted one, however it is written', async () => {
    const [project, disk] = [await shellProject(), new Folder()]
    symlinkSync(disk.path, join(project.path, 'results'))
    symlinkSync('results/sweep', join(project.path, 'link'))
    project.write('other.yaml', 'name: other\nexecutable: it.sh\nexecutable_command: sh\n')
    project.commit()
    const run = (path: string) => project.qanat('run', '--storage_path', path, 'it', 'true')
    for (const path of ['results/sweep', 'results/deep/one', join(disk.path, 'link/out'), 'results/other'])
      expect((await run(path)).code).toBe(0)
    await project.qanat('run_delete', '2', '4', '--yes')
    const before = disk.list('.')
    for (const [path, reason] of [
      ['results/sweep/extra', 'results/sweep/extra lies in the folder of run 1, results/sweep\n'],
      ['link/extra', 'results/sweep/extra lies in the folder of run 1'],
      [join(disk.path, 'sweep/../sweep/extra'), 'results/sweep/extra lies in the folder of run 1'],
      ['results/link/out/x/y', 'lies in the folder of run 3, results/link/out\n'],
      ['results/deep', 'would hold the folder of the deleted run 2, results/deep/one\n'],
      ['results/deep/one/x', 'lies in the folder of the deleted run 2'],
      [
        'results/it',
        `is used for all runs of it\n  name a folder inside it: --storage_path ${project.path}/results/it`,
      ],
    ] as const) {
      const refusal = await run(path)
      expect(refusal).toMatchObject(refused(reason))
      expect(refusal.stderr.includes('qanat trash empty ')).toBe(reason.includes('deleted'))
    }
    expect((await project.qanat('experiment', 'new', '-f', 'other.yaml')).code).toBe(0)
    expect(await project.qanat('run', 'other', 'true')).toMatchObject(
      refused(
        'the runs of other would lie in the folder of the deleted run 4, results/other\n  qanat run --storage_path ',
      ),
    )
    await project.qanat('config', 'set', 'result_dir', 'results/sweep/inner')
    project.commit()
    expect(await project.qanat('run', 'it', 'true')).toMatchObject(
      refused('the runs of it would lie in the folder of run 1, results/sweep\n'),
    )
    expect([disk.list('.'), disk.list('sweep')]).toEqual([
      before,
      ['.run', 'group_info.yaml', 'info.yaml', 'stderr.txt', 'stdout.txt'],
    ])
    await project.qanat('config', 'set', 'result_dir', 'results')
    project.commit()
    // The place of a deleted run is free, and that of one that was removed by hand is not.
    expect((await run('results/deep/one')).code).toBe(0)
    rmSync(join(disk.path, 'deep'), { recursive: true })
    expect(await run('results/deep/one')).toMatchObject(refused('results/deep/one is the folder of run 5'))
    expect((await project.qanat('trash', 'empty', '--yes')).code).toBe(0)
    expect((await project.qanat('run', 'other', 'true')).code).toBe(0)
  })

  test('is not found where somebody has moved it into that of another run', async () => {
    const project = await shellProject()
    await project.qanat('run', '--storage_path', 'results/sweep', 'it', 'true')
    await project.qanat('run', 'it', 'true')
    const [from, to] = ['results/it/run_2', 'results/sweep/run_2'].map(path => join(project.path, path))
    renameSync(from!, to!)
    expect((await project.qanat('doctor', '--repair')).stdout).toContain('the folder is missing: run 2')
    renameSync(to!, join(project.path, 'results/it/run_7'))
    expect((await project.qanat('doctor', '--repair')).code).toBe(0)
    expect((await project.show(2)).storage_path).toBe('results/it/run_7')
  })

  test('may hold a project of its own, which a script makes and uses', async () => {
    const project = await shellProject()
    const qanat = `"${process.execPath}" "${project.program}"`
    const script = `git clone -q "$QANAT_PROJECT" "$QANAT_STORAGE_PATH/own" && cd "$QANAT_STORAGE_PATH/own" &&
${qanat} init --yes && ${qanat} experiment new -f it.yaml && ${qanat} run it 'echo inner'`
    expect(await project.qanat('run', 'it', script)).toMatchObject({ code: 0 })
    expect(project.read('results/it/run_1/own/results/it/run_1/stdout.txt')).toBe('inner\n')
    expect((await project.qanat('run_delete', '1', '--yes')).code).toBe(0)
    expect((await project.qanat('trash', 'restore', '1')).code).toBe(0)
    expect(project.has('results/it/run_1/own/.qanat/database.db')).toBe(true)
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

  test('is given to one of two launches that want it, or one inside the other, at the same time', async () => {
    const project = await shellProject()
    const paths = ['results/sweep', 'results/sweep/extra', 'results/sweep']
    const runs = await Promise.all(paths.map(path => project.qanat('run', '--storage_path', path, 'it', 'true')))
    expect(runs.filter(({ code }) => code === 0)).toHaveLength(1)
    expect((await project.json('runs', '--json')).runs).toHaveLength(1)
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
    expect(stdout).toContain('To restore them: qanat trash restore 1 2')
    expect((await project.json('status', '--json')).runs).toEqual({})
    expect((await project.qanat('trash', 'restore', '1')).stdout).toBe('Run 1 restored.\n')
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
    const late = await project.qanat('trash', 'restore', '2')
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('run 2 is not in the trash')])
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
    await project.qanat('trash', 'restore', '1')
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
