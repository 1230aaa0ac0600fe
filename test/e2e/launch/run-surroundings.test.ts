import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ordinaryUser, qanatAsOrdinaryUser } from '../ordinary-user.js'
import { Folder, groups, quote, shellProject } from '../project.js'

describe('the surroundings of the script', () => {
  test('a single group in the foreground runs in the tree itself and gets the variables QANAT_…', async () => {
    const project = await shellProject({ MINE: "my 'own'\nvariable" })
    await project.qanat('run', 'it', 'env -0 | grep -z -e ^QANAT -e ^MINE | sort -z; pwd')
    const folder = `${project.path}/results/it/run_1`
    expect(project.read('results/it/run_1/stdout.txt').split('\0')).toEqual([
      "MINE=my 'own'\nvariable",
      `QANAT_COMMIT=${project.git('rev-parse', 'HEAD').trim()}`,
      'QANAT_GROUP_INDEX=0',
      `QANAT_PROJECT=${project.path}`,
      'QANAT_RUN_ID=1',
      `QANAT_STORAGE_PATH=${folder}`,
      `${project.path}\n`,
    ])
  })

  test.each(['../out.sh', 'link.sh', 'ignored.sh'])(
    'one warning names an executable that the commit does not contain: %s',
    async executable => {
      const parent = new Folder()
      parent.write('out.sh', 'exit 3\n')
      const project = await shellProject()
      const study = join(parent.path, 'study')
      renameSync(project.path, study)
      parent.write('study/.gitignore', '/results\n/data\n')
      parent.write('study/data/it.sh', 'exit 3\n')
      symlinkSync('../out.sh', join(study, 'link.sh'))
      symlinkSync('data/it.sh', join(study, 'ignored.sh'))
      const read = executable === 'ignored.sh' ? 'study/data/it.sh' : 'out.sh'
      parent.write('study/other.yaml', `name: other\nexecutable: ${executable}\nexecutable_command: sh\n`)
      await parent.qanatIn('study', 'experiment', 'new', '-f', 'other.yaml')
      await parent.shell('cd study && git add --all && git commit --quiet --message All')
      const told = `the code of the executable ${executable} is not recorded: it is ${parent.path}/${read}, `
      expect((await parent.qanatIn('study', 'run', 'other')).stderr.split(told)).toHaveLength(2)
      expect((await parent.qanatIn('study', 'run', '--snapshot', 'always', 'other')).stderr).toContain(told)
      const warnings = () => parent.read('study/results/other/run_1/.run/warnings.txt')
      const kept = warnings()
      expect(kept).toMatch(/ \(at the launch sha256:[0-9a-f]{64}\)\n$/)
      await parent.qanatIn('study', 'run_retry', '1')
      expect(warnings()).toBe(kept)
      parent.write(read, 'true\n')
      expect(await parent.qanatIn('study', 'run_retry', '1')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(told),
      })
      const [first, second] = warnings().split('\n')
      expect([`${first}\n`, second]).toEqual([kept, expect.stringContaining(told)])
      expect(second).not.toBe(first)
    },
  )

  test('a large executable that the commit does not contain is recorded by its size and its time, without a hash', async () => {
    const project = await shellProject()
    const outside = new Folder()
    outside.write('tool', '')
    truncateSync(join(outside.path, 'tool'), 200_000_001)
    utimesSync(join(outside.path, 'tool'), 1_700_000_000, 1_700_000_000)
    project.write('other.yaml', `name: other\nexecutable: ${outside.path}/tool\nexecutable_command: 'true'\n`)
    project.commit()
    await project.qanat('experiment', 'new', '-f', 'other.yaml')
    const { code, stderr } = await project.qanat('run', 'other')
    expect(code).toBe(0)
    expect(stderr).toContain(
      '(at the launch 200000001 bytes, last changed 2023-11-14T22:13:20.000Z, too large for a hash)',
    )
  })

  test('each group of several has its own folder and index, and runs in the frozen copy', async () => {
    const project = await shellProject()
    const tells = 'echo "$QANAT_RUN_ID $QANAT_GROUP_INDEX $QANAT_COMMIT $QANAT_PROJECT $QANAT_STORAGE_PATH"; pwd'
    await project.qanat('run', 'it', ...groups(tells, tells, tells))
    const head = project.git('rev-parse', 'HEAD').trim()
    const root = project.path
    for (const index of [0, 1, 2]) {
      expect(project.read(`results/it/run_1/group_${index}/stdout.txt`)).toBe(
        `1 ${index} ${head} ${root} ${root}/results/it/run_1/group_${index}\n${root}/.qanat/cache/${head.slice(0, 12)}\n`,
      )
    }
  })

  test('a folder above the project that nobody may list only costs ../NAME, and the launch says what to type', async () => {
    const { path } = await shellProject()
    const folder = new Folder()
    folder.write('data/x', 'beside\n')
    cpSync(path, join(folder.path, 'study'), { recursive: true })
    if (process.getuid!() === 0) {
      const entries = ['', ...(readdirSync(join(folder.path, 'study'), { recursive: true }) as string[])]
      for (const entry of entries) chownSync(join(folder.path, 'study', entry), ordinaryUser.uid, ordinaryUser.gid)
    }
    const run = (file: string) => {
      return qanatAsOrdinaryUser(folder, 'study', 'run', 'it', 'cat "$2"', file, '-R', '--seed 0 2 1')
    }
    chmodSync(folder.path, 0o311)
    const outcomes = [await run('../data/x'), await run(`${folder.path}/data/x`)]
    chmodSync(folder.path, 0o711)
    const told = `type the absolute ones instead: ../data/x → ${folder.path}/data/x\n`
    expect(outcomes[0]).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
    expect(outcomes[1]).toMatchObject({ code: 0, stderr: '' })
    expect(folder.read('study/results/it/run_2/group_1/stdout.txt')).toBe('beside\n')
  })

  test('the folder of the project may have any name', async () => {
    const folder = new Folder()
    const name = `it's a "pro$ject" $(touch x) é*[1]\\ `
    mkdirSync(join(folder.path, name))
    const source = await shellProject()
    cpSync(source.path, join(folder.path, name), { recursive: true })
    folder.write(join(name, 'new.txt'), 'untracked')
    const words = groups('echo "$QANAT_PROJECT"; cat new.txt', 'true')
    const { code, stderr } = await folder.qanatIn(name, 'run', '--allow_dirty', 'it', ...words)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(folder.read(join(name, 'results/it/run_1/group_0/stdout.txt'))).toBe(`${folder.path}/${name}\nuntracked`)
  })

  test('it does not read the standard input of the command', async () => {
    const project = await shellProject()
    const { stdout } = await project.shell('echo unseen | qanat run it "cat; echo empty"')
    expect(stdout).toContain('\nempty\n')
    expect(stdout).not.toContain('unseen')
  })

  test('it inherits no open file of the program', async () => {
    const project = await shellProject()
    await project.qanat('run', 'it', ...groups('ls /dev/fd', 'ls /dev/fd'), '--n_threads', '2')
    const usual = execFileSync('sh', ['-c', 'ls /dev/fd'], { encoding: 'utf8' })
    expect(project.read('results/it/run_1/group_1/stdout.txt')).toBe(usual)
  })

  test('its files have the umask of the user who launches', async () => {
    const project = await shellProject()
    const code = 'umask; mkdir "$QANAT_STORAGE_PATH/made"'
    await project.shell(`umask 077; qanat run it ${groups(code, code).map(quote).join(' ')}`)
    await project.shell(`umask 002; qanat run it '${code}'`)
    const mode = (path: string) => (statSync(join(project.path, path)).mode & 0o777).toString(8)
    expect(project.read('results/it/run_1/group_0/stdout.txt')).toBe('0077\n')
    expect(project.read('results/it/run_2/stdout.txt')).toBe('0002\n')
    expect(
      ['', '/info.yaml', '/group_1', '/group_1/stdout.txt', '/group_1/made'].map(path =>
        mode(`results/it/run_1${path}`),
      ),
    ).toEqual(['700', '600', '700', '600', '700'])
    expect(['', '/info.yaml', '/stdout.txt', '/made'].map(path => mode(`results/it/run_2${path}`))).toEqual([
      '775',
      '664',
      '664',
      '775',
    ])
  })
})

describe('the files of a run', () => {
  test('of a single group are in the folder of the run', async () => {
    const project = await shellProject()
    await project.qanat('run', 'it', 'echo out; echo err >&2', '--rate', '0.10', '--flag')
    expect(project.list('results/it/run_1')).toEqual([
      '.run',
      'group_info.yaml',
      'info.yaml',
      'stderr.txt',
      'stdout.txt',
    ])
    expect(project.read('results/it/run_1/stdout.txt')).toBe('out\n')
    expect(project.read('results/it/run_1/stderr.txt')).toBe('err\n')
    const parameters = { pos_0: 'echo out; echo err >&2', '--rate': '0.10', '--flag': '' }
    const command = `sh it.sh 'echo out; echo err >&2' --rate 0.10 --flag --storage_path ${project.path}/results/it/run_1`
    expect(parse(project.read('results/it/run_1/group_info.yaml'))).toEqual({ command, parameters })
    expect(parse(project.read('results/it/run_1/info.yaml'))).toEqual({
      run_id: 1,
      experiment_id: 1,
      executable: 'it.sh',
      executable_command: 'sh',
      storage_path: 'results/it/run_1',
      commands: [command],
      groups_of_parameters: [parameters],
      repertories: ['results/it/run_1'],
      working_directory: project.path,
      datasets: {},
      commit_sha: project.git('rev-parse', 'HEAD').trim(),
    })
  })

  test('of several groups are in a folder for each', async () => {
    const project = await shellProject()
    await project.qanat('run', 'it', 'echo "$3"', '-R', '--seed 5 7 1')
    expect(project.list('results/it/run_1')).toEqual(['.run', 'group_0', 'group_1', 'info.yaml'])
    expect(project.list('results/it/run_1/group_1')).toEqual(['group_info.yaml', 'stderr.txt', 'stdout.txt'])
    expect(project.read('results/it/run_1/group_1/stdout.txt')).toBe('6\n')
    const parameters = ['5', '6'].map(seed => ({ pos_0: 'echo "$3"', '--seed': seed }))
    expect(parse(project.read('results/it/run_1/group_1/group_info.yaml')).parameters).toEqual(parameters[1])
    expect(parse(project.read('results/it/run_1/info.yaml'))).toMatchObject({
      groups_of_parameters: parameters,
      repertories: ['results/it/run_1/group_0', 'results/it/run_1/group_1'],
      working_directory: expect.stringContaining(`${project.path}/.qanat/cache/`),
    })
  })

  test('name the datasets: the script gets their absolute paths, those that git tracks from the frozen copy', async () => {
    const project = await shellProject()
    project.write('.gitignore', '/results\n/large/\n')
    project.write('small/x', 'tracked')
    project.write('large/x', 'ignored')
    project.commit()
    project.write('.qanat/small.yaml', 'name: small\npath: small\n')
    project.write('.qanat/large.yaml', 'name: large\npath: large\n')
    project.write(
      '.qanat/reads.yaml',
      'name: reads\nexecutable: it.sh\nexecutable_command: sh\ndatasets: [large, small]\n',
    )
    for (const name of ['small', 'large']) await project.qanat('dataset', 'new', '-f', `.qanat/${name}.yaml`)
    await project.qanat('experiment', 'new', '-f', '.qanat/reads.yaml')
    await project.qanat('run', 'reads', 'echo "$7 $9"; cat "$7/x" "$9/x"', '-R', '--n 0 2 1')
    await project.qanat('run', 'reads', 'true')
    const [copy] = project.copies()
    expect(project.read('results/reads/run_1/group_1/stdout.txt')).toBe(
      `${project.path}/large ${project.path}/.qanat/cache/${copy}/small\nignoredtracked`,
    )
    expect(parse(project.read('results/reads/run_2/info.yaml')).datasets).toEqual({
      large: `${project.path}/large`,
      small: `${project.path}/small`,
    })
  })
})

describe('run ids', () => {
  test('count up over all experiments and are never used again', async () => {
    const project = await shellProject()
    project.write('.qanat/other.yaml', 'name: other\nexecutable: it.sh\nexecutable_command: sh\n')
    await project.qanat('experiment', 'new', '-f', '.qanat/other.yaml')
    const launch = async (name: string) => (await project.json('run', '--json', name, 'true')).id
    expect([await launch('it'), await launch('other'), await launch('it')]).toEqual([1, 2, 3])
    await project.qanat('run_delete', 'it', '3', '--yes')
    expect(project.has('results/it/run_3')).toBe(false)
    expect(await launch('other')).toBe(4)
    await project.qanat('experiment', 'delete', 'other', '--yes')
    await project.qanat('experiment', 'new', '-f', '.qanat/other.yaml')
    expect(await launch('other')).toBe(5)
  })

  test('start above the run folders that are there when the database is lost', async () => {
    const project = await shellProject()
    await project.qanat('run', 'it', 'true')
    project.write('results/gone/run_57/info.yaml', '')
    rmSync(join(project.path, '.qanat/database.db'))
    await project.qanat('init')
    await project.qanat('experiment', 'new', '-f', 'it.yaml')
    expect((await project.json('run', '--json', 'it', 'true')).id).toBe(58)
    expect(project.list('results/it')).toEqual(['run_1', 'run_58'])
  })
})
