import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectError, paths } from '../expectations.js'
import { Folder, projectWith } from '../project.js'

/** Everything that a launch could leave: files, refs and worktrees of git, rows. */
function look(folder: Folder) {
  return [paths(folder), folder.read('.qanat/database.db')]
}

/** `qanat run ARGS` is one error, and leaves nothing. */
async function expectRefusal(folder: Folder, args: readonly string[], ...texts: string[]): Promise<void> {
  await expectRefusals(folder, [[args, ...texts]])
}

/** The same of several. */
async function expectRefusals(folder: Folder, cases: readonly [readonly string[], ...string[]][]): Promise<void> {
  const before = look(folder)
  for (const [args, ...texts] of cases) expectError(await folder.qanat('run', ...args), 2, ...texts)
  expect(look(folder)).toEqual(before)
}

describe('run refuses, and makes nothing:', () => {
  test('unknown experiments', async () => {
    const list = '\n  qanat experiment list        shows the only experiment\n'
    await expectRefusals(await projectWith('true'), [
      [[], 'which experiment?', 'qanat run it'],
      [['itt', '--x'], "no experiment 'itt'. Did you mean it?", 'qanat run it --x'],
      [['summary'], `no experiment 'summary'${list}`],
      [['x'.repeat(300)], `no experiment '${'x'.repeat(80)}…'${list}`],
    ])
  })

  test('ranges and groups that make no sense', async () => {
    const form = 'a range is --option START STOP STEP'
    const forAll = '--n is given twice: as a range and in the arguments for all'
    const twice = '--n is given twice: as a range and in a group'
    const values = '--n is given twice: as a list of values and as a range'
    await expectRefusals(await projectWith('true'), [
      [['it', '-R', '--seed 0 10 0'], '-R "--seed 0 10 0": step is 0', form],
      [['it', '-R', '--seed 0 10'], 'expected 4 words, found 3', form],
      [['it', '-R', '--seed 0 10 1 1'], 'expected 4 words, found 5', '-V takes listed values'],
      [['it', '-R', '--seed a b c'], "'a' is not a number", '-V takes listed values'],
      [['it', '-R', '--seed 10 0 1'], 'nothing lies between 10 and 0', form],
      [['it', '--n', '1', '-R', '--n 0 2 1'], forAll],
      [['it', '-g', '--n=1', '-R', '--n 0 2 1'], twice],
      [['-V', '--n 1 2', 'it', '-R', '--n 0 2 1'], values],
      [['-V', '--n', 'it'], '-V "--n": no value is given'],
      [['it', '-g', "--n 'a"], 'is not closed'],
    ])
  })

  test('more than 100,000 groups, with the count and its factors', async () => {
    const folder = await projectWith('true')
    const product = ['-g', '--a 1', '-g', '--a 2', '-R', '--n 0 1000 1', '-R', '--m 0 51 1']
    await expectRefusals(folder, [
      [['it', '-R', '--n 0 100001 1'], '100,001 groups are more than the 100,000', '100,001 of --n', 'several runs'],
      [['it', ...product], '102,000 groups', '2 given as groups × 1,000 of --n × 51 of --m'],
    ])
  })

  test('runners, templates, commits and files that are missing or invalid', async () => {
    const folder = await projectWith('true')
    folder.write('.qanat/key.yaml', 'resource: {cpus: 2}\n')
    folder.write('.qanat/value.yaml', 'resources:\n  cpus: many\n')
    folder.write('.qanat/grid.yaml', 'varying_args:\n  range: {options: {--n: [5, 51, 0]}}\n')
    const template = (name: string) => ['it', '--submit_template', name]
    const unknown = ["unknown key 'resource'", 'Did you mean resources?', 'the keys are resources, modules'] as const
    await expectRefusals(folder, [
      [['-r', 'locl', 'it'], "no runner 'locl'", 'the runners are: local'],
      [
        ['it', '-r', '--seed 0 10 1'],
        '-r takes the name of a runner, not "--seed 0 10 1"',
        "qanat run it -R '--seed 0 10 1'",
      ],
      [template('two_cpu'), "no local template 'two_cpu'", 'Did you mean two_cpus?', 'default, two_cpus'],
      [template('.qanat/key.yaml'), ...unknown],
      [template('.qanat/value.yaml'), '.qanat/value.yaml:2:9: resources.cpus: expected'],
      [['it', '--commit_sha', 'v1.0'], "no commit 'v1.0'", 'git log'],
      [['it', '--commit_sha=--all'], "no commit '--all'"],
      [['it', '-f', 'grid.yaml'], "no file 'grid.yaml'"],
      [['it', '-f', '.qanat/grid.yaml'], '.qanat/grid.yaml:2:26: varying_args.range.options.--n: step is 0'],
    ])
  })

  test('options that are unknown or invalid', async () => {
    const afterName = 'options of the experiment come after its name'
    await expectRefusals(await projectWith('true'), [
      [['--nonsense', 'it'], 'unknown option --nonsense', afterName, 'qanat run it --nonsense'],
      [['--dry-runn', 'it'], 'unknown option --dry-runn', 'Did you mean --dry_run?', 'qanat run --dry_run it'],
      [
        ['it', '--runer', 'x'],
        '--runer is one letter off --runner',
        'qanat run it --runner x',
        'if it is an option of it, write it after --',
      ],
      [['it', '--tag'], '--tag needs a value'],
      [['--gpu', 'it'], '--gpu works only together with --container'],
    ])
  })

  test.each([
    ['--n_threads 0', ['it', '--n_threads', '0']],
    ['--snapshot often', ['--snapshot', 'often', 'it']],
    ['--commit and --allow_dirty', ['--commit', 'x', '--allow_dirty', 'it']],
    ['--detach and --wait', ['--detach', '--wait', 'it']],
    ['--commit needs a message', ['--commit', ' ', 'it']],
  ])('%s, saying what to type', async (text, args) => {
    await expectRefusal(await projectWith('true'), args, text)
  })

  test.each([
    ['file', 'is not a folder'],
    ['file/below', 'file'],
    ['full', 'is not empty'],
    ['.qanat/x', 'used by the project itself'],
    ['.', 'used by the project itself'],
  ])('--storage_path %s, before the code is frozen', async (path, text) => {
    const folder = await projectWith('true')
    folder.write('file', 'x')
    folder.write('full/x', 'x')
    folder.commit()
    await expectRefusal(folder, ['--snapshot', 'always', '--storage_path', path, 'it'], '--storage_path', text)
  })

  test('an option without a near match is passed on', async () => {
    const folder = await projectWith('true')
    expect((await folder.qanat('run', '--nope', 'it')).stderr).not.toContain('Did you mean')
  })
})

/** In the tree itself, and frozen. */
const ways = [['it'], ['it', '-R', '--n 0 2 1']]

describe('run refuses code that it could not record, and makes nothing:', () => {
  test('an executable that git ignores', async () => {
    const folder = await projectWith('true')
    folder.git('rm', '--quiet', '--cached', 'it.sh')
    folder.write('.gitignore', `${folder.read('.gitignore')}*.sh\n`)
    folder.commit()
    const texts = ['executable of it is not in the commit: it.sh', 'git check-ignore -v it.sh']
    for (const args of ways) await expectRefusal(folder, args, ...texts)
  })

  test('an executable that was deleted', async () => {
    const folder = await projectWith('true')
    folder.git('rm', '--quiet', 'it.sh')
    folder.commit()
    const texts = ['executable of it does not exist: it.sh', 'qanat experiment update it']
    for (const args of ways) await expectRefusal(folder, args, ...texts)
  })

  test('an executable that an older commit does not have, without blaming .gitignore', async () => {
    const folder = await projectWith('true')
    folder.git('commit', '--quiet', '--allow-empty', '--message', 'Before')
    folder.git('rm', '--quiet', 'it.sh')
    folder.commit()
    folder.git('revert', '--no-edit', 'HEAD')
    const before = look(folder)
    const outcome = await folder.qanat('run', '--commit_sha', 'HEAD~1', 'it')
    expectError(outcome, 2, 'executable of it is not in the commit', 'it.sh')
    expect(outcome.stderr).not.toContain('ignore')
    expect(look(folder)).toEqual(before)
  })

  test('a repository without a commit', async () => {
    const folder = await projectWith('true')
    rmSync(join(folder.path, '.git'), { recursive: true })
    folder.git('init', '--quiet')
    for (const options of [[], ['--allow_dirty'], ['--commit', 'First']]) {
      await expectRefusal(folder, [...options, 'it'], 'no commit yet', 'git add --all && git commit -m')
    }
  })

  test('a project that is no longer in a repository', async () => {
    const folder = await projectWith('true')
    rmSync(join(folder.path, '.git'), { recursive: true })
    for (const options of [[], ['--allow_dirty'], ['--commit_sha', 'HEAD']]) {
      await expectRefusal(folder, [...options, 'it'], 'no longer in a git repository', 'git init')
    }
  })

  test('changes to commit without a git identity', async () => {
    const folder = await projectWith('true')
    const home = new Folder()
    home.write('.gitconfig', '[user]\n  useConfigOnly = true\n')
    Object.assign(folder.environment, { HOME: home.path, GIT_CONFIG_NOSYSTEM: '1' })
    for (const who of ['AUTHOR', 'COMMITTER']) delete folder.environment[`GIT_${who}_EMAIL`]
    folder.write('new.txt', 'x')
    const before = folder.git('rev-parse', 'HEAD')
    await expectRefusal(folder, ['--commit', 'New', 'it'], 'git config --global user.name', 'user.email')
    expect([folder.git('rev-parse', 'HEAD'), folder.git('status', '--porcelain')]).toEqual([before, '?? new.txt\n'])
  })
})

test('a launch that fails after its commit says that the commit stays', async () => {
  const folder = await projectWith('true')
  folder.git('rm', '--quiet', '--cached', 'it.sh')
  folder.write('.gitignore', `${folder.read('.gitignore')}*.sh\n`)
  const { stdout, stderr, code } = await folder.qanat('run', '--commit', 'Ignore it', 'it')
  expect([code, stdout]).toEqual([2, ''])
  expect(folder.git('log', '-1', '--format=%s')).toBe('Ignore it\n')
  expect(stderr).toContain("committed as 'Ignore it'")
  expect(folder.has('results')).toBe(false)
  const { error } = await folder.json('run', '--json', 'it')
  expect(error).toEqual({
    message: expect.stringContaining('not in the commit'),
    hint: expect.any(String),
    code: 2,
    kind: 'usage',
  })
})

test('a missing dataset is a warning', async () => {
  const folder = await projectWith('true')
  folder.write('.qanat/far.yaml', 'name: far\npath: /nonexistent/data\n')
  folder.write('.qanat/new.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\ndatasets: [far]\n')
  await folder.qanat('dataset', 'new', '.qanat/far.yaml')
  await folder.qanat('experiment', 'update', 'it', '-f', '.qanat/new.yaml')
  const { stderr, code } = await folder.qanat('run', 'it')
  expect([code, stderr]).toEqual([0, 'Warning: the dataset path /nonexistent/data is not on this machine\n'])
})
