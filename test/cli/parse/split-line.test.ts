import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GivenOptions } from '../../../src/cli/parse/line-options.js'
import { splitLine } from '../../../src/cli/parse/split-line.js'
import { splitWords } from '../../../src/domain/text/words.js'
import { anyCharacter, testAny } from '../../cases.js'

const registry = { names: [], passes: () => [], added: () => null, isParameterFile: () => false }
const splitWhole = (words: readonly string[]) => {
  const { options, experiment, experimentArguments } = splitLine(words, registry)
  return { options, experiment, experimentArguments }
}
const split = (line: string) => splitWhole(splitWords(line))

/** Options as words: `--runner slurm --wait`. */
function wordsOf(options: GivenOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [value ?? []].flat().flatMap(text => [`--${name}`, text]),
  )
}

describe('splitting the line of qanat run', () => {
  test.each<[string, GivenOptions]>([
    ['--runner slurm', { runner: 'slurm' }],
    ['--runner=slurm', { runner: 'slurm' }],
    ['-r slurm', { runner: 'slurm' }],
    ['-rslurm', { runner: 'slurm' }],
    ['-ffile.yaml -g"--a 1"', { param_file: 'file.yaml', group_param: ['--a 1'] }],
    ['-t=x', { tag: ['x'] }],
    ['--dry-run --n-threads 4 --allow-dirty', { dry_run: true, n_threads: '4', allow_dirty: true }],
    ['--description=two-word-text', { description: 'two-word-text' }],
    ['-V "--m a b" --commit msg --json --detach', { values: ['--m a b'], commit: 'msg', json: true, detach: true }],
    ['--description -v', { description: '-v' }],
    ['--description --', { description: '--' }],
    ['--description=', { description: '' }],
    ['--wait True', { wait: true }],
    ['--wait False', {}],
    ['--wait=false', {}],
    ['--gpu --container x.sif', { gpu: true, container: 'x.sif' }],
  ])('understands options before the name: %s', (line, options) => {
    expect(split(`${line} exp`)).toEqual({ options, experiment: 'exp', experimentArguments: [] })
  })

  test.each<[string, GivenOptions, string]>([
    ['a --b c', {}, 'a --b c'],
    ['--runner slurm --x 1 --wait', { runner: 'slurm', wait: true }, '--x 1'],
    ['a -r slurm b --n_threads=4 c', { runner: 'slurm', n_threads: '4' }, 'a b c'],
    [
      'a --n-threads 4 --dry-run --submit-template=two-cpus',
      { n_threads: '4', dry_run: true, submit_template: 'two-cpus' },
      'a',
    ],
    ['-rhtcondor', { runner: 'htcondor' }, ''],
    ['-truth -fast -goal -Run -rfoo -r=slurm', {}, '-truth -fast -goal -Run -rfoo -r=slurm'],
    ['-f a.yaml -R "--s 0 9 1" -t x -t y', { param_file: 'a.yaml', range_param: ['--s 0 9 1'], tag: ['x', 'y'] }, ''],
    ['-g "--a 1" -g "--a 2"', { group_param: ['--a 1', '--a 2'] }, ''],
    ['--description -v', { description: '-v' }, ''],
    ['-h --values 3 --jsonl --helps', {}, '-h --values 3 --jsonl --helps'],
    ['-g"--a 1" -R"--s 0 9 1"', { group_param: ['--a 1'], range_param: ['--s 0 9 1'] }, ''],
    ['-g --flag --x -g --other', { group_param: ['--flag', '--other'] }, '--x'],
    ['--group_param=--flag x', { group_param: ['--flag'] }, 'x'],
    ['--parameters_file p.yaml --wai --gpus -5 -0.1', {}, '--parameters_file p.yaml --wai --gpus -5 -0.1'],

    ['a -- --runner slurm -- --dry-run', {}, 'a --runner slurm -- --dry-run'],
    ['--wait -- --wait', { wait: true }, '--wait'],
    ['--', {}, ''],

    ['--wait true --x', { wait: true }, '--x'],
    ['--wait False --x', {}, '--x'],
    ['--wait 3', { wait: true }, '3'],

    ['--gpu 0 --x', {}, '--gpu 0 --x'],
    ['--gpu=8', {}, '--gpu=8'],
    ['--gpu --container x.sif a', { gpu: true, container: 'x.sif' }, 'a'],
    ['--gpu -- --container x.sif', {}, '--gpu --container x.sif'],
  ])('understands words after the name: %s', (line, options, args) => {
    const experimentArguments = args.split(' ').filter(word => word !== '')
    expect(split(`exp ${line}`)).toEqual({ options, experiment: 'exp', experimentArguments })
  })

  test.each<[string, GivenOptions, string, string[]]>([
    ['-h', { help: true }, '', []],
    ['- a', {}, '-', ['a']],
    ['--wait -- exp -r slurm', { wait: true }, 'exp', ['-r', 'slurm']],
    ['--wait exp --wait False', {}, 'exp', []],
    ['--runner local exp --runner slurm', { runner: 'slurm' }, 'exp', []],
    ['--container x.sif exp --gpu True a', { container: 'x.sif', gpu: true }, 'exp', ['a']],
  ])('understands %s', (line, options, name, experimentArguments) => {
    expect(split(line)).toEqual({ options, experiment: name, experimentArguments })
  })

  test('an option one letter off one of ours is passed on after --', () => {
    expect(split('exp -- --runer --dry-run').experimentArguments).toEqual(['--runer', '--dry-run'])
  })

  const before = fc.constantFrom('exp', '--wait exp', 'exp --container x --gpu', 'exp a -r slurm --b', '-g "--a 1" exp')
  const special = fc.constantFrom('--', '--wait', '-r', '--runer', '--gpu', '--container')
  const word = fc.oneof(fc.string({ unit: anyCharacter }), special)
  testAny([before, fc.array(word)])('everything after -- is passed on untouched', (line, words) => {
    const alone = split(line)
    const whole = splitWhole([...splitWords(line), '--', ...words])
    expect(whole).toEqual({ ...alone, experimentArguments: [...alone.experimentArguments, ...words] })
  })

  const words = ['-r slurm', '--wait', '--wait False', '--tag -x', '-t y', '--container --', '--gpu', '--dry_run']
  const pieces = fc.constantFrom(['-g', '-f 3'], ['--description', ''], ...words.map(text => text.split(' ')))
  testAny([fc.array(pieces)])(
    'options mean the same when they are written with long names before the experiment',
    given => {
      const line = splitWhole(['exp', ...given.flat()])
      const again = splitWhole([...wordsOf(line.options), 'exp', '--', ...line.experimentArguments])
      expect(again).toEqual(line)
    },
  )
})
