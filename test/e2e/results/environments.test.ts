import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { Folder, until } from '../project.js'

/** A project whose experiment runs with a Python that says its version, and has packages in folders. */
async function pythonProject(): Promise<Folder> {
  const folder = new Folder()
  folder.git('init', '--quiet')
  folder.write('it.py', '')
  folder.write('.gitignore', '/.venv/\n')
  folder.write('it.yaml', 'name: it\nexecutable: it.py\nexecutable_command: .venv/bin/python\n')
  folder.write('.venv/bin/python', '#!/bin/sh\necho Python 3.11.7\n', 0o755)
  folder.write('.venv/pyvenv.cfg', '')
  install(folder, 'numpy-1.26.4')
  await folder.qanat('init', '--yes')
  await folder.qanat('experiment', 'new', 'it.yaml')
  folder.commit()
  return folder
}

function install(folder: Folder, name: string): void {
  folder.write(`.venv/lib/python3.11/site-packages/${name}.dist-info/METADATA`, '')
}

/** A run, once its environment is recorded. */
async function runOnce(folder: Folder, id: number, ...words: string[]): Promise<void> {
  expect((await folder.qanat('run', 'it', ...words)).code).toBe(0)
  await until(async () => (await folder.qanat('env', 'show', String(id))).code === 0)
}

test('an environment of which only a part is known is never said to be the same as another', async () => {
  const folder = await pythonProject()
  await runOnce(folder, 1)
  folder.write('.venv/bin/python', '#!/bin/sh\n[ "$1" = it.py ] || sleep 5\necho Python 3.11.7\n', 0o755)
  await runOnce(folder, 2)
  expect((await folder.qanat('env', 'show', '2')).stdout).toContain('It is partial')
  expect((await folder.qanat('run_show', '2')).stdout).toContain('not all of it is known: qanat env show 2\n')
  const { stdout } = await folder.qanat('diff', '1', '2')
  expect(stdout).toContain('\nEnvironment: the same, as far as it is known: qanat env diff 1 2\n')
  expect((await folder.qanat('env', 'diff', '1', '2')).stdout).toContain(
    'What is known of the environments of runs 1 and 2 is the same\n',
  )
})

describe('the environment of a run', () => {
  test('is shown, compared with that of another run, and rebuilt with the database', async () => {
    const folder = await pythonProject()
    await runOnce(folder, 1, '--seed', '1')
    rmSync(join(folder.path, '.venv/lib/python3.11/site-packages/numpy-1.26.4.dist-info'), { recursive: true })
    install(folder, 'numpy-2.0')
    await runOnce(folder, 2, '--seed', '1')

    const shown = await folder.json('env', 'show', '1', '--json')
    expect(shown).toMatchObject({
      run: 1,
      experiment: 'it',
      environments: [
        {
          partial: false,
          places: [{ attempt: 1 }],
          interpreter: { version: 'Python 3.11.7' },
          packages: { numpy: '1.26.4' },
        },
      ],
    })
    expect(await folder.json('env', 'show', '1.0', '--json')).toEqual(shown)
    expect((await folder.qanat('env', 'diff', '1.0', '2.1')).stderr).toContain("run 2 has no group '1'")
    expect((await folder.qanat('run_show', '1')).stdout).toMatch(/^Environment: Python 3\.11\.7, 1 package, /m)
    expect((await folder.qanat('env', 'diff', '1', '2')).stdout).toBe(
      'The environments of runs 1 and 2 differ:\n  package  numpy  1.26.4 → 2.0\n',
    )
    expect((await folder.qanat('env', 'diff', '2', 'latest')).stdout).toBe(
      'The environments of runs 2 and 2 are the same\n',
    )
    expect((await folder.qanat('compare', 'it', '--csv')).stdout.split('\n')[0]).toMatch(/^environment,/)
    expect((await folder.qanat('compare', 'it', '1', '--csv')).stdout).not.toContain('environment')
    expect((await folder.json('compare', 'it', '--by', 'seed', '--json')).notes).toEqual([
      'some means are over groups that differ in environment (numpy 1.26.4 and numpy 2.0): --by seed,environment',
    ])

    rmSync(join(folder.path, '.qanat/database.db'))
    await folder.qanat('init', '--yes')
    await folder.qanat('doctor', '--repair')
    expect(await folder.json('env', 'show', '1', '--json')).toEqual(shown)
  })

  test('is that of each attempt', async () => {
    const folder = await pythonProject()
    folder.write('.venv/bin/python', '#!/bin/sh\n[ "$1" != -V ] && exit 3\necho Python 3.11.7\n', 0o755)
    await folder.qanat('run', 'it')
    await until(async () => (await folder.qanat('env', 'show', '1')).code === 0)
    install(folder, 'six-1.16')
    await folder.qanat('run_retry', '1')
    const text = await until(async () => {
      const { stdout } = await folder.qanat('env', 'show', '1')
      return stdout.includes('attempt 2') && stdout
    })
    expect(text).toMatch(/\nWhat differs on \S+, attempt 2:\n {2}package {2}six {2}none → 1\.16\n$/)
  })

  test('is that of the last attempt of each group in compare and whence', async () => {
    const folder = await pythonProject()
    const leaves = `#!/bin/sh
[ "$1" != -V ] || { echo Python 3.11.7; exit; }
[ "$3" = 0 ] || [ -e "$QANAT_PROJECT/.venv/again" ] || exit 3
for word; do [ "$before" = --storage_path ] && echo "{\\"acc\\": $3}" >"$word/metrics.json"; before=$word; done
`
    folder.write('.venv/bin/python', leaves, 0o755)
    await folder.qanat('run', 'it', '-R', '--seed 0 2 1')
    await until(async () => (await folder.qanat('env', 'show', '1')).code === 0)
    install(folder, 'six-1.16')
    folder.write('.venv/again', '')
    await folder.qanat('run_retry', '1')
    await until(async () => (await folder.json('env', 'show', '1', '--json')).environments.length === 2)
    const { cells } = await folder.json('compare', 'it', '--json')
    expect(cells.map((cell: { parameters: unknown }) => cell.parameters)).toEqual([
      { environment: 'no six', '--seed': '0' },
      { environment: 'six 1.16', '--seed': '1' },
    ])
    const { environments } = await folder.json('env', 'show', '1', '--json')
    for (const group of [0, 1]) {
      const { matches } = await folder.json('whence', `results/it/run_1/group_${group}/metrics.json`, '--json')
      expect(matches).toMatchObject([{ run: 1, group, environments: [environments[group].hash] }])
    }
    folder.write('results/it/run_1/whole.txt', 'of the whole run')
    const { stdout } = await folder.qanat('whence', 'results/it/run_1/whole.txt')
    const hashes = environments.map(({ hash }: { hash: string }) => hash.slice(0, 12)).join(', ')
    expect(stdout).toContain(`one of the environments ${hashes} (qanat env show 1)`)
  })

  test('is compared with what is here when the run is launched again', async () => {
    const folder = await pythonProject()
    await runOnce(folder, 1)
    expect((await folder.qanat('rerun', '1')).stderr).toBe('')
    install(folder, 'six-1.16')
    const { code, stderr } = await folder.qanat('rerun', '1')
    expect([code, stderr]).toEqual([
      0,
      'Warning: the environment has changed since run 1: six none → 1.16\nqanat env diff 1 3        compares them once run 3 runs\n',
    ])
  })

  test('does not differ between groups that count if only a rerun had another one, which --over says', async () => {
    const folder = await pythonProject()
    const leaves = `#!/bin/sh
[ "$1" != -V ] || { echo Python 3.11.7; exit; }
for word; do [ "$before" = --storage_path ] && echo '{"acc": 1}' >"$word/metrics.json"; before=$word; done
`
    folder.write('.venv/bin/python', leaves, 0o755)
    await runOnce(folder, 1, '-g', '--lr 1', '-g', '--lr 2')
    install(folder, 'six-1.16')
    await folder.qanat('rerun', '1')
    await until(async () => (await folder.qanat('env', 'show', '2')).code === 0)
    const why =
      '--over environment: it is the same for all groups that count. Groups of run 1 do not, since a run and its rerun do not count twice'
    const refused = async (...words: string[]) => {
      const { code, stderr } = await folder.qanat(...words, '--over', 'environment')
      expect([code, stderr]).toEqual([2, expect.stringContaining(`Error: ${why}\n`)])
      return /write (.*) instead to see both/.exec(stderr)![1]
    }
    expect(await refused('compare', 'it')).toBe('--by lr,environment')
    expect(await refused('compare', 'it', '--by', 'lr')).toBe('--by lr,environment')
    expect(await refused('plot', 'it', '-y', 'acc', '-x', 'lr', '-o', 'p.svg')).toBe('--by environment')
    const { cells } = await folder.json('compare', 'it', '--by', 'lr,environment', '--json')
    expect(cells).toHaveLength(4)
    install(folder, 'nine-9.9')
    await runOnce(folder, 3, '-g', '--lr 1', '-g', '--lr 2')
    expect(await folder.json('compare', 'it', '--over', 'environment', '--json')).toMatchObject({
      cells: [{ groups: ['2.0', '3.0'] }, { groups: ['2.1', '3.1'] }],
      notes: ['run 2 is a rerun of run 1: run 1 is not counted'],
    })
  })

  test('is an error that says why if there is none', async () => {
    const folder = await pythonProject()
    await runOnce(folder, 1)
    const records = join(folder.path, 'results/it/run_1/.run/environments')
    rmSync(records, { recursive: true })
    writeFileSync(records, '')
    rmSync(join(folder.path, '.qanat/database.db'))
    await folder.qanat('init', '--yes')
    await folder.qanat('doctor', '--repair')
    const why =
      'no environment of run 1 is recorded: none of its groups has started, or their nodes could not record it'
    expectError(await folder.qanat('env', 'show', '1'), 2, why)
    expectError(await folder.qanat('env', 'diff', '1', '9'), 2, 'there is no run 9')
    expect(readFileSync(records, 'utf8')).toBe('')
  })
})
