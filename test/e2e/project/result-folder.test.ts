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
  test('gets runs, which can be looked at, retried, deleted, restored and found again', async () => {
    const folder = await projectBeside('$SCRATCH/iris')
    const run = (line: string) => folder.qanatIn('project', ...line.split(' '))
    const launched = await folder.qanatIn('project', 'run', 'it', ...groups('[ -e ../done ] && echo x >"$3/model.pt"'))
    const place = 'scratch/iris/it/run_1'
    expect(launched.stdout).toContain(`  ${folder.path}/${place}\n`)
    folder.write('project/.qanat/cache/done', '')
    await run('run_retry it 1')
    expect(folder.read(`${place}/model.pt`)).toBe('x\n')
    const shown = { storage_path: `${folder.path}/${place}`, status: 'finished' }
    expect(JSON.parse((await run('run_show it 1 --json')).stdout)).toMatchObject(shown)
    expect((await run('run_delete it 1 --yes')).stderr).toBe('')
    expect(folder.has(place)).toBe(false)
    await run('trash restore 1')
    rmSync(join(folder.path, 'project/.qanat/database.db'))
    expect((await run('doctor --repair')).stdout).toContain('run 1')
    expect(JSON.parse((await run('run_show it 1 --json')).stdout)).toMatchObject(shown)
    expect((await run('run it true')).code).toBe(0)
    expect(folder.list('scratch/iris/it')).toEqual(['run_1', 'run_2'])
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

  test.each([
    ['$SCRATCH/../project', 2, 'contains the project itself'],
    ['../project/it.sh/x', 1, 'result_dir FOLDER'],
    ['/proc/none', 1, 'result_dir FOLDER'],
  ])('is refused at %s, and nothing is made', async (place, code, text) => {
    const folder = await projectBeside('../out')
    folder.write('project/.qanat/config.yaml', `result_dir: ${place}\n`)
    const before = paths(folder)
    expectError(await folder.qanatIn('project', 'run', '--allow_dirty', 'it', 'true'), code, text)
    expect(paths(folder)).toEqual(before)
  })
})

const noMounts = skips('results on several file systems', lacksMounts())
test.skipIf(noMounts)('a run that cannot be renamed into the trash is deleted, but its folder stays', async () => {
  const folder = await projectBeside('../out')
  const qanat = (line: string) => folder.qanatIn('project', ...line.split(' '))
  const experiment = join(folder.path, 'out/it')
  mkdirSync(experiment, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', experiment])
  onTestFinished(() => void execFileSync('umount', ['--lazy', experiment]))
  await qanat('run it true')
  const { stderr, code } = await qanat('run_delete it 1 --yes')
  expect([code, stderr]).toEqual([0, expect.stringContaining('it is on another file system than')])
  expect((await qanat('trash restore 1')).code).toBe(0)
  expect((await qanat('run_show it 1')).stdout).toContain('finished')
  await qanat('run_delete it 1 --yes')
  expect((await qanat('trash empty --yes')).code).toBe(0)
  expect(folder.has('out/it/run_1/info.yaml')).toBe(true)
})

test.skipIf(noMounts)(
  'where there are no links, no copy of the code is begun, and what does without is named',
  async () => {
    const folder = await shellProject()
    const cache = join(folder.path, '.qanat/cache')
    mkdirSync(cache)
    // It has neither links nor files.
    execFileSync('mount', ['-t', 'devpts', 'devpts', cache])
    onTestFinished(() => void execFileSync('umount', ['--lazy', cache]))
    const files = () => paths(folder).filter(path => !path.startsWith('.qanat/locks'))
    const before = files()
    expectError(await folder.qanat('run', '--detach', 'it', 'true'), 1, 'has no links', 'qanat run --snapshot never')
    expect([files(), folder.git('worktree', 'list').split('\n').length]).toEqual([before, 2])
    expect((await folder.qanat('run', '--snapshot', 'never', 'it', '-g', 'true')).code).toBe(0)
  },
)

test('a result folder that git does not ignore is named when its files make the tree dirty', async () => {
  const folder = await shellProject()
  await folder.qanat('config', 'set', 'result_dir', "./it's//out")
  folder.commit()
  await folder.qanat('run', 'it', 'true')
  const { stderr } = await folder.qanat('run', 'it', 'true')
  expect(stderr).toContain(
    "\nGit has to ignore the results of runs:\n  echo '/it'\\''s/out' >>.gitignore\nA run records",
  )
})

test.skipIf(!hasTerminal).each([
  ['out//res/', 'out/res', '/out/res\n'],
  ['run[s]', 'run[s]', '/run\\[s\\]\n'],
  ['$SCRATCH/it', '$SCRATCH/it', null],
])(
  'the result folder %s that init asks for is ignored by git if it is in the project',
  async (typed, written, ignored) => {
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
  },
)
