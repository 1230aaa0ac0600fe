import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { type Folder, projectWith } from '../project.js'

const script = `import json, sys
arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(arguments['--storage_path'] + '/metrics.json', 'w') as file:
    json.dump({'acc': 0.5 + int(arguments['--seed']) / 100, 'name': 'x'}, file)
`

/** Runs 1 and 2 differ in everything; run 3 only in what does not count. */
async function project(): Promise<Folder> {
  const folder = await projectWith(script, 'python3')
  folder.write('lib.py', 'one\n')
  folder.write('.gitignore', `${folder.read('.gitignore')}ignored/\n`)
  folder.write('ignored/points.csv', '1\n')
  folder.write('points.yaml', 'name: points\npath: ignored\n')
  folder.commit()
  await folder.qanat('dataset', 'new', '-f', 'points.yaml')
  folder.write('it.yaml', 'datasets: [points]\n')
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  folder.commit()
  await folder.qanat('run', 'it', '--lr', '0.1', '-R', '--seed 0 10 1')
  folder.write('lib.py', 'two\nthree\n')
  folder.write('data.bin', '\0')
  folder.write('ignored/points.csv', '1\n2\n')
  folder.write('ignored/more.csv', '')
  folder.commit()
  await folder.qanat('run', 'it', '--lr', '0.01', '-R', '--seed 0 3 1')
  folder.write('README.md', 'a better text\n')
  folder.commit()
  await folder.qanat('run', 'it', '--lr', '0.01', '-R', '--seed 0 3 1')
  return folder
}

describe('diff', () => {
  test('shows newlines of parameters as other lists do, also of two groups', async () => {
    const folder = await projectWith('true')
    await folder.qanat('run', 'it', '--note', 'a\nb', '--tag', 'x')
    await folder.qanat('run', 'it', '--note', 'a b')
    expect((await folder.qanat('groups', 'it', '--sort', 'group')).stdout).toMatch(/a⏎b/)
    expect((await folder.qanat('diff', '1', '2')).stdout).toMatch(/--note +a⏎b +→ a b\n/)
    expect((await folder.qanat('compare', 'it', '1.0', '2.0')).stdout).toMatch(/--note +a⏎b +a b\n/)
  })

  test('shows parameters, code, environment, metrics and times of two runs', async () => {
    const folder = await project()
    const { code, stdout } = await folder.qanat('diff', '1', '2')
    expect(code).toBe(0)
    const [facts, ...sections] = stdout.replace(/ +/g, ' ').trimEnd().split('\n\n')
    expect(facts).toMatch(
      /^ run 1 of it run 2 of it\nlaunched .*\nstatus finished finished\ntook .*\na group took .*\ngroups 10 3\ncommit \w{7} \w{7}$/,
    )
    expect(sections).toEqual([
      'Parameters:\n --lr 0.1 → 0.01\n --seed 0 … 9 (10) → 0, 1, 2',
      'Code:\n data.bin binary\n lib.py +2 -1\n qanat diff 1 2 --patch',
      'Data:\n points 1 file added, 1 changed\n qanat dataset diff points 1 2',
      // A slow machine may not find out all of it in two seconds.
      expect.stringMatching(/^Environment: the same(, as far as it is known: qanat env diff 1 2)?$/),
      'Metrics:\n acc 0.55 ± 0.03 (10) → 0.510 ± 0.010 (3) -0.035',
    ])
    const patch = (await folder.qanat('diff', 'it', '1', '2', '--patch')).stdout
    expect(patch).toContain('\n\ndiff --git a/data.bin b/data.bin\n')
    expect(patch).toMatch(/\n-one\n\+two\n\+three\n$/)
    expect((await folder.json('diff', '1', '2', '--patch', '--json')).code.patch).toContain('+three\n')

    const json = await folder.json('diff', '1', '2', '--json')
    expect(json).toMatchObject({
      runs: [{ id: 1, experiment: 'it' }, { id: 2 }],
      parameters: { '--lr': [{ values: ['0.1'] }, { values: ['0.01'] }], '--seed': [{ count: 10 }, { count: 3 }] },
      data: [{ dataset: 'points', difference: { added: 1, gone: 0, changed: 1, maybe_changed: 0 } }],
      environment: { same: true },
    })
    expect(json.code).toEqual({
      same: false,
      files: [
        { path: 'data.bin', added: null, removed: null },
        { path: 'lib.py', added: 2, removed: 1 },
      ],
    })
    expect(json.metrics.acc[1]).toEqual({ mean: 0.51, sd: expect.closeTo(0.01), min: 0.5, max: 0.52, count: 3 })

    const same = (await folder.qanat('diff', '@', '2')).stdout
    expect(same).toContain(
      'Parameters: the same\n\nCode: the same, although the commits differ\n\nData: the same\n\nEnvironment: the same',
    )
    expect(same.replace(/ +/g, ' ')).toContain(' acc 0.510 ± 0.010 (3) → 0.510 ± 0.010 (3) the same')
  })

  test('tells groups apart whose options have the same values, and not those that are in another order', async () => {
    const folder = await projectWith('true')
    const range = (text: string) => `varying_args: {range: {options: {--lr: ${text}}}}\n`
    folder.write('lin.yaml', range('{linspace: [1, 100, 6]}'))
    folder.write('log.yaml', range('{logspace: [0, 2, 6]}'))
    folder.commit()
    const grouped = (...texts: string[]) => texts.flatMap(text => ['-g', text])
    let last = 0
    const told = async (one: readonly string[], other: readonly string[]) => {
      for (const words of [one, other]) expect((await folder.qanat('run', 'it', ...words)).code).toBe(0)
      last += 2
      const ids = [String(last - 1), String(last)]
      const { same_groups: isSame } = await folder.json('diff', ...ids, '--json')
      const [, text] = /^Parameters:(.*?)\n\n/ms.exec((await folder.qanat('diff', ...ids)).stdout)!
      return [isSame, text!.replace(/\s+/g, ' ').trim()]
    }
    const both = grouped('--lr 1 --bs 1', '--lr 1 --bs 2')
    expect(await told([...both, ...grouped('--lr 2 --bs 1')], [...both, ...grouped('--lr 2 --bs 2')])).toEqual([
      false,
      'the same values, in other combinations',
    ])
    expect(await told(grouped('--lr 1', '--lr 1', '--lr 2'), grouped('--lr 1', '--lr 2', '--lr 2'))).toEqual([
      false,
      'the same combinations, but not equally often',
    ])
    expect(await told(['--n', 'a b'], ['--n', 'a', '--n', 'b'])).toEqual([false, "--n 'a b' → a b"])
    expect(await told(grouped('--bs 1', '--bs 2'), grouped('--bs 2.0', '--bs 1'))).toEqual([true, 'the same'])
    // Each value is shown as it was typed for its own run.
    expect(await told(grouped('--x 1', '--x 4'), grouped('--x 2', '--x 4.0'))).toEqual([false, '--x 1, 4 → 2, 4.0'])
    expect(await told(['-f', 'lin.yaml'], ['-f', 'log.yaml'])).toEqual([
      false,
      expect.stringMatching(
        /^--lr 20\.8, 40\.6, 60\.4, 80\.2 → 2\.51\d+, 6\.3\d+, 15\.8\d+, 39\.8\d+ besides 2 of both$/,
      ),
    ])
  })

  test('is for two runs', async () => {
    const folder = await project()
    const refused: [string[], string][] = [
      [['1'], 'diff is for two runs, and this is one'],
      [['1-3'], 'diff is for two runs, and these are 3'],
      [['1.0', '2.0'], 'qanat compare 1.0 2.0'],
      [['1', '9'], 'there is no run 9'],
      [['it', '1', '9'], "no run '9' of it"],
    ]
    for (const [words, message] of refused) expectError(await folder.qanat('diff', ...words), 2, message)
  })
})
