import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { ordinaryUser, qanatAsOrdinaryUser } from '../ordinary-user.js'
import { type Folder, groups, projectWith, shellProject } from '../project.js'

const script = `
import json, os, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
seed, model = int(words.get('--seed', 0)), words.get('--model', 'a')
if words.get('--fail') == str(seed):
    sys.exit('singular matrix')
folder = words['--storage_path']
acc = {'a': 0.5, 'b': 0.75}[model] + seed / 100
json.dump({'acc': acc, 'name': model, 'test': {'f1': float('nan')}}, open(f'{folder}/metrics.json', 'w'))
with open(f'{folder}/history.csv', 'w') as history:
    history.write('epoch,acc\\n1,0.25\\n2,0.95\\n3,0.5\\n')
`
const described = 'name: it\nexecutable: it.sh\nexecutable_command: python3\n'

/** A project whose experiment leaves metrics, and declares more if asked to. */
async function project(more = ''): Promise<Folder> {
  const folder = await projectWith(script, 'python3')
  if (more !== '') {
    folder.write('it.yaml', described + more)
    folder.commit()
    expect((await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')).stderr).toBe('')
  }
  return folder
}

const runGrid = (folder: Folder, ...more: string[]) =>
  folder.qanat('run', '-V', '--model a b', 'it', '-R', '--seed 0 3 1', '--n_threads', '2', ...more)

/** The same with a finished grid, of an experiment that says what is best, or not. */
const withBest = madeOnce(() => withGrid('best: {acc: max}\n'))
const withEpochs = madeOnce(() => withGrid('', '--epochs', '3'))

async function withGrid(description: string, ...more: string[]): Promise<Folder> {
  const folder = await project(description)
  expect((await runGrid(folder, ...more)).code).toBe(0)
  return folder
}

test('compare shows a row for each combination of parameters, and averages over seeds', async () => {
  const folder = await project('best: {acc: max}\n')
  expect((await runGrid(folder, '--epochs', '3')).code).toBe(0)
  const { stdout, stderr } = await folder.qanat('compare', 'it', '--over')
  expect(stderr).toBe('')
  expect(stdout.replace(/\d+\.\d s/g, '0.0 s').replace(/commit \w{7}/, 'commit 1234567')).toBe(`\
it · 6 groups of run 1 · commit 1234567 · constant: --epochs 3
  --model  acc ↑              time
  b        0.760 ± 0.010 (3)  0.0 s  ← best
  a        0.510 ± 0.010 (3)  0.0 s
  2 more metrics: --metrics NAME,…
`)
  const json = await folder.json('compare', 'it', '--over', 'seed', '--metrics', 'acc,name,test.f1', '--ci', '--json')
  expect(json).toMatchObject({
    ...{ experiment: 'it', runs: [1], constants: { '--epochs': '3' }, parameters: ['--model'], over: ['--seed'] },
    metrics: ['acc', 'name', 'test.f1'],
  })
  expect(json.cells[0]).toMatchObject({
    parameters: { '--model': 'b' },
    metrics: {
      acc: { mean: expect.closeTo(0.76), sd: expect.closeTo(0.01), count: 3, min: 0.75, max: 0.77 },
      name: ['b'],
      'test.f1': { mean: 'NaN', sd: 'NaN', count: 3 },
    },
    ...{ groups: ['1.3', '1.4', '1.5'], expected: 3, missing: {}, best: true },
  })
  expect(json.cells[0].metrics.acc.ci).toEqual([expect.closeTo(0.7351586, 6), expect.closeTo(0.7848414, 6)])
})

test('compare shows intervals by bootstrap with their seed, which are the same each time', async () => {
  const folder = await withBest()
  const t = '[low, high] is the 95 % confidence interval of the mean (t distribution)'
  for (const words of [
    ['--ci', 'it', '--over'],
    ['it', '--ci', '--over'],
    ['it', '--ci', '1', '--over'],
    ['it', '--over', '--ci', 't'],
  ]) {
    const { stdout } = await folder.qanat('compare', ...words)
    expect(stdout).toContain('0.76 [0.74, 0.78] (3)')
    expect(stdout).toContain(t)
  }
  const one = await folder.qanat('compare', 'it', '--over', '--ci', 'bootstrap')
  expect(one.stdout).toContain('0.760 [0.750, 0.770] (3)')
  expect(one.stdout).toContain('(percentile bootstrap, 9999 resamples, seed 0)')
  for (const format of ['--md', '--latex']) {
    const { stdout } = await folder.qanat('compare', 'it', '--over', '--ci', 'bootstrap:7', format)
    expect(stdout).toMatch(/0\.760 .*0\.750, 0\.770.* \(3\).*bootstrap, 9999 resamples, seed 7/s)
  }
  const json = await folder.json('compare', 'it', '--over', '--ci', 'bootstrap:7', '--json')
  expect(json.ci).toEqual({ method: 'bootstrap', level: 0.95, seed: 7, kind: 'percentile', resamples: 9999 })
  expect(json.cells[0].metrics.acc.ci).toEqual([expect.closeTo(0.75), expect.closeTo(0.77)])
  expect((await folder.qanat('compare', 'it', '--over', '--ci', 'bootstrap', '--csv')).stdout).toMatch(
    /^--model,acc,.*acc_ci_low,acc_ci_high,.*\nb,0\.76\d*,.*,0\.75,0\.77,/,
  )
  const wrong = await folder.qanat('compare', 'it', '--ci', 'bootsrap')
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("'bootsrap' is none of t, bootstrap")])
})

test('compare says what is missing and why, and the newest of groups with the same parameters counts', async () => {
  const folder = await project()
  expect((await runGrid(folder, '--fail', '1')).code).toBe(1)
  const { stdout } = await folder.qanat('compare', 'it', '--over', 'seed')
  expect(stdout).toMatch(/a +0\.510 ± 0\.014 \(2\) .* 2\/3 · 1 exit: 1\.1\n/)
  expect((await folder.qanat('compare', 'it')).stdout).toContain('2 cells have no finished group: qanat failures it')
  expect((await runGrid(folder, '--fail', '7', '--model', 'a')).code).toBe(2)
  expect((await folder.qanat('run', 'it', '--seed', '0', '--fail', '1', '--model', 'a')).code).toBe(0)
  const again = await folder.json('compare', 'it', '--over', 'seed', '--json')
  expect(again.cells[0].groups).toEqual(['1.2', '2.0'])
  const both = await folder.json('compare', 'it', '--over', 'seed', '--repeats', '--json')
  expect(both.cells[0].groups).toEqual(['1.0', '1.2', '2.0'])
})

const gridFile = (seeds: number) => `fixed_args: {options: {--bins: 20}}
varying_args:
  groups: [{options: {--model: a}}, {options: {--model: b}}]
  range: {options: {--seed: [0, ${seeds}, 1]}}
`

describe('compare -f shows the cells of a parameter file', () => {
  test('also those that were not run, with the command that runs them', async () => {
    const folder = await project('best: {acc: max}\n')
    folder.write('.git/grid.yaml', gridFile(2))
    expect((await folder.qanat('run', '-f', '.git/grid.yaml', 'it', '--epochs', '3', '--fail', '1')).code).toBe(1)
    expect((await folder.qanat('run', 'it', '--epochs', '5')).code).toBe(0)
    folder.write('.git/grid.yaml', gridFile(4))
    const { stdout, stderr } = await folder.qanat('compare', 'it', '-f', '.git/grid.yaml')
    expect(stderr).toBe('')
    expect(stdout.replace(/\d+\.\d s/g, '0.0 s').replace(/commit \w{7}/, 'commit 1234567')).toBe(`\
it · 4 groups of runs 1, 2 · commit 1234567 · constant: --bins 20 --epochs 3 --fail 1
  --model  --seed  acc ↑  time
  a        0       0.5    0.0 s
  b        0       0.75   0.0 s  ← best
  a        1       –             0/1 · 1 exit: 1.2
  b        1       –             0/1 · 1 exit: 1.3
  a        2       –             not run
  b        2       –             not run
  a        3       –             not run
  b        3       –             not run
  2 cells have no finished group: qanat failures it
  2 more metrics: --metrics NAME,…
  1 group of the runs is not in .git/grid.yaml and left out
  4 of the 8 groups of .git/grid.yaml were not run: qanat run -V '--seed 2 3' -g '--bins 20 --model a --epochs 3 --fail 1' -g '--bins 20 --model b --epochs 3 --fail 1' it
`)
    expect((await folder.qanat('compare', 'it', '-f', '.git/grid.yaml', '--csv')).stderr).toMatch(
      /^Warning: 2 cells .*\nWarning: 1 group of the runs is not in .*\nWarning: 4 of the 8 groups .*\n$/,
    )
    const top = await folder.json('compare', 'it', '-f', '.git/grid.yaml', '--top', '1', '--json')
    expect(top.cells).toMatchObject([{ parameters: { '--model': 'b', '--seed': '0' }, best: true }])
    const json = await folder.json('compare', 'it', '-f', '.git/grid.yaml', '--over', 'seed', '--json')
    expect(json).toMatchObject({
      grid: { file: '.git/grid.yaml', groups: 8, not_run: 4, left_out: 1 },
      cells: [
        { parameters: { '--model': 'a' }, groups: ['1.0'], expected: 4, missing: { exit: 1, not_run: 2 } },
        { parameters: { '--model': 'b' }, groups: ['1.1'], expected: 4, missing: { exit: 1, not_run: 2 }, best: true },
      ],
    })
    expect((await folder.shell(json.grid.command)).code).toBe(0)
    const after = await folder.json('compare', 'it', '-f', '.git/grid.yaml', '--over', 'seed', '--json')
    expect(after).toMatchObject({
      grid: { not_run: 0, left_out: 1, command: null },
      cells: [{ groups: ['1.0', '3.0', '3.2'] }, { groups: ['1.1', '3.1', '3.3'] }],
    })
  })

  test('or says why no group is in it', async () => {
    const folder = await project()
    await folder.qanat('run', 'it', '--seed', '0')
    const grid = (text: string) => folder.write('.git/grid.yaml', `varying_args: ${text}`)
    const error = async () => (await folder.json('compare', 'it', '-f', '.git/grid.yaml', '--json')).error
    grid('{range: {options: {--sed: [0, 3, 1]}}}')
    expect(await error()).toMatchObject({
      ...{ code: 2, message: '.git/grid.yaml: no group of these runs has --sed. Did you mean --seed?' },
      hint: 'the parameters of the groups are --seed',
    })
    grid('{range: {options: {--seed: [5, 8, 1]}}}')
    expect(await error()).toMatchObject({
      ...{ code: 2, message: '.git/grid.yaml: no group of these runs has its --seed; theirs is 0' },
      hint: expect.stringMatching(/^qanat run it -f .git\/grid.yaml /),
    })
    grid('{range: {options: {--seed: [5, 8]}}}')
    const { message } = await error()
    expect(message).toBe('.git/grid.yaml:1:42: varying_args.range.options.--seed: expected 3 numbers, found 2')
    expect((await folder.json('run', '--json', '-f', '.git/grid.yaml', 'it')).error.message).toBe(message)
  })
})

test('a series is found as it is declared, and its best value can be compared', async () => {
  const folder = await project('metrics: [metrics.json, {file: history.csv, step: epoch}]\nbest: {acc: max}\n')
  expect((await folder.qanat('run', 'it', '--seed', '1')).code).toBe(0)
  const json = await folder.json('compare', 'it', '--metrics', 'acc,acc:max,acc:min', '--json')
  expect(json.cells[0].metrics).toMatchObject({
    acc: { mean: 0.51, sd: null },
    'acc:max': { mean: 0.95 },
    'acc:min': { mean: 0.25 },
  })
})

test('tables for other programs hold the same numbers', async () => {
  const folder = await withBest()
  const csv = await folder.qanat('compare', 'it', '--over', '--csv')
  const [head, first] = csv.stdout.split('\n')
  expect(head).toBe('--model,acc,acc_sd,acc_count,acc_min,acc_max,time_s,groups,expected,missing,best')
  expect(first).toMatch(/^b,0\.760*\d?,0\.010000\d*,3,0\.75,0\.77,[\d.]+,1\.3 1\.4 1\.5,3,,true$/)
  const md = await folder.qanat('compare', 'it', '--over', '--md')
  expect(md.stdout).toMatch(
    /^\| --model \| acc ↑ \| time \| {2}\|\n\| --- \| --- \| --- \| --- \|\n\| b \| 0\.760 ± 0\.010 \(3\) \|/,
  )
  const latex = await folder.qanat('compare', 'it', '--over', '--latex')
  expect(latex.stdout).toContain('  -{}-model & acc $\\uparrow$ \\\\\n')
  expect(latex.stdout).toContain('  b & 0.760 $\\pm$ 0.010 (3) \\\\\n')
})

test('no two columns of a table in CSV have the same name, and a note says which metrics have another one', async () => {
  const folder = await shellProject()
  const leave = (metrics: string) => `echo '${metrics}' > "$QANAT_STORAGE_PATH/metrics.json"`
  await folder.qanat('run', 'it', ...groups(leave('{"acc_sd": 2, "acc": 1, "best": 3, "time_s": 4, "Groups": 5}')))
  const { stdout, stderr } = await folder.qanat('compare', 'it', '--csv', '--metrics', 'acc_sd,acc,best,time_s,Groups')
  const [head = '', first = ''] = stdout.split('\n')
  const row = new Map(head.split(',').map((name, at) => [name, first.split(',')[at]]))
  expect(new Set(head.toLowerCase().split(',')).size).toBe(head.split(',').length)
  expect(['acc_sd', 'acc_sd_2', 'acc', 'best', 'best_2', 'time_s_2', 'Groups_2'].map(name => row.get(name))).toEqual([
    '',
    '2',
    '1',
    'false',
    '3',
    '4',
    '5',
  ])
  for (const name of ['acc_sd', 'best', 'time_s', 'Groups'])
    expect(stderr).toContain(`Warning: ${name} is in the column ${name}_2, since its own name is taken\n`)
  expect((await folder.qanat('compare', 'it', '--md')).stderr).toBe('')
})

test('compare sorts by any metric, also one that it does not show, and proposes metrics for a wrong name', async () => {
  const folder = await withBest()
  const order = async (sort: string) =>
    (await folder.json('compare', 'it', '--metrics', 'acc', '--sort', sort, '--json')).cells.map(
      ({ groups: [first] }: { groups: string[] }) => first,
    )
  expect(await order('acc')).toEqual(['1.0', '1.1', '1.2', '1.3', '1.4', '1.5'])
  expect(await order('-acc:max')).toEqual(['1.5', '1.4', '1.3', '1.2', '1.1', '1.0'])
  expect(await order('-name')).toEqual(['1.0', '1.1', '1.2', '1.3', '1.4', '1.5'])
  expect(await order('-seed')).toEqual(['1.2', '1.5', '1.1', '1.4', '1.0', '1.3'])
  const { code, stderr } = await folder.qanat('compare', 'it', '--sort', '-ac')
  expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean acc?')])
  expect(stderr).toContain('the parameters are --seed, --model; the metrics are acc, name, test.f1')
})

test('compare says over what else its means are, and leaves out an option of which no group has finished', async () => {
  const folder = await withBest()
  await folder.qanat('run', 'it', '--sed', '1', '--fail', '0')
  const { stdout } = await folder.qanat('compare', 'it')
  expect(stdout).toMatch(/^ {2}--seed {2}--model {2}acc/m)
  const mixed = await folder.qanat('compare', 'it', '1', '--by', 'seed', '--over', 'model')
  expect(mixed.stdout).not.toContain('also over')
  await folder.qanat('run', '-V', '--model a b', 'it', '-R', '--seed 0 3 1', '--epochs', '9')
  const besides = await folder.qanat('compare', 'it', '3', '1', '--by', 'model', '--over', 'seed')
  const told = 'over --epochs, which --by does not name: --by model,epochs'
  expect(besides.stdout).toContain(`means are also ${told}`)
  for (const words of [
    ['compare'],
    ['plot', '-y', 'acc:last', '-x', 'model', '-o', 'p.svg'],
    ['compare', '--repeats'],
  ]) {
    const { stdout } = await folder.qanat(...words, 'it', '3', '1', '--by', 'model')
    expect(stdout).toMatch(/^ {2}means are (also )?over --epochs, which --by does not name: --by model,epochs$/m)
  }
  expect((await folder.qanat('compare', 'it', '3', '1', '--by', 'model')).stdout).toContain(`means are ${told}`)
  // Who does not name seeds wants their mean, and who names them has one row for each.
  expect((await folder.qanat('compare', 'it', '1', '--by', 'model')).stdout).not.toContain('means')
  expect((await folder.qanat('compare', 'it', '1', '--by', 'seed')).stdout).toContain(
    'means are over --model, which --by does not name: --by seed,model',
  )
})

test('a file of parameters that one run was given is no code of any other run', async () => {
  const folder = await project()
  const grid = (seed: number) => `varying_args: {range: {options: {--seed: [${seed}, ${seed + 2}, 1]}}}\n`
  folder.write('a.yaml', grid(0))
  folder.commit()
  await folder.qanat('run', 'it', '-f', 'a.yaml')
  folder.write('a.yaml', `# a comment\n${grid(0)}`)
  folder.write('b.yaml', grid(5))
  folder.commit()
  await folder.qanat('run', 'it', '--seed', '9')
  expect((await folder.json('compare', 'it', '--json')).parameters).toContain('commit')
  await folder.qanat('run', 'it', '-f', 'b.yaml')
  expect((await folder.json('compare', 'it', '--json')).parameters).toEqual(['--seed'])
  for (const other of ['2', '3']) expect((await folder.json('diff', '1', other, '--json')).code.same).toBe(true)
  const { stdout } = await folder.qanat('whence', 'results/it/run_1/group_0/metrics.json')
  expect(stdout).toContain('    up to date: nothing is known to have changed')
})

test('the hash of the code leaves out what some run was given, and a rerun keeps that of its run', async () => {
  const folder = await project()
  const grid = (seed: number) => `varying_args: {range: {options: {--seed: [${seed}, ${seed + 1}, 1]}}}\n`
  for (const [at, name] of ['grids/a.yaml', 'b.yaml'].entries()) folder.write(name, grid(at))
  folder.commit()
  const codesUsed = async () => {
    const { rows } = await folder.json('sql', 'select code_used from runs order by id', '--json')
    return rows.map(({ code_used }: { code_used: string }) => code_used)
  }
  await folder.qanatIn('grids', 'run', 'it', '-f', 'a.yaml')
  await folder.qanat('run', 'it', '--seed', '8')
  folder.write('grids/a.yaml', `# a comment\n${grid(0)}`)
  folder.commit()
  await folder.qanat('run', 'it', '--seed', '9')
  expect(new Set(await codesUsed()).size).toBe(1)
  expect((await folder.qanat('compare', 'it')).stdout).toContain('with the same code')
  await folder.qanat('run', 'it', '-f', 'b.yaml')
  await folder.qanat('rerun', '1')
  folder.write('b.yaml', `# a comment\n${grid(1)}`)
  folder.commit()
  await folder.qanat('run', 'it', '--seed', '10')
  const [first, , , given, again, last] = await codesUsed()
  expect([again, last]).toEqual([first, given])
})

test('a run whose commit is gone has the code of today also if a file counts as code no more', async () => {
  const folder = await project()
  folder.write('a.yaml', 'varying_args: {range: {options: {--seed: [0, 1, 1]}}}\n')
  folder.commit()
  await folder.qanat('run', 'it', '--seed', '8')
  await folder.qanat('run', 'it', '-f', 'a.yaml')
  await folder.shell('rm -rf .git && git init --quiet')
  folder.commit()
  const said = async (run: number) => (await folder.qanat('whence', `results/it/run_${run}/metrics.json`)).stdout
  for (const run of [1, 2]) expect(await said(run)).toContain('up to date: nothing is known to have changed')
  folder.write('it.sh', `${script}# other\n`)
  folder.commit()
  for (const run of [1, 2]) expect(await said(run)).toContain('which is not in this repository')
})

describe('what was read is not opened again', () => {
  test('and what was read of groups whose folders are gone is kept, whatever reads the others again', async () => {
    const folder = await project()
    await folder.qanat('run', 'it', '-R', '--seed 1 4 1')
    await folder.qanat('run', 'it', '--seed', '9')
    const means = async () =>
      (await folder.json('compare', 'it', '--metrics', 'acc', '--json')).cells.map(
        (cell: { metrics: { acc?: { mean: number } } }) => cell.metrics.acc?.mean,
      )
    const known = await means()
    expect(known).toHaveLength(4)
    for (const gone of ['run_1/group_0', 'run_2']) rmSync(join(folder.path, 'results/it', gone), { recursive: true })
    folder.write('results/it/run_1/group_1/metrics.json', '{"acc": 1}')

    expect((await folder.qanat('doctor', '--repair')).code).toBe(0)
    expect(await means()).toEqual([known[0], 1, known[2], known[3]])

    folder.write('act.sh', 'true\n')
    folder.write('it.yaml', `${described}actions: [{name: act, executable: act.sh, executable_command: sh}]\n`)
    folder.commit()
    await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
    expect((await folder.qanat('action', 'it', 'act', '1')).code).toBe(0)
    expect(await means()).toEqual([known[0], 1, known[2], known[3]])

    folder.write('results/it/run_1/group_1/other.json', '{"acc": 3}')
    folder.write('it.yaml', `${described}metrics: [other.json]\n`)
    await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
    expect(await means()).toEqual([known[0], 3, undefined, known[3]])
    const said = 'its files are gone, and its metrics were declared otherwise when they were read'
    expect((await folder.qanat('run_show', '1')).stdout).toContain(said)
    expect((await folder.qanat('compare', 'it')).stdout).toContain('there are warnings about the metrics of 2 groups')
  })

  test('and a group that cannot be read now keeps what was read, with a warning, and is read once it can be', async () => {
    const folder = await project()
    await folder.qanat('run', 'it', '-R', '--seed 1 3 1')
    const { uid, gid } = ordinaryUser
    // Root is not held back by permissions. Links lead out of the project, and are not followed.
    if (process.getuid!() === 0) execFileSync('chown', ['-hR', `${uid}:${gid}`, folder.path])
    const group = join(folder.path, 'results/it/run_1/group_0')
    const compared = async (...more: string[]) => {
      const { stdout, stderr } = await qanatAsOrdinaryUser(folder, '.', 'compare', 'it', ...more, '--json')
      const { cells } = JSON.parse(stdout) as { cells: { metrics: { acc?: { mean: number } } }[] }
      return [cells.map(({ metrics }) => metrics.acc?.mean), stderr]
    }
    const warning = `Warning: metrics of 1 group cannot be read now: permission denied, as in \
results/it/run_1/group_0; the next command tries again\n`
    for (const mode of [0o000, 0o444]) {
      chmodSync(group, mode)
      expect(await compared()).toEqual([[undefined, 0.52], warning])
    }
    const collected = await qanatAsOrdinaryUser(folder, '.', 'collect', 'it', '--files', 'history.csv', '-o', 't.csv')
    expect(collected.stderr).toBe(
      'Warning: history.csv: the folder cannot be read now: permission denied (group 1.0)\n',
    )
    chmodSync(group, 0o755)
    expect(await compared()).toEqual([[0.51, 0.52], ''])

    chmodSync(group, 0o000)
    expect(await compared()).toEqual([[0.51, 0.52], ''])
    folder.write('it.yaml', `${described}metrics: [other.json, metrics.json]\n`)
    await qanatAsOrdinaryUser(folder, '.', 'experiment', 'update', 'it', '-f', 'it.yaml')
    expect(await compared()).toEqual([[0.51, 0.52], warning])
    const shown = await qanatAsOrdinaryUser(folder, '.', 'run_show', '1')
    expect(shown.stdout).toContain(
      'its folder could not be read again, and its metrics are those that were read before',
    )
    expect(shown.stdout).not.toContain('other.json is missing (group 0')
    chmodSync(group, 0o755)
    writeFileSync(join(group, 'other.json'), '{"acc": 3}')
    expect(await compared()).toEqual([[3, 0.52], ''])
  })

  test('until the group runs again, an action has run, the declaration changes, or the database is repaired', async () => {
    const folder = await project()
    await folder.qanat('run', 'it', '--seed', '1')
    const mean = async () =>
      (await folder.json('compare', 'it', '--metrics', 'acc', '--json')).cells[0].metrics.acc.mean
    expect(await mean()).toBe(0.51)
    const file = 'results/it/run_1/metrics.json'
    folder.write(file, '{"acc": 1}')
    expect(await mean()).toBe(0.51)

    expect((await folder.qanat('doctor', '--repair')).code).toBe(0)
    expect(await mean()).toBe(1)

    folder.write(file, '{"acc": 2}')
    folder.write('act.sh', 'true\n')
    folder.write('it.yaml', `${described}actions: [{name: act, executable: act.sh, executable_command: sh}]\n`)
    folder.commit()
    await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
    expect(await mean()).toBe(1)
    expect((await folder.qanat('action', 'it', 'act', '1')).code).toBe(0)
    expect(await mean()).toBe(2)

    folder.write('results/it/run_1/other.json', '{"acc": 3}')
    folder.write('it.yaml', `${described}metrics: [other.json]\n`)
    await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
    expect(await mean()).toBe(3)
  })

  test('and a run whose folder is away keeps what was read', async () => {
    const folder = await project()
    await folder.qanat('run', 'it', '--seed', '1')
    await folder.qanat('compare', 'it')
    rmSync(join(folder.path, 'results/it/run_1'), { recursive: true })
    const json = await folder.json('compare', 'it', '--metrics', 'acc', '--json')
    expect(json.cells[0].metrics.acc.mean).toBe(0.51)
  })
})

test('a file that cannot be read is a warning of the run', async () => {
  const folder = await project('metrics: [metrics.json, missing.csv]\n')
  await runGrid(folder)
  const { stdout } = await folder.qanat('compare', 'it', '--over')
  expect(stdout).toContain('b        0.760 ± 0.010 (3)')
  expect(stdout).toContain('there are warnings about the metrics of 6 groups: qanat run_show 1')
  expect((await folder.qanat('run_show', 'it', '1')).stdout).toContain('missing.csv is missing (group 0 and 5 others)')
})

test('groups with metrics that cannot be read are counted once each, in all runs', async () => {
  const folder = await projectWith(`echo '{"acc": 1}' >"$QANAT_STORAGE_PATH/$1.json"`)
  folder.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\nmetrics: [a.json, b.json]\n')
  folder.commit()
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  await folder.qanat('run', 'it', ...groups('a', 'b', 'c'))
  await folder.qanat('run', 'it', 'a', '--again')
  const { stdout } = await folder.qanat('compare', 'it')
  expect(stdout).toContain('there are warnings about the metrics of 4 groups: qanat run_show 1')
})

test.each([
  [['nothing'], "no experiment 'nothing'"],
  [['it', '7'], "no run '7' of it"],
  [['it', '--over', 'sed'], '--over sed: no group has this parameter. Did you mean seed?'],
  [['it', '--over', 'epochs'], '--over --epochs: it is the same for all groups'],
  [['it', '--by', 'x'], '--by x: no group has this parameter'],
  [['it', '--metrics', 'ac'], '--metrics ac: no group has this metric'],
  [['it', '--sort', '-ac'], '--sort ac: no group has this parameter'],
  [['it', '--csv', '--json'], 'cannot'],
])('compare %j is an error that says why', async (words, message) => {
  const folder = await withEpochs()
  const { code, stderr, stdout } = await folder.qanat('compare', ...words)
  expect(code).toBe(2)
  expect(stderr + stdout).toContain(message)
})

test('compare shows two groups side by side, with the diff of their code', async () => {
  const folder = await withEpochs()
  folder.write('it.sh', script.replace('0.75', '0.85'))
  folder.commit()
  await folder.qanat('run', 'it', '--model', 'b', '--seed', '0')
  const { stdout } = await folder.qanat('compare', 'it', '1.3', '2.0')
  expect(stdout.replace(/ +/g, ' ')).toMatch(
    /^it 1\.3 2\.0\n--epochs 3 –\nstatus finished finished\ntime .*\ncommit (\w{7}) (?!\1)\w{7}\nacc 0\.75 0\.85\nname b b\ntest\.f1 NaN NaN\n\nThe code differs:\ndiff /,
  )
  expect(stdout).toContain("\n-acc = {'a': 0.5, 'b': 0.75}[model] + seed / 100\n+acc = {'a': 0.5, 'b': 0.85}")
  expect(await folder.json('compare', 'it', '1.0', '1.1', '--json')).toMatchObject({
    ...{ experiment: 'it', groups: ['1.0', '1.1'], status: ['finished', 'finished'], code_diff: '' },
    parameters: { '--seed': ['0', '1'], '--model': ['a', 'a'], '--epochs': ['3', '3'] },
    metrics: { acc: [0.5, 0.51], 'test.f1': ['NaN', 'NaN'] },
  })
  for (const words of [['1.1'], ['1.1', '2'], ['1.1', '1.2', '1.3'], ['1.1', '1.9']]) {
    const { code, stderr } = await folder.qanat('compare', 'it', ...words)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/groups are compared in pairs|has no group '9'/)])
  }
})

test('compare refuses each option that two groups have no use for', async () => {
  const folder = await withEpochs()
  const alone = ['--over', '--all', '--repeats', '--ci', '--csv', '--md', '--latex']
  const withValue = ['--by', '--over', '--metrics', '--sort', '--param_file']
  const given = [...alone.map(option => [option]), ...withValue.map(option => [option, 'seed']), ['--top', '1']]
  for (const [option, ...value] of given) {
    expect(await folder.qanat('compare', 'it', '1.0', '1.1', option!, ...value)).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: `Error: ${option} is for tables: two groups are shown side by side, as a text or with --json
  qanat compare it 1.0 1.1
  qanat compare it ${option} …        makes a table of runs\n`,
    })
  }
})

test('commits whose code is the same are compared as one, and so is code that was committed after a run', async () => {
  const folder = await project()
  await folder.qanat('run', 'it', '--model', 'a', '--seed', '0')
  folder.write('README.md', 'a better text\n')
  folder.commit()
  await folder.qanat('run', 'it', '--model', 'a', '--seed', '1')
  const heading = async () => (await folder.qanat('compare', 'it', '--over')).stdout.split('\n')[0]
  expect(await heading()).toMatch(/^it · 2 groups of runs 1, 2 · commits \w{7} and \w{7} with the same code/)
  expect((await folder.qanat('compare', 'it', '1.0', '2.0')).stdout).toContain('The code is the same.')
  await folder.shell('mv .git away')
  expect(await heading()).toContain('with the same code')
  expect((await folder.qanat('compare', 'it', '1.0', '2.0')).stdout).toContain('The code is the same.')
  await folder.shell('mv away .git')

  folder.write('it.sh', `${script}# other\n`)
  await folder.qanat('run', '--allow_dirty', 'it', '--model', 'a', '--seed', '0')
  const codes = async () => {
    const { cells } = await folder.json('compare', 'it', '--over', '--metrics', 'acc', '--json')
    return cells.map((cell: any) => [cell.parameters.commit, cell.metrics.acc.count])
  }
  const commits = () => folder.git('log', '--format=%h', '--abbrev=7').split('\n')
  const codeOf = async (run: number) => {
    const { runs } = await folder.json('runs', '--json')
    return `code ${runs.find(({ id }: { id: number }) => id === run).code_used.slice(0, 7)}`
  }
  const [base] = commits()
  // Where the same code ran at several commits, none of them is said to be that of all groups.
  const first = await codeOf(1)
  expect(await codes()).toEqual([
    [first, 2],
    [expect.stringMatching(`^${base}\\+[0-9a-f]{4}$`), 1],
  ])
  folder.commit()
  await folder.qanat('run', 'it', '--model', 'a', '--seed', '1')
  expect(await codes()).toEqual([
    [first, 2],
    [await codeOf(3), 2],
  ])
  folder.write('it.sh', `${script}# another\n`)
  folder.commit()
  await folder.qanat('run', 'it', '--model', 'a', '--seed', '1')
  expect((await codes())[2]).toEqual([commits()[0], 1])
})

test('means over groups with different code are told, with the command that tells them apart', async () => {
  const folder = await project()
  await folder.qanat('run', 'it', '--model', 'a', '--seed', '0')
  await folder.qanat('run', 'it', '--model', 'b', '--seed', '0')
  folder.write('it.sh', `${script}# other\n`)
  folder.commit()
  await folder.qanat('run', 'it', '--model', 'a', '--seed', '1')
  const [last, ...earlier] = folder.git('log', '--format=%h', '--abbrev=7').split('\n')
  const told = `some means are over groups that differ in commit (${earlier[0]} and ${last}): --by model,commit`
  expect((await folder.qanat('compare', 'it', '--by', 'model')).stdout).toContain(`  ${told}\n`)
  expect((await folder.json('compare', 'it', '--by', 'model', '--json')).notes).toEqual([told])
  for (const words of [['--by', 'model,commit'], ['--over'], ['--over', 'seed,commit'], ['1', '2', '--by', 'model']]) {
    expect((await folder.json('compare', 'it', ...words, '--json')).notes).toEqual([])
  }
})

test('a group without the parameter over which a mean is, as of a trial run, is named', async () => {
  const folder = await project()
  await folder.qanat('run', 'it', '--model', 'a')
  await runGrid(folder)
  const told = 'means include 1 group without --seed: 1.0'
  for (const words of [
    ['--over', 'seed'],
    ['--by', 'model'],
  ])
    expect((await folder.qanat('compare', 'it', ...words)).stdout).toContain(`  ${told}\n`)
  expect((await folder.qanat('compare', 'it', '--over', 'seed', '--csv')).stderr).toBe(`Warning: ${told}\n`)
  expect((await folder.qanat('plot', 'it', '-y', 'acc', '--over', 'seed', '-o', 'a.svg')).stdout).toContain(told)
  expect((await folder.json('compare', 'it', '2', '--over', 'seed', '--json')).notes).toEqual([])
})

test('a mean over groups with and without a flag needs no note, unless the flag has a value somewhere', async () => {
  const folder = await shellProject()
  await folder.qanat(
    'run',
    'it',
    ...['true', 'true --flag', 'true --flag --flag', 'true --lr 1'].flatMap(words => ['-g', words]),
  )
  const notes = async (...words: string[]) => (await folder.json('compare', 'it', ...words, '--json')).notes
  expect(await notes('--over', 'flag')).toEqual([])
  await folder.qanat('run', 'it', 'true', '--flag', '3')
  expect(await notes('--over', 'flag')).toEqual(['means include 1 group without --flag: 1.0'])
  expect(await notes('1', '--over', 'lr,flag')).toEqual(['means include 3 groups without --lr: 1.0, 1.1 and 1.2'])
})

test('rows with different code, programs or data are told if --by does not name these, and no commit is that of all', async () => {
  const folder = await project()
  folder.write('.gitignore', `${folder.read('.gitignore')}data/\n`)
  folder.write('data/d.txt', '1\n')
  folder.write('d.yaml', 'name: d\npath: data\n')
  folder.commit()
  await folder.qanat('dataset', 'new', '-f', 'd.yaml')
  await folder.qanat('run', 'it', '--model', 'a')
  folder.write('it.yaml', `${described}datasets: [d]\n`)
  folder.commit()
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  const [base] = folder.git('log', '--format=%h', '--abbrev=7').split('\n')
  await folder.qanat('run', 'it', '--model', 'a')
  folder.write('data/d.txt', '222\n')
  await folder.qanat('run', 'it', '--model', 'b')
  const read = (...ids: string[]) => folder.qanat('compare', 'it', ...ids, '--by', 'model')
  expect((await read('2', '3')).stdout).toContain(
    '  groups differ in dataset (d as run 2 and d as run 3), which --by does not name: --by model,dataset\n',
  )
  expect((await read('1', '3')).stdout).toContain('  groups differ in dataset (none recorded and d), which --by')

  folder.write('it.sh', `${script}# changed\n`)
  folder.write('it.yaml', `${described.replace('python3', 'python3 -u')}datasets: [d]\n`)
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  await folder.qanat('run', '--allow_dirty', 'it', '--model', 'a')
  const { stdout } = await read('3', '4')
  expect(stdout).toMatch(/^it · 2 groups of runs 3, 4\n/)
  expect(stdout.replace(/\+[0-9a-f]{4}/, '+1234')).toContain(
    `  groups differ in commit (${base} and ${base}+1234) and executable (python3 it.sh and python3 -u it.sh), which --by does not name: --by model,commit,executable\n`,
  )
  expect((await folder.json('compare', 'it', '3', '4', '--json')).notes).toEqual([])
  const { stdout: plotted } = await folder.qanat('plot', 'it', '3', '4', '--by', 'model', '-o', 'p.svg')
  expect(plotted).toContain('groups differ in commit')
  expect((await folder.qanat('plot', 'it', '3', '4', '--by', 'model,commit,executable', '-o', 'p.svg')).stdout).toBe(
    'p.svg: bars of 2 groups of runs 3, 4\n',
  )
})

test('rows can be sorted by the time that their groups took', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', ...groups('sleep 0.4', 'true'))
  const scripts = async (sort: string) => {
    const { cells } = await folder.json('compare', 'it', '--sort', sort, '--json')
    return cells.map(({ groups }: any) => groups[0])
  }
  expect(await scripts('time')).toEqual(['1.1', '1.0'])
  expect(await scripts('-time')).toEqual(['1.0', '1.1'])
})

test('all rows with the best value are marked', async () => {
  const folder = await project('best: {acc: max}\n')
  await folder.qanat('run', '-V', '--epochs 1 2 3', 'it', '--model', 'b')
  await folder.qanat('run', 'it', '--model', 'a', '--epochs', '1')
  const { cells } = await folder.json('compare', 'it', '--json')
  expect(cells.map(({ best }: { best: boolean }) => best)).toEqual([true, true, true, false])
})
