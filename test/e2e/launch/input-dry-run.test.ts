import { describe, expect, test } from 'vitest'
import { traces } from '../expectations.js'
import { type Folder, projectWith } from '../project.js'

/** `qanat run ARGS` with `--dry_run` among them: it ends well and leaves no trace. */
async function dryRun(folder: Folder, ...args: string[]) {
  const before = traces(folder)
  const outcome = await folder.qanat('run', ...args)
  expect(traces(folder)).toEqual(before)
  expect([outcome.code, outcome.stderr]).toEqual([0, ''])
  return outcome
}

describe('--dry_run', () => {
  test('shows the command of every group in shell syntax, and makes nothing', async () => {
    const folder = await projectWith('true', 'sh -u')
    const { stdout } = await dryRun(folder, '--dry_run', 'it', 'a b', "it's", '-R', '--seed 0 3 1', '-g', '--x 1')
    const run = `${folder.path}/results/it/run_1`
    expect(stdout).toBe(`3 groups; nothing is run
  0  sh -u it.sh 'a b' 'it'"'"'s' --x 1 --seed 0 --storage_path ${run}/group_0
  1  sh -u it.sh 'a b' 'it'"'"'s' --x 1 --seed 1 --storage_path ${run}/group_1
  2  sh -u it.sh 'a b' 'it'"'"'s' --x 1 --seed 2 --storage_path ${run}/group_2
`)
  })

  test.each(['--dry_run', '--dry-run'])('before the name as %s', async option => {
    const folder = await projectWith('true')
    expect((await dryRun(folder, option, 'it')).stdout).toMatch(/^1 group; nothing is run\n {2}0 {2}sh it\.sh /)
  })

  test('after the name, on a dirty tree and without a commit', async () => {
    const folder = await projectWith('true')
    folder.write('new.txt', 'x')
    expect((await dryRun(folder, 'it', '--dry_run', '--tag', 'x')).stdout).toContain('1 group; nothing is run')
    expect((await dryRun(folder, '--commit', 'New', 'it', '--dry_run')).stdout).toContain('1 group; nothing is run')
  })

  test('prints with --json every group and what would be submitted', async () => {
    const folder = await projectWith('true')
    const args = ['--json', '--dry_run', '--snapshot', 'always', 'it', 'pos', '--flag', '-R', '--seed 0 0.3 0.1']
    const { stdout } = await dryRun(folder, ...args, '--storage_path', 'out put', '--', '--tag', 'x')
    const groups = ['0', '0.1', '0.2'].map((seed, index) => {
      const words = ['pos', '--flag', '--tag', 'x', '--seed', seed]
      return {
        parameters: { pos_0: 'pos', '--flag': '', '--tag': 'x', '--seed': seed },
        command: ['sh', 'it.sh', ...words, '--storage_path', `${folder.path}/out put/group_${index}`],
      }
    })
    expect(JSON.parse(stdout)).toEqual({ groups, submit: [], submit_command: null })
  })

  test('uses the next run id, and warns of a missing dataset', async () => {
    const folder = await projectWith('true')
    await folder.qanat('run', 'it')
    folder.write('.qanat/far.yaml', 'name: far\npath: /nonexistent/data\n')
    folder.write('.qanat/new.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\ndatasets: [far]\n')
    await folder.qanat('dataset', 'new', '.qanat/far.yaml')
    await folder.qanat('experiment', 'update', 'it', '-f', '.qanat/new.yaml')
    const { stdout, stderr, code } = await folder.qanat('run', '--dry_run', 'it')
    expect(code).toBe(0)
    expect(stdout).toContain(`--storage_path ${folder.path}/results/it/run_2 --dataset_path /nonexistent/data\n`)
    expect(stderr).toBe('Warning: the dataset path /nonexistent/data is not on this machine\n')
  })

  test('of 100,000 groups can be cut off by a pipe', async () => {
    const folder = await projectWith('true')
    const { stdout, stderr, code } = await folder.shell('qanat run --dry_run it -R "--n 0 100000 1" | head -2')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^100000 groups; nothing is run\n {2}0 {2}sh it\.sh --n 0 .*\n$/)
  })
})
