import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { type Folder, groups, program, projectWith } from '../project.js'

const script = `
import json, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
seed, lr = int(words.get('--seed', 0)), float(words.get('--lr', 1))
if words.get('--fail') == words.get('--seed', ''):
    sys.exit('no')
if words.get('--mute') == words.get('--seed', ''):
    sys.exit()
folder = words['--storage_path']
json.dump({'acc': lr + seed / 10, 'loss': -lr, 'nan': float('nan'), 'text': 'a'}, open(f'{folder}/metrics.json', 'w'))
with open(f'{folder}/metrics.csv', 'w') as history:
    history.write('epoch,f1\\n1,0.25\\n2,%s\\n' % lr)
`

/** A project with a run of six groups: three values of --lr, two seeds. */
async function project(...more: string[]): Promise<Folder> {
  const folder = await projectWith(script, 'python3')
  await folder.qanat('run', '-V', '--lr 0.1 1 10', 'it', '-R', '--seed 0 2 1', '--n_threads', '2', ...more)
  return folder
}

/** The rows of a plot. */
const rowsOf = (folder: Folder, file: string) => JSON.parse(folder.read(file)).data.values

test('plot shows the very numbers of compare', async () => {
  const folder = await project()
  const made = await folder.qanat('plot', 'it', '-x', '--lr', '-y', 'acc', '-o', 'acc.vl.json')
  expect(made).toEqual({ code: 0, stderr: '', stdout: 'acc.vl.json: points of 6 groups of run 1, mean over --seed\n' })
  const { cells } = await folder.json('compare', 'it', '--over', '--metrics', 'acc', '--json')
  expect(rowsOf(folder, 'acc.vl.json')).toEqual(
    cells.map(({ parameters, metrics: { acc } }: any) => ({
      ...{ x: Number(parameters['--lr']), y: acc.mean, low: acc.mean - acc.sd, high: acc.mean + acc.sd, count: 2 },
    })),
  )
})

test('parameters whose number no double holds are texts in plots, reports and tables', async () => {
  const folder = await projectWith(
    'while [ "$1" != --storage_path ]; do shift; done\necho \'{"acc": 1}\' >"$2/metrics.json"\n',
  )
  await folder.qanat('run', 'it', '-g', '--at 123e456 --amp', '-g', '--at 4567e12')
  expect(await folder.qanat('plot', 'it', '-x', '--at', '-y', 'acc', '-o', 'acc.vl.json')).toMatchObject({ code: 0 })
  expect(rowsOf(folder, 'acc.vl.json').map(({ x }: { x: unknown }) => x)).toEqual(['123e456', '4567e12'])
  for (const name of ['acc.svg', 'report.html']) {
    const [command, ...more] = name.endsWith('svg') ? ['plot', '-x', '--at', '-y', 'acc'] : ['report']
    expect(await folder.qanat(command!, 'it', ...more, '-o', name)).toMatchObject({ code: 0 })
  }
  await folder.qanat('collect', 'it', '-o', 't.csv')
  expect(folder.read('t.csv')).toContain(',123e456,')
  // A flag is not the same as no flag.
  const { stdout } = await folder.qanat('compare', 'it', '--by', 'amp', '--metrics', 'acc', '--csv')
  expect(stdout.split('\n').map(line => line.split(',')[0])).toEqual(['--amp', 'true', '', ''])
  folder.commit()
  await folder.qanat('run', 'it', '-g', '--small 1e-400', '-g', '--small 2e-400')
  await folder.qanat('collect', 'it', '-o', 'small.csv')
  expect(folder.read('small.csv')).toMatch(/1e-400.*\n.*2e-400/)
})

test('values that compare tells apart have bars, lines and colours of their own, with texts that differ', async () => {
  const folder = await projectWith(
    `while [ "$1" != --storage_path ]; do shift; done
printf 'step,f1\\n0,1\\n1,2\\n' >"$2/metrics.csv"
echo '{"acc": 1}' >"$2/metrics.json"
`,
  )
  const launched = async (...sets: string[]) => {
    await folder.qanat('run', 'it', ...sets.flatMap(set => ['-g', set]))
    return folder.json('compare', 'it', 'latest', '--json').then(({ cells }) => cells.length)
  }
  const shown = async (field: string, ...words: string[]) => {
    await folder.qanat('plot', 'it', 'latest', ...words, '-o', 'p.vl.json')
    folder.commit()
    const counts = new Map<unknown, number>()
    for (const row of rowsOf(folder, 'p.vl.json')) counts.set(row[field], (counts.get(row[field]) ?? 0) + 1)
    return Object.fromEntries(counts)
  }
  expect(await launched('--amp', '--amp yes')).toBe(2)
  expect(await shown('x', '-y', 'acc', '-x', 'amp')).toEqual({ '✓': 1, '"yes"': 1 })
  expect(await launched(`--name 'a b'`, `--name 'a  b'`)).toBe(2)
  expect(await shown('color', '-y', 'f1')).toEqual({ '"a b"': 2, '"a␣␣b"': 2 })
  expect(await launched(`--p 'a, b' --q c`, `--p a --q 'b, c'`)).toBe(2)
  expect(await shown('color', '-y', 'f1', '--by', 'p,q')).toEqual({ '"a, b", "c"': 2, '"a", "b, c"': 2 })
  expect(await launched('--id 9007199254740992', '--id 9007199254740993')).toBe(2)
  expect(await shown('color', '-y', 'f1')).toEqual({ 9007199254740992: 2, '9007199254740993': 2 })
  await launched('--amp', '--amp yes')
  await folder.qanat('report', 'it', 'latest', '-o', 'r.html')
  expect(folder.read('r.html')).toContain('<dt>--amp</dt><dd>✓, yes</dd>')
})

test('an error names the groups that make every mean NaN, and a heat map promises no deviations', async () => {
  const folder = await projectWith(
    `import json, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
loss = float('nan') if words['--l2'] == '1' else float(words['--lr'])
json.dump({'loss': loss, 'acc': float(words['--lr']) + int(words['--seed'])}, open(words['--storage_path'] + '/metrics.json', 'w'))
`,
    'python3',
  )
  await folder.qanat('run', '-V', '--lr 0.1 1', '-V', '--l2 0 1', 'it', '-R', '--seed 0 2 1', '--n_threads', '2')
  const { code, stderr } = await folder.qanat('plot', 'it', '-x', 'lr', '-y', 'loss', '--by', 'seed', '-o', 'p.svg')
  expect([code, stderr]).toEqual([2, expect.stringContaining('NaN or infinite in 4 of 8 groups, such as 1.')])
  expect((await folder.qanat('plot', 'it', '-x', 'lr', '-y', 'loss', '--by', 'l2', '-o', 'p.svg')).code).toBe(0)
  await folder.qanat('plot', 'it', '--kind', 'heatmap', '-y', 'acc', '-o', 'heat.vl.json')
  expect(folder.read('heat.vl.json')).toContain('"acc (mean)"')
  expect(folder.read('heat.vl.json')).not.toContain('± sd')
  await folder.qanat('report', 'it', '--metrics', 'loss', '-o', 'r.html')
  expect(folder.read('r.html')).toMatch(
    /<figcaption>mean over --seed · \d values? left out: NaN, infinite or not there · <code>/,
  )
  expectError(await folder.qanat('report', 'it', '-o', 'r.pdf'), 2, '-o r.pdf: a report is a page')
})

test('a series is read from the files of its groups, and a file that is gone is said', async () => {
  const folder = await project()
  const series = ['plot', 'it', '-y', 'f1', '-o', 'f1.vl.json']
  expect((await folder.qanat(...series)).stdout).toBe('f1.vl.json: series of 6 groups of run 1, mean over --seed\n')
  expect(rowsOf(folder, 'f1.vl.json').slice(0, 2)).toEqual([
    { x: 1, y: 0.25, low: 0.25, high: 0.25, count: 2, color: 0.1 },
    { x: 2, y: 0.1, low: 0.1, high: 0.1, count: 2, color: 0.1 },
  ])
  rmSync(join(folder.path, 'results/it/run_1/group_0/metrics.csv'))
  expect((await folder.qanat(...series)).stdout).toContain(
    'the series of 1 group cannot be read any more, such as that of 1.0',
  )
  rmSync(join(folder.path, 'results/it/run_1'), { recursive: true })
  mkdirSync(join(folder.path, 'results/it/run_1'))
  expectError(await folder.qanat(...series), 2, '-y f1: its series cannot be read any more, such as that of group 1.0')
})

test('groups whose series has a single step are drawn beside the others, and those without steps are counted', async () => {
  const folder = await projectWith(`cd "$QANAT_STORAGE_PATH"
case $1 in
  long) printf 'step,acc\\n3,0.25\\n4,0.5\\n' >metrics.csv ;;
  short) printf 'step,acc\\n3,0.75\\n' >metrics.csv ;;
  list) echo '{"acc": [0.125]}' >metrics.json ;;
  plain) echo '{"acc": 1}' >metrics.json ;;
esac`)
  await folder.qanat('run', 'it', ...groups('long', 'short', 'list', 'plain', 'none'))
  expect((await folder.qanat('plot', 'it', '-y', 'acc', '-o', 'acc.vl.json')).stdout).toBe(
    `acc.vl.json: series of 3 groups of run 1
  2 of 5 groups are missing, since they have no series of acc
`,
  )
  expect(rowsOf(folder, 'acc.vl.json')).toMatchObject([
    { color: 'long', x: 3, y: 0.25 },
    { color: 'long', x: 4, y: 0.5 },
    { color: 'short', x: 3, y: 0.75, lone: true },
    { color: 'list', x: 0, y: 0.125, lone: true },
  ])
})

test('a group that logged a step twice, as after a restart, counts once, and a value without a step is left out', async () => {
  const folder = await projectWith(`cd "$QANAT_STORAGE_PATH"
case $1 in
  resumed) printf 'step,acc\\n1,1\\n2,2\\n2,4\\n' >metrics.csv ;;
  whole) printf 'step,acc\\n1,1\\n2,9\\n,7\\n' >metrics.csv ;;
esac`)
  await folder.qanat('run', 'it', ...groups('resumed', 'whole'))
  const plot = ['plot', 'it', '--over', 'pos_0', '-y', 'acc', '-o', 'acc.vl.json']
  expect((await folder.qanat(...plot)).stdout).toContain('\n  1 value without a step left out\n')
  expect(rowsOf(folder, 'acc.vl.json')).toMatchObject([
    { x: 1, y: 1, count: 2 },
    { x: 2, y: 6.5, count: 2 },
  ])
  await folder.qanat(...plot.toSpliced(2, 2, '--by', 'pos_0'))
  const own = rowsOf(folder, 'acc.vl.json')
  expect(own.map(({ color, x, y }: any) => [color, x, y])).toEqual([
    ['resumed', 1, 1],
    ['resumed', 2, 4],
    ['whole', 1, 1],
    ['whole', 2, 9],
  ])
  expect(own.some(({ low }: any) => low !== undefined)).toBe(false)
  expect((await folder.qanat('report', 'it', '-o', 'r.html')).code).toBe(0)
  expect(folder.read('r.html')).toContain('1 value without a step left out')
  // As many rows as there are in the files.
  await folder.qanat('collect', 'it', '--series', '-o', 't.csv')
  expect(folder.read('t.csv').trim().split('\n')).toHaveLength(1 + 3 + 3)
})

describe('a file', () => {
  test('is made again from the present metrics of its runs', async () => {
    const folder = await project()
    for (const file of ['a.svg', 'a.html', 'a.vl.json']) {
      expect((await folder.qanat('plot', 'it', '-x', 'lr', '-y', 'acc', '-o', file)).code).toBe(0)
    }
    const before = folder.read('a.svg')
    await folder.qanat('run', 'it', '--lr', '100', '--seed', '7')
    expect((await folder.qanat('plot', '--redo', 'a.svg')).stdout).toContain('of run 1, ')
    expect(folder.read('a.svg')).toBe(before)
    folder.write('results/it/run_1/group_0/metrics.json', '{"acc": 77}')
    await folder.qanat('doctor', '--repair')
    for (const file of ['a.svg', 'a.html', 'a.vl.json']) {
      expect(await folder.qanat('plot', '--redo', file)).toMatchObject({ code: 0, stderr: '' })
      expect(folder.read(file)).toMatch(/38\.6/)
    }
    expect((await folder.qanat('plot', '--redo', 'a.svg', '-o', 'b.svg')).stdout).toMatch(/^b\.svg: points/)
    expect(folder.read('b.svg')).toBe(folder.read('a.svg'))
  })

  test.skipIf(skips('PNG and PDF', lacks('rsvg-convert')))('is a picture that holds its command', async () => {
    const folder = await project()
    for (const file of ['a.png', 'a.pdf']) {
      expect((await folder.qanat('plot', 'it', '-x', 'lr', '-y', 'acc', '-o', file)).stderr).toBe('')
      expect((await folder.qanat('plot', '--redo', file)).stdout).toBe(
        `${file}: points of 6 groups of run 1, mean over --seed\n`,
      )
    }
  })

  test.skipIf(skips('PNG and PDF by Chromium', lacks('chromium')))('is a picture that Chromium makes', async () => {
    const folder = await project()
    only(folder, 'chromium')
    for (const file of ['a.png', 'a.pdf']) {
      expect((await folder.qanat('plot', 'it', '-x', 'lr', '-y', 'acc', '-o', file)).stderr).toBe('')
      expect(folder.has(file)).toBe(true)
    }
  })

  test('that needs a program that is not there is not made, and the error says what to install', async () => {
    const folder = await project()
    only(folder)
    expectError(
      await folder.qanat('plot', 'it', '-y', 'acc', '-o', 'a.pdf'),
      1,
      'no program to make PDF',
      'librsvg2-bin',
    )
    expect(folder.list('.').filter(name => name.startsWith('a.'))).toEqual([])
  })
})

/** Leaves only these programs in the PATH, and git. */
function only(folder: Folder, ...programs: string[]): void {
  const bin = join(folder.path, '.qanat/bin')
  mkdirSync(bin)
  for (const name of ['git', ...programs]) {
    const path = execFileSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' }).trim()
    symlinkSync(path, join(bin, name))
  }
  folder.environment.PATH = bin
}

describe('bad input is explained', () => {
  test.each<[string[], string[]]>([
    [[], ['plot: no experiment is given']],
    [['it'], ['plot: no file is given', 'qanat plot it -o plot.svg']],
    [
      ['it', '-o', 'a.gif'],
      ['-o a.gif: the end of the name says no format', '.svg, .png, .pdf, .html, .vl.json'],
    ],
    [['it', '-o', 'results.svg'], ['results.svg is a folder']],
    [['it', '-y', 'ac', '-o', 'a.svg'], ['-y ac: no group has this metric. Did you mean acc?']],
    [['it', '-x', 'l', '-o', 'a.svg'], ['-x l: no group has this parameter or metric']],
    [['it', '-y', 'text', '-o', 'a.svg'], ['-y text: its values are not numbers']],
    [['it', '-y', 'nan', '-o', 'a.svg'], ['-y nan: all its values are NaN or infinite']],
    [['it', '--over', 'fail', '-o', 'a.svg'], ['--over --fail: it is the same for all groups']],
    [['it', '-y', 'loss', '--log', 'y', '-o', 'a.svg'], ['--log y: 3 of 3 values of loss (mean ± sd) are not above 0']],
    [['it', '--kind', 'bars', '--log', 'x', '-o', 'a.svg'], ['--log x: the values of lr are places on an axis']],
    [
      ['it', '--kind', 'scatter', '-o', 'a.svg'],
      ['scatter: -x must be a metric, too', 'what varies is'],
    ],
    [['--redo', 'it.svg', '-y', 'acc'], ['--y']],
    [['it', '--redo', 'it.svg'], ['--redo takes the experiment from the file']],
    [['--redo', 'it.yaml'], ['it.yaml holds no plot of Qanat']],
    [['--redo', '.'], ['. is no file that can be read']],
  ])('plot %j', async (words, texts) => {
    const folder = await project('--fail', '9')
    mkdirSync(join(folder.path, 'results.svg'))
    expectError(await folder.qanat('plot', ...words), 2, ...texts)
    expect(folder.list('.').filter(name => name.startsWith('a.'))).toEqual([])
  })

  test('if -x names a parameter although the groups have none', async () => {
    const folder = await projectWith(script, 'python3')
    await folder.qanat('run', 'it')
    for (const x of ['--lr', 'lr:max']) {
      const error = `-x ${x.replace(/:.*/, '')}: no group has this parameter or metric`
      const made = await folder.qanat('plot', 'it', '-x', x, '-o', 'a.svg')
      expectError(made, 2, error, 'the groups have no parameters; the metrics are acc, loss')
    }
    const made = await folder.qanat('plot', 'it', '-y', 'lr', '-o', 'a.svg')
    expectError(made, 2, '-y lr: no group has this metric\n')
  })

  test('if nothing has finished, or more varies than can be seen', async () => {
    const folder = await projectWith(script, 'python3')
    await folder.qanat('run', 'it', '--fail', '3', '--seed', '3')
    expectError(await folder.qanat('plot', 'it', '-o', 'a.svg'), 2, 'no group of run 1 has finished', 'qanat why 1')
    await folder.qanat('run', 'it', '--fail', '3', '--seed', '3')
    const both = await folder.qanat('plot', 'it', '-o', 'a.svg')
    expectError(both, 2, 'no group of runs 1 and 2 has finished', 'qanat experiment status it')
    await folder.qanat(
      'run',
      'it',
      '--n_threads',
      '4',
      ...Array.from({ length: 101 }, (_, at) => ['-g', `--name a${at}`]).flat(),
    )
    expectError(
      await folder.qanat('plot', 'it', '3', '-o', 'a.svg'),
      2,
      'name has 101 values, and no axis shows more than 100',
    )
  })
})

test('only runs whose groups are drawn are named, and those that do not count are told', async () => {
  const folder = await projectWith(script, 'python3')
  const run = (seed: string, ...more: string[]) => folder.qanat('run', 'it', '--lr', '1', '--seed', seed, ...more)
  for (const seed of ['1', '1', '3']) await run(seed, '--fail', '3')
  await run('4', '--fail', '3', '--mute', '4')
  const told = '1 group does not count: of groups with the same parameters, the newest that has finished counts'
  const { stdout } = await folder.qanat('plot', 'it', '-x', 'lr', '-y', 'acc', '-o', 'a.vl.json')
  expect(stdout).toBe(`a.vl.json: points of 1 group of run 2, mean over --seed
  ${told}
  1 of 3 groups is missing, since it has not finished: qanat failures it
  1 of 3 groups is missing, since it has no value of acc
`)
  const { command, runs } = JSON.parse(folder.read('a.vl.json')).usermeta.qanat
  expect(runs).toMatchObject([{ id: 2 }])
  // What has not finished yet may be drawn once it has.
  expect(command).toEqual(expect.arrayContaining(['it', '2', '3', '4']))
  expect(command).not.toContain('1')
  expect((await folder.qanat('plot', 'it', '-x', 'lr', '-y', 'f1:max', '-o', 'b.svg')).stdout).toContain('of run 2,')
  expect((await folder.qanat('plot', 'it', '1', '2', '-y', 'f1', '-o', 'b.svg')).stdout).toBe(
    `b.svg: series of 1 group of run 2\n  ${told}\n`,
  )
  await folder.qanat('report', 'it', '-o', 'r.html')
  expect(folder.read('r.html').split(told)).toHaveLength(2)
})

test('a trial run without the parameter of the horizontal axis leaves the axis one of numbers, and has a bar after them', async () => {
  const folder = await projectWith(script, 'python3')
  await folder.qanat('run', 'it')
  await folder.qanat('run', '-V', '--lr 0.5 0.05 0.005', 'it', '--n_threads', '2')
  const plot = ['plot', 'it', '-x', 'lr', '-y', 'acc', '-o', 'a.vl.json']
  expect((await folder.qanat(...plot)).stdout).toBe(
    'a.vl.json: points of 3 groups of run 2\n  1 group without --lr is not drawn\n',
  )
  expect(rowsOf(folder, 'a.vl.json').map(({ x }: { x: unknown }) => x)).toEqual([0.5, 0.05, 0.005])
  expect(folder.read('a.vl.json')).toMatch(/"type":\s*"log"/)
  const orderOf = () => JSON.parse(/"sort":\s*(\[[^\]]*\])/.exec(folder.read('a.vl.json'))![1]!)
  for (const words of [
    [...plot, '--kind', 'bars'],
    ['plot', 'it', '-y', 'acc', '-o', 'a.vl.json'],
  ]) {
    expect((await folder.qanat(...words)).stdout).toBe('a.vl.json: bars of 4 groups of runs 1, 2\n')
    expect(orderOf()).toEqual(['0.005', '0.05', '0.5', '–'])
  }
  folder.commit()
  await folder.qanat('run', 'it', '--seed', '1')
  expect((await folder.qanat(...plot)).stdout).toContain('\n  2 groups without --lr are not drawn\n')
  // A parameter that only a failed group has leaves nothing to draw if the others are left out.
  folder.commit()
  await folder.qanat('run', 'it', '--depth', '3', '--fail', '')
  expect((await folder.qanat('plot', 'it', '1', '4', '-x', 'depth', '-y', 'acc', '-o', 'a.svg')).stdout).toMatch(
    /^a\.svg: bars of 1 group of run 1\n/,
  )
})

test('cells without a finished group are named', async () => {
  const folder = await project('--fail', '1')
  const made = await folder.qanat('plot', 'it', '-y', 'acc', '--by', '--seed', '-x', '--lr', '-o', 'a.svg')
  expect(made.stdout).toBe(
    'a.svg: points of 3 groups of run 1\n  3 cells without a finished group: qanat failures it\n',
  )
})

test.each([
  ['--fail', 'acc', 'points', 'have not finished: qanat failures it'],
  ['--fail', 'f1', 'series', 'have not finished: qanat failures it'],
  ['--mute', 'acc', 'points', 'have no value of acc'],
  ['--mute', 'f1', 'series', 'have no series of f1'],
])('groups that are missing in a mean after %s are counted in a plot of %s', async (option, metric, kind, reason) => {
  const folder = await project(option, '1')
  expect((await folder.qanat('plot', 'it', '-y', metric, '-o', 'a.svg')).stdout).toBe(
    `a.svg: ${kind} of 3 groups of run 1, mean over --seed\n  3 of 6 groups are missing, since they ${reason}\n`,
  )
})

test('no other command loads what draws plots', async () => {
  const folder = await project()
  const copy = join(folder.path, '.qanat/program')
  const source = dirname(dirname(program))
  mkdirSync(join(copy, 'dist'), { recursive: true })
  cpSync(join(source, 'bin'), join(copy, 'bin'), { recursive: true })
  for (const name of readdirSync(join(source, 'dist'))) {
    if (name !== 'plots.cjs') symlinkSync(join(source, 'dist', name), join(copy, 'dist', name))
  }
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(source, name), join(copy, name))
  folder.program = join(copy, 'bin/run.js')
  for (const words of ['compare it', 'runs', 'collect it -o a.csv', 'plot --help', 'failures it']) {
    expect(await folder.qanat(...words.split(' '))).toMatchObject({ code: 0, stderr: '' })
  }
  expect((await folder.qanat('plot', 'it', '-o', 'a.svg')).stderr).toContain('plots.cjs')
})
