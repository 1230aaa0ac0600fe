import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lacksMounts, skips } from '../../skips.js'
import { expectError, paths } from '../expectations.js'
import { Folder, groups, shellProject } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

/** A folder with a project in `project`, whose results go elsewhere; SCRATCH is `scratch` of the folder. */
async function projectBeside(resultDir: string): Promise<Folder> {
  const base = await shellProject()
  const folder = new Folder()
  folder.environment.SCRATCH = join(folder.path, 'scratch')
  folder.environment.HOME = join(folder.path, 'home')
  cpSync(base.path, join(folder.path, 'project'), { recursive: true })
  await folder.qanatIn('project', 'config', 'set', 'result_dir', resultDir)
  folder.git('-C', 'project', 'commit', '--quiet', '--all', '--message', 'Other results')
  return folder
}

describe('a result folder outside of the project', () => {
  test.each([
    ['$SCRATCH/iris', 'scratch/iris'],
    ['${SCRATCH}', 'scratch'],
    ['~/runs/', 'home/runs'],
    ['../out', 'out'],
  ])('%s gets runs, which can be looked at, retried, deleted, restored and found again', async (text, results) => {
    const folder = await projectBeside(text)
    const run = (...words: string[]) => folder.qanatIn('project', ...words)
    const launched = await run('run', 'it', ...groups('[ -e ../done ] && echo x >"$3/model.pt"', 'true'))
    const place = join(folder.path, results, 'it/run_1')
    expect(launched.stdout).toContain(`  ${place}\n`)
    folder.write('project/.qanat/cache/done', '')
    expect((await run('run_retry', 'it', '1')).code).toBe(0)
    expect(folder.read(`${results}/it/run_1/group_0/model.pt`)).toBe('x\n')
    const { storage_path, status } = JSON.parse((await run('run_show', 'it', '1', '--json')).stdout)
    expect([storage_path, status]).toEqual([place, 'finished'])
    expect((await run('run_delete', 'it', '1', '--yes')).stderr).toBe('')
    expect(folder.has(`${results}/it/run_1`)).toBe(false)
    expect((await run('trash', 'restore', '1')).code).toBe(0)
    expect(folder.has(`${results}/it/run_1/info.yaml`)).toBe(true)
    rmSync(join(folder.path, 'project/.qanat/database.db'))
    expect((await run('doctor', '--repair')).stdout).toContain('run 1')
    expect((await run('run_show', 'it', '1')).stdout).toContain('finished')
    expect((await run('run', 'it', 'true')).code).toBe(0)
    expect(folder.list(`${results}/it`)).toEqual(['run_1', 'run_2'])
    expect(folder.git('-C', 'project', 'status', '--porcelain')).toBe('')
  })

  test('is bound into containers as a whole, and named where its variable is not set, but only where it is needed', async () => {
    const folder = await projectBeside('$SCRATCH/iris')
    const qanat = (line: string) => folder.qanatIn('project', ...line.split(' '))
    const { stdout } = await qanat('run --runner slurm --dry_run --container python:3.12 it true')
    expect(stdout).toContain(`--volume ${folder.path}/scratch/iris:${folder.path}/scratch/iris `)
    delete folder.environment.SCRATCH
    const unset = ['result_dir is $SCRATCH/iris', 'SCRATCH is not set', 'qanat config set result_dir']
    expectError(await qanat('run it true'), 2, ...unset)
    expect((await qanat('doctor')).stdout).toContain('SCRATCH is not set')
    for (const line of ['experiment list', 'runs', 'config get result_dir', 'status', 'config set result_dir results'])
      expect([line, (await qanat(line)).code]).toEqual([line, 0])
  })

  test('of another project is refused, and one of a project that was moved is not', async () => {
    const folder = await projectBeside('$SCRATCH/iris')
    await folder.qanatIn('project', 'run', 'it', 'true')
    cpSync(join(folder.path, 'project'), join(folder.path, 'copy'), { recursive: true })
    const before = paths(folder)
    const others = [`holds the runs of another project, ${folder.path}/project`]
    expectError(await folder.qanatIn('copy', 'run', 'it', 'true'), 2, ...others)
    expectError(await folder.qanatIn('copy', 'doctor', '--repair'), 2, ...others)
    expect(paths(folder)).toEqual(before)
    renameSync(join(folder.path, 'project'), join(folder.path, 'moved'))
    expect((await folder.qanatIn('moved', 'run', 'it', 'true')).code).toBe(0)
    expectError(await folder.qanatIn('copy', 'run', 'it', 'true'), 2, `${folder.path}/moved`)
    await folder.qanatIn('copy', 'config', 'set', 'result_dir', join(folder.path, 'moved/results/x'))
    expectError(await folder.qanatIn('copy', 'run', 'it', 'true'), 2, `lies in another project, ${folder.path}/moved`)
  })

  test('goes to one of two projects whose first runs begin at the same time', async () => {
    const folder = await projectBeside('$SCRATCH/iris')
    cpSync(join(folder.path, 'project'), join(folder.path, 'copy'), { recursive: true })
    const names = ['project', 'copy']
    const outcomes = await Promise.all(names.map(name => folder.qanatIn(name, 'run', 'it', 'true')))
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 2])
    const loser = outcomes.findIndex(({ code }) => code === 2)
    expectError(outcomes[loser]!, 2, `holds the runs of another project, ${folder.path}/${names[1 - loser]}`)
    expect(folder.list('scratch/iris')).toEqual(['.qanat_project', 'it'])
    expect(folder.list('scratch/iris/it')).toEqual(['run_1'])
    const runs = await Promise.all(names.map(name => folder.qanatIn(name, 'runs', '--json')))
    expect(runs.map(({ stdout }) => JSON.parse(stdout).runs.length)).toEqual([loser, 1 - loser])
  })

  test('that contains the project is refused', async () => {
    const folder = await projectBeside('$SCRATCH/iris')
    folder.write('project/.qanat/config.yaml', 'result_dir: $SCRATCH\n')
    for (const up of ['.', '..', '/']) {
      folder.environment.SCRATCH = join(folder.path, 'project', up)
      expectError(await folder.qanatIn('project', 'run', 'it', 'true'), 2, 'contains the project itself')
    }
  })

  test.each(['project/it.sh/x', '/proc/none'])('that cannot be made is one error: %s', async place => {
    const folder = await projectBeside(place.startsWith('/') ? place : `../${place}`)
    const before = paths(folder)
    expectError(await folder.qanatIn('project', 'run', 'it', 'true'), 1, 'result_dir FOLDER')
    expect(paths(folder)).toEqual(before)
  })
})

describe.skipIf(skips('results on several file systems', lacksMounts()))('results on several file systems', () => {
  test('a run that cannot be renamed into the trash is deleted, but its folder stays', async () => {
    const folder = await projectBeside('../out')
    const experiment = join(folder.path, 'out/it')
    mkdirSync(experiment, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', experiment])
    onTestFinished(() => void execFileSync('umount', ['--lazy', experiment]))
    await folder.qanatIn('project', 'run', 'it', 'true')
    const { stderr, code } = await folder.qanatIn('project', 'run_delete', 'it', '1', '--yes')
    expect([code, stderr]).toEqual([0, expect.stringContaining('it is on another file system than')])
    expect((await folder.qanatIn('project', 'trash', 'restore', '1')).code).toBe(0)
    expect((await folder.qanatIn('project', 'run_show', 'it', '1')).stdout).toContain('finished')
    await folder.qanatIn('project', 'run_delete', 'it', '1', '--yes')
    expect((await folder.qanatIn('project', 'trash', 'empty', '--yes')).code).toBe(0)
    expect(folder.has('out/it/run_1/info.yaml')).toBe(true)
  })

  test('a read-only one is one error', async () => {
    const folder = await projectBeside('../out')
    mkdirSync(join(folder.path, 'out'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', join(folder.path, 'out')])
    onTestFinished(() => void execFileSync('umount', ['--lazy', join(folder.path, 'out')]))
    expectError(await folder.qanatIn('project', 'run', 'it', 'true'), 1, 'cannot be written', 'result_dir FOLDER')
  })
})

describe('a result folder that git does not ignore', () => {
  test('is named when its files make the tree dirty', async () => {
    const folder = await shellProject()
    await folder.qanat('config', 'set', 'result_dir', "./it's//out")
    folder.commit()
    await folder.qanat('run', 'it', 'true')
    const { stderr } = await folder.qanat('run', 'it', 'true')
    expect(stderr).toContain(`
Git has to ignore the results of runs:
  echo '/it'\\''s/out' >>.gitignore
A run records`)
  })
})

describe.skipIf(!hasTerminal)('the result folder asked for by init', () => {
  test.each([
    ['./results', 'results', '/results\n'],
    ['out//res/', 'out/res', '/out/res\n'],
    ['run[s]', 'run[s]', '/run\\[s\\]\n'],
    ['../out', '../out', null],
    ['$SCRATCH/it', '$SCRATCH/it', null],
  ])('%s', async (typed, written, ignored) => {
    const folder = new Folder({ SCRATCH: '/nowhere/scratch' })
    const screen = new Screen(folder, 'qanat init new')
    await screen.answer('Folder for the results', typed)
    await screen.answer('Editor', '')
    expect(await screen.exitCode()).toBe(0)
    expect((await folder.qanatIn('new', 'config', 'get', 'result_dir')).stdout).toBe(`${written}\n`)
    expect(folder.has('new/.gitignore') ? folder.read('new/.gitignore') : null).toBe(ignored)
    if (ignored === null) return
    folder.write(`new/${written}/it/run_1/x`, '')
    expect(folder.git('-C', 'new', 'status', '--porcelain')).toBe('')
  })
})
