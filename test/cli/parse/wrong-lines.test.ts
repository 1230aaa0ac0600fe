import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Registry } from '../../../src/cli/parse/registry.js'
import { type SplitLine, splitLine } from '../../../src/cli/parse/split-line.js'
import { splitWords } from '../../../src/domain/text/words.js'
import { UserError } from '../../../src/errors.js'
import { testAny } from '../../cases.js'

const registry: Registry = {
  names: ['train', 'evaluate', 'probe'],
  passes: name => (name === 'probe' ? ['--json', '--allow_dirty', '-V'] : []),
  added: () => ({ storageOption: '--out', datasetOption: 'data=' }),
  isParameterFile: path => path === 'grid.yaml',
}

/** What a line means, or the error that refuses it. */
function split(words: readonly string[]): SplitLine | UserError {
  try {
    return splitLine(words, registry)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
}

function refusal(line: string): UserError {
  const result = split(splitWords(line))
  if (result instanceof UserError) return result
  throw new Error(`accepted: ${line}`)
}

describe('a line of qanat run that was hardly meant so is refused:', () => {
  const moved = 'options of the experiment come after its name'
  test.each<[line: string, message: string, hint: string]>([
    // Options that stand before the name only, also where they lack a value.
    ['train --tag a --detach', "'passes: [--detach]' in its YAML file", ''],
    ['train -V "--m a b" --tag t', '-V belongs before the name', "qanat run -V '--m a b' train --tag t"],
    ['train --commit "a b" x', '--commit belongs before the name', "qanat run --commit 'a b' train x"],
    ['train --allow-dirty', '--allow_dirty belongs before the name', 'qanat run --allow-dirty train'],
    ['--tag a train --json b', '--json belongs before the name', 'qanat run --tag a --json train b'],
    ['train --max-failures 3 x', '--max_failures belongs before the name', 'qanat run --max-failures 3 train x'],
    ['train --no-emoji', '--no_emoji belongs before the name', 'qanat run --no-emoji train'],
    ['train --json=x a', '--json takes no value', 'qanat run train --json a'],
    ['train --commit', '--commit needs a value', 'qanat run train --commit VALUE'],

    // Misspelt options and names.
    ['train --runer slurm', '--runer is one letter off --runner', 'qanat run train --runner slurm'],
    ['train --runer slurm', 'if it is an option of train, write it after --', ''],
    ['train --dry-runn', '--dry-runn is one letter off --dry_run', 'qanat run train --dry_run'],
    ['--runer slurm train', '--runer. Did you mean --runner?', 'qanat run --runner slurm train'],
    ['--n 5 train', '--n. Did you mean --n_threads?', 'qanat run --n_threads 5 train'],
    ['--n 5 train', 'qanat run train --n 5        (if it is an option of train)', ''],
    ['-R "--seed 0 3 1" trian', "no experiment 'trian'. Did you mean train?", "qanat run -R '--seed 0 3 1' train"],

    // Options of the experiment before its name, and names that are missing.
    ['--lr 0.1 train', `unknown option --lr: ${moved}`, 'qanat run train --lr 0.1'],
    ['--lr 0.1', `unknown option --lr: ${moved}`, 'qanat run [OPTIONS] NAME [ARGUMENTS OF THE EXPERIMENT]'],
    ['', 'which experiment? There are train, evaluate, probe', 'qanat run NAME'],

    // Values that are missing, impossible or without their quotes.
    ['train --runner', '--runner needs a value', 'qanat run train --runner VALUE'],
    ['train -g', '-g needs a value', "qanat run train -g '--option value'"],
    ['--commit --detach train', '--commit needs a value before --detach', 'the value: --commit=--detach'],
    ['--dry_run=1 train', '--dry_run takes no value', 'qanat run --dry_run train'],
    ['--wait=maybe train', "--wait takes True or False, not 'maybe'", 'qanat run --wait train'],
    ['--snapshot nevre train', 'it takes auto, always, never', 'qanat run --snapshot never train'],
    ['--gpu train', '--gpu works only together with --container', 'qanat run --container IMAGE --gpu train'],
    ['-r "--seed 0 10 1" train', '-r takes the name of a runner', "qanat run -R '--seed 0 10 1' train"],
    ['train -g --seed 1', '-g takes one text, here only --seed', '-g "--seed 1"'],
    ['-V --model small large train', '-V takes one text, here only --model', '-V "--model small"'],
    ['train grid.yaml --x', 'grid.yaml is a parameter file', 'qanat run train -f grid.yaml --x'],

    // Options that contradict each other.
    ['--detach --wait train', '--detach and --wait contradict each other', ''],
    ['--commit x --commit_sha v1 train', '--commit and --commit_sha contradict each other', ''],
    ['--commit " " train', '--commit needs a message', ''],
  ])('qanat run %s', (line, message, hint) => {
    const error = refusal(line)
    expect(`${error.message}\n${error.hint}`).toContain(message)
    expect(error.hint).toContain(hint)
  })

  test('a very long word does not fill the screen with an error', () => {
    const long = 'x'.repeat(70_000)
    for (const line of [`train --detach ${long}`, `--runer${long} train`, `trian ${long}`, `${long} --runer local`]) {
      const { message, hint } = refusal(line)
      expect(message.length + (hint ?? '').length).toBeLessThan(4_000)
    }
  })
})

describe('a line is accepted', () => {
  test.each([
    ['probe --json x', ['--json', 'x']],
    ['probe --json=x', ['--json=x']],
    ['probe --allow-dirty --allow_dirt', ['--allow-dirty', '--allow_dirt']],
    ['probe -V 3', ['-V', '3']],
  ])('whose experiment has the option itself: %s', (line, experimentArguments) => {
    const { options, experiment, experimentArguments: own } = splitLine(splitWords(line), registry)
    expect([options, experiment, own]).toEqual([{}, 'probe', experimentArguments])
  })

  test.each(
    [
      ...['train -- --detach --json --help -V x', 'train -- grid.yaml', 'train --config grid.yaml', 'train other.yaml'],
      ...['train -f a.yaml grid.yaml', 'train evaluate', 'train --tag1 --tagged --gpus'],
      ...['train -g --flag -g --other --x', '-g --flag train', 'train -h', 'other --x'],
    ].map(line => [line]),
  )('that may be meant so: %s', line => {
    expect(splitLine(splitWords(line), registry).options.detach).toBeUndefined()
  })
})

/** Words that stay together: an option with its value, or an argument. */
type Unit = readonly string[]

const onlyBefore: readonly Unit[] = [['--detach'], ['--snapshot', 'never'], ['--json']]
const anywhere: readonly Unit[] = [
  ['--runner', 'slurm'],
  ['--n_threads', '4'],
  ['--tag', 'a b'],
  ['-g', '--x 8'],
]
const ofExperiment: readonly Unit[] = [['--lr', '0.1'], ['--fast'], ['data.csv'], ['-x', '-3']]

/** What somebody may do to a line: words before the name, the name, words after it. */
const slips: Readonly<Record<string, (before: Unit[], name: string, after: Unit[]) => Unit[]>> = {
  'a misspelt name': (before, name, after) => [...before, [`${name}n`], ...after],
  'a misspelt option': (before, name, after) => [...before, ['--runer', 'local'], [name], ...after],
  'a misspelt option after the name': (before, name, after) => [...before, [name], ['--runer', 'local'], ...after],
  'an option before the name only': (before, name, after) => [...before, [name], ...after, ['--detach']],
  'an option of the experiment': (before, name, after) => [...before, ['--rate', '2'], [name], ...after],
  'a range given to -r': (before, name, after) => [...before, [name], ...after, ['-r', '--seed 0 10 1']],
}

describe('every line of a hint is one that is accepted, with all other words as they were:', () => {
  const some = (units: readonly Unit[]) => fc.shuffledSubarray([...units])
  const line = fc.tuple(some([...onlyBefore, ...anywhere]), fc.constantFrom(...registry.names), some(ofExperiment))
  for (const [title, slip] of Object.entries(slips)) {
    testAny([line], { numRuns: 40 })(title, ([before, name, after]) => {
      const error = split(slip(before, name, after).flat()) as UserError
      expect(error).toBeInstanceOf(UserError)
      const lines = (error.hint ?? '').split('\n').filter(each => each.startsWith('qanat run '))
      expect(lines.length).toBeGreaterThan(0)
      const meant = splitLine([...before.flat(), name, ...after.flat()], registry)
      for (const each of lines) {
        const result = split(splitWords(each.split('        (')[0]!).slice(2)) as SplitLine
        expect(result.experiment).toBe(name)
        expect({ ...result.options, runner: null }).toMatchObject({ ...meant.options, runner: null })
        const own = result.experimentArguments.filter(word => !['--rate', '2', '--runer', 'local'].includes(word))
        expect(own).toEqual(meant.experimentArguments)
      }
    })
  }
})
