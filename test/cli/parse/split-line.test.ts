import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GivenOptions } from '../../../src/cli/parse/run-options.js'
import { splitLine } from '../../../src/cli/parse/split-line.js'
import { splitWords } from '../../../src/domain/text/words.js'
import { anyCharacter, testAny } from '../../cases.js'

const registry = { names: [], passes: () => [], isParameterFile: () => false }
const split = (line: string) => splitLine(splitWords(line), registry)

/** Options as words: `--runner slurm --wait`. */
function wordsOf(options: GivenOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [value].flat().flatMap(text => [`--${name}`, text]),
  )
}

describe('splitting the line of qanat run', () => {
  test.each<[string, GivenOptions, string, string[]]>([
    ['exp', {}, 'exp', []],
    ['exp a --b c', {}, 'exp', ['a', '--b', 'c']],
    ['--runner slurm exp', { runner: 'slurm' }, 'exp', []],
    ['--runner=slurm exp', { runner: 'slurm' }, 'exp', []],
    ['-r slurm exp', { runner: 'slurm' }, 'exp', []],
    ['-rslurm exp', { runner: 'slurm' }, 'exp', []],
    ['-ffile.yaml -g"--a 1" exp', { param_file: 'file.yaml', group_param: ['--a 1'] }, 'exp', []],
    ['-t=x exp', { tag: ['x'] }, 'exp', []],
    ['--dry-run --n-threads 4 --allow-dirty exp', { dry_run: true, n_threads: '4', allow_dirty: true }, 'exp', []],
    ['--description=two-word-text exp', { description: 'two-word-text' }, 'exp', []],
    [
      '-V "--m a b" --commit msg --snapshot never --json --detach exp',
      { values: ['--m a b'], commit: 'msg', snapshot: 'never', json: true, detach: true },
      'exp',
      [],
    ],
    ['-h', { help: true }, '', []],
    ['--description -v exp', { description: '-v' }, 'exp', []],
    ['--description -- exp', { description: '--' }, 'exp', []],
    ['--description= exp', { description: '' }, 'exp', []],
    ['- a', {}, '-', ['a']],

    ['exp --runner slurm --x 1 --wait', { runner: 'slurm', wait: true }, 'exp', ['--x', '1']],
    ['exp a -r slurm b --n_threads=4 c', { runner: 'slurm', n_threads: '4' }, 'exp', ['a', 'b', 'c']],
    ['exp -rhtcondor', { runner: 'htcondor' }, 'exp', []],
    [
      'exp -truth -fast -goal -Run -rfoo -r=slurm',
      {},
      'exp',
      ['-truth', '-fast', '-goal', '-Run', '-rfoo', '-r=slurm'],
    ],
    ['exp at er', {}, 'exp', ['at', 'er']],
    [
      'exp -f grid.yaml -g "--a 1" -g "--a 2" -R "--s 0 9 1" -t x -t y',
      { param_file: 'grid.yaml', group_param: ['--a 1', '--a 2'], range_param: ['--s 0 9 1'], tag: ['x', 'y'] },
      'exp',
      [],
    ],
    ['exp --description -v', { description: '-v' }, 'exp', []],
    ['exp -h --values 3 --jsonl --helps', {}, 'exp', ['-h', '--values', '3', '--jsonl', '--helps']],
    ['exp -g"--a 1" -R"--s 0 9 1"', { group_param: ['--a 1'], range_param: ['--s 0 9 1'] }, 'exp', []],
    ['exp -g --flag --x -g --other', { group_param: ['--flag', '--other'] }, 'exp', ['--x']],
    ['exp --group_param=--flag x', { group_param: ['--flag'] }, 'exp', ['x']],
    [
      'exp --parameters_file p.yaml --wai --tags --gpus -5 -0.1',
      {},
      'exp',
      ['--parameters_file', 'p.yaml', '--wai', '--tags', '--gpus', '-5', '-0.1'],
    ],

    ['exp a -- --runner slurm -- --dry-run', {}, 'exp', ['a', '--runner', 'slurm', '--', '--dry-run']],
    ['exp --wait -- --wait', { wait: true }, 'exp', ['--wait']],
    ['--wait -- exp -r slurm', { wait: true }, 'exp', ['-r', 'slurm']],
    ['exp --', {}, 'exp', []],

    ['--wait True exp', { wait: true }, 'exp', []],
    ['--wait False exp', {}, 'exp', []],
    ['--wait=false exp', {}, 'exp', []],
    ['exp --wait true --x', { wait: true }, 'exp', ['--x']],
    ['exp --wait False --x', {}, 'exp', ['--x']],
    ['exp --wait 3', { wait: true }, 'exp', ['3']],
    ['--wait exp --wait False', {}, 'exp', []],
    ['--runner local exp --runner slurm', { runner: 'slurm' }, 'exp', []],

    ['exp --gpu 0 --x', {}, 'exp', ['--gpu', '0', '--x']],
    ['exp --gpu True', {}, 'exp', ['--gpu', 'True']],
    ['exp --gpu=8', {}, 'exp', ['--gpu=8']],
    ['exp --gpu --container x.sif a', { gpu: true, container: 'x.sif' }, 'exp', ['a']],
    ['--container x.sif exp --gpu True a', { container: 'x.sif', gpu: true }, 'exp', ['a']],
    ['--gpu --container x.sif exp', { gpu: true, container: 'x.sif' }, 'exp', []],
    ['exp --gpu -- --container x.sif', {}, 'exp', ['--gpu', '--container', 'x.sif']],
  ])('%s', (line, options, name, experimentArguments) => {
    expect(split(line)).toEqual({ options, name, experimentArguments })
  })

  test('returns the options that were given, whatever the values look like', () => {
    const line = '-r local --runner slurm --wait exp -g "-f 3" -g --gpu --description "-r is faster" --dry_run'
    expect(split(line).options).toEqual({
      runner: 'slurm',
      wait: true,
      group_param: ['-f 3', '--gpu'],
      description: '-r is faster',
      dry_run: true,
    })
  })

  test('an option one letter off one of ours is passed on after --', () => {
    expect(split('exp -- --runer --dry-run').experimentArguments).toEqual(['--runer', '--dry-run'])
  })

  const before = fc.constantFrom('exp', '--wait exp', 'exp --container x --gpu', 'exp a -r slurm --b', '-g "--a 1" exp')
  const word = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('--', '--wait', '-r', '--runer', '--gpu', '--container'),
  )
  testAny([before, fc.array(word)])('everything after -- is passed on untouched', (line, words) => {
    const alone = split(line)
    const whole = splitLine([...splitWords(line), '--', ...words], registry)
    expect(whole).toEqual({ ...alone, experimentArguments: [...alone.experimentArguments, ...words] })
  })

  const pieces = fc.constantFrom(
    ['-r', 'slurm'],
    ['--wait'],
    ['--wait', 'False'],
    ['--tag', '-x'],
    ['-t', 'y'],
    ['-g', '-f 3'],
    ['--container', '--'],
    ['--gpu'],
    ['--description', ''],
    ['--dry_run'],
  )
  testAny([fc.array(pieces)])(
    'options mean the same when they are written with long names before the experiment',
    given => {
      const line = splitLine(['exp', ...given.flat()], registry)
      const again = splitLine([...wordsOf(line.options), 'exp', '--', ...line.experimentArguments], registry)
      expect(again).toEqual(line)
    },
  )
})
