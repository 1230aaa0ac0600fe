import { describe, expect, test } from 'vitest'
import type { Registry } from '../../../src/cli/parse/registry.js'
import { splitLine } from '../../../src/cli/parse/split-line.js'
import { splitWords } from '../../../src/domain/text/words.js'
import { UserError } from '../../../src/errors.js'

const registry: Registry = {
  names: ['train', 'evaluate', 'probe'],
  passes: name => (name === 'probe' ? ['--json', '--allow_dirty', '-V'] : []),
  isParameterFile: path => path === 'grid.yaml',
}

/** The error of a line. */
function refusal(line: string, registered = registry): UserError {
  try {
    splitLine(splitWords(line), registered)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error(`accepted: ${line}`)
}

describe('a line of qanat run that was hardly meant so is refused with the line that was meant', () => {
  test.each<[string, string, string, string?]>([
    // Options that stand before the name only.
    [
      'train --seed 1 --detach',
      '--detach belongs before the name of the experiment',
      '--detach train --seed 1',
      'train --seed 1 -- --detach',
    ],
    [
      'train -V "--model small large" --n_threads 2',
      '-V belongs before the name of the experiment',
      "-V '--model small large' train --n_threads 2",
      "train --n_threads 2 -- -V '--model small large'",
    ],
    [
      'train --commit "it\'s done" x --tag y',
      '--commit belongs before the name of the experiment',
      `--commit 'it'"'"'s done' train x --tag y`,
      `train --tag y -- --commit 'it'"'"'s done' x`,
    ],
    [
      'train --allow-dirty --snapshot=never',
      '--allow_dirty belongs before the name of the experiment',
      '--allow-dirty --snapshot=never train',
      'train -- --allow-dirty --snapshot=never',
    ],
    ['--tag a train --json b', '--json belongs before', '--tag a --json train b', '--tag a train -- --json b'],
    ['train --help', '--help belongs before the name', '--help', 'train -- --help'],
    ['train --json=x a', '--json takes no value: is --json=x an option of train?', 'train -- --json=x a'],
    ['train -V"--m a b"', '-V belongs before', "'-V--m a b' train", "train -- '-V--m a b'"],
    ['train --commit', '--commit needs a value', '--commit VALUE train'],
    ['train -V', '-V needs a value', "-V '--option value' train"],
    [
      'probe --jsno --detahc',
      '--detahc is one letter off --detach',
      '--detach probe --jsno',
      'probe --jsno -- --detahc',
    ],

    // Misspelt options.
    [
      '--runer slurm train',
      'unknown option --runer. Did you mean --runner?',
      '--runner slurm train',
      'train -- --runer slurm',
    ],
    ['--runenr slurm trian', 'unknown option --runenr. Did you mean --runner?', '--runner slurm train'],
    ['-wait train', 'unknown option -wait. Did you mean --wait?', '--wait train', 'train -- -wait'],
    ['train --runer slurm', '--runer is one letter off --runner', 'train --runner slurm', 'train -- --runer slurm'],
    ['train --dry-run --x', '--dry-run is one letter off --dry_run', 'train --dry_run --x', 'train -- --dry-run --x'],
    ['train --param-file=x', '--param-file is one letter off', 'train --param_file=x', 'train -- --param-file=x'],
    ['train --n_threads4', '--n_threads4 looks like --n_threads 4', 'train --n_threads 4', 'train -- --n_threads4'],
    ['--n-threads16 train', '--n-threads16 looks like --n_threads 16', '--n_threads 16 train'],
    ['--runnerslurm train', '--runnerslurm looks like --runner slurm', '--runner slurm train'],
    ['train —seed 3', "'—seed' begins with a long dash", 'train --seed 3', "train -- '—seed' 3"],
    ['—wait train', "'—wait' begins with a long dash", '--wait train'],

    // Options of the experiment before its name, and names that are missing, misspelt or elsewhere.
    ['--lr 0.1 train', 'unknown option --lr: options of the experiment come after', 'train --lr 0.1'],
    ['--x --tag y train a', 'unknown option --x: options of the experiment come after', 'train --x --tag y a'],
    ['-x train', 'unknown option -x: options of the experiment come after its name', 'train -x'],
    ['--lr 0.1', 'unknown option --lr: options of the experiment come after its name', 'NAME --lr 0.1'],
    ['--n 5 train', 'unknown option --n', 'train --n 5', '--n_threads 5 train'],
    ['', 'which experiment? There are train, evaluate, probe', 'NAME'],
    ['--wait', 'which experiment? There are train, evaluate, probe', '--wait NAME'],
    ['--tag train', "which experiment? --tag takes 'train' as its value", '--tag VALUE train'],
    [
      '--commit train --rate 1',
      "which experiment? --commit takes 'train' as its value",
      '--commit VALUE train --rate 1',
    ],
    [
      '--commit train --rate 0.1 --seed=0',
      "which experiment? --commit takes 'train' as its value",
      '--commit VALUE train --rate 0.1 --seed=0',
    ],
    [
      '--commit train --dry_run',
      "which experiment? --commit takes 'train' as its value",
      '--commit VALUE train --dry_run',
    ],
    [
      '--commit train -f grid.yaml',
      "which experiment? --commit takes 'train' as its value",
      '--commit VALUE train -f grid.yaml',
    ],
    [
      '--commit train -- --rate 1',
      "which experiment? --commit takes 'train' as its value",
      '--commit VALUE train -- --rate 1',
    ],
    ['--commit train --json', "which experiment? --commit takes 'train' as its value", '--commit VALUE --json train'],
    ['-R "--seed 0 3 1" trian', "no experiment 'trian'. Did you mean train?", "-R '--seed 0 3 1' train"],
    ['--tag train first', "no experiment 'first', and --tag takes 'train' as its value", '--tag first train'],
    ['-f train grid.yaml', "no experiment 'grid.yaml', and -f takes 'train' as its value", '-f grid.yaml train'],
    ['run train --x', "no experiment 'run'; its name comes first: train", 'train --x'],
    ['data.csv train', "no experiment 'data.csv'; its name comes first: train", 'train data.csv'],
    [
      'train evaluate --x',
      "a run is of one experiment: 'evaluate' would be an argument of train",
      'train --x',
      'train -- evaluate --x',
    ],

    // Quotes that were forgotten.
    ['train -g --seed 1', '-g takes one text, here only --seed', "train -g '--seed 1'", 'train --group_param=--seed 1'],
    ['-g --seed 1 -g --seed 2 train', '-g takes one text', "-g '--seed 1' -g '--seed 2' train"],
    ['train -g --a "x y" --b 2 --tag t', '-g takes one text', `train -g '--a '"'"'x y'"'"' --b 2' --tag t`],
    ['-V --model small large train --x', '-V takes one text', "-V '--model small large' train --x"],
    ['train -R --seed 0 10 1 --x', '-R takes one text', "train -R '--seed 0 10 1' --x"],
    ['-R --seed "0 10 1" train', '-R takes one text', "-R '--seed 0 10 1' train"],
    ['-R --seed 0 10 train', '-R takes one text', "-R '--seed 0 10 1' train"],
    ['-r "--seed 0 10 1" train', '-r takes the name of a runner, not', "-R '--seed 0 10 1' train"],
    ['train -r --seed 0 10 1', '-r takes the name of a runner, not "--seed"', "train -R '--seed 0 10 1'"],

    // Ranges that are none.
    ['train -R "--seed 0 10"', '-R "--seed 0 10" is not', "train -R '--seed 0 10 1'", "-V '--seed 0 10' train"],
    ['train -R "--seed 10"', '-R "--seed 10" is not', "train -R '--seed 0 10 1'", "-V '--seed 10' train"],
    ['train -R "--seed 0:10:2"', '-R "--seed 0:10:2" is not', "train -R '--seed 0 10 2'"],
    ['train -R "--seed [0, 10, 1]"', '-R "--seed [0, 10, 1]" is not', "train -R '--seed 0 10 1'"],
    ['train -R "--seed 0 1 2 3"', '-R "--seed 0 1 2 3" is a list of values, not a range', "-V '--seed 0 1 2 3' train"],
    ['train -R "--seed 0,1,2"', '-R "--seed 0,1,2" is a list of values', "-V '--seed 0 1 2' train"],
    ['train -R "--model small large"', 'is a list of values, not a range', "-V '--model small large' train"],
    [
      'train -R "--seed 0 1 2"',
      '-R "--seed 0 1 2" is a range of one value, 0: it goes from 0 to 1 in steps of 2',
      "-V '--seed 0 1 2' train",
      "-V '--seed 0' train",
    ],

    // Values that are missing or impossible.
    ['train --runner', '--runner needs a value', 'train --runner VALUE'],
    ['train -g', '-g needs a value', "train -g '--option value'"],
    [
      '--commit --detach train',
      '--commit needs a value before --detach',
      '--commit VALUE --detach train',
      '--commit=--detach train',
    ],
    ['--dry_run=1 train', '--dry_run takes no value', '--dry_run train'],
    ['--wait=maybe train', "--wait takes True or False, not 'maybe'", '--wait train'],
    ['--wait=Flase train', "--wait takes True or False, not 'Flase'", '--wait=False train'],
    [
      '--snapshot nevre train',
      '--snapshot nevre: unknown value, it takes auto, always, never',
      '--snapshot never train',
    ],
    ['--gpu train', '--gpu works only together with --container', '--container IMAGE --gpu train'],
    [
      'train grid.yaml --x',
      'grid.yaml is a parameter file, and here it would be an argument of train',
      'train -f grid.yaml --x',
      'train -- grid.yaml --x',
    ],
  ])('qanat run %s', (line, message, meant, other) => {
    const error = refusal(line)
    expect(error.message).toContain(message)
    const [first, second] = error.hint!.split('\n').map(text => text.split('        (')[0])
    expect(first).toBe(`qanat run ${meant}`)
    if (other !== undefined) expect(second).toBe(`qanat run ${other}`)
  })

  test.each([
    ['train --detach --n_threads', '--detach train --n_threads 4'],
    ['trian --jsno --allow-dirty', '--allow-dirty train --jsno'],
    ['--runer slurm trian --detach', '--runner slurm --detach train'],
    ['train --detach --wait', 'train --wait -- --detach'],
    ['train -V 3', 'train -- -V 3'],
    ['train --detach -V 3', 'train -- --detach -V 3'],
  ])('no line in the hint of %s has a mistake', (line, meant) => {
    const lines = refusal(line).hint!.split('\n')
    expect(lines[0]!.split('        (')[0]).toBe(`qanat run ${meant}`)
  })

  test.each([
    ['--detach --wait train', '--detach and --wait contradict each other'],
    ['--commit x --allow_dirty train', '--commit and --allow_dirty contradict each other'],
    ['--commit x --commit_sha v1 train', '--commit and --commit_sha contradict each other'],
    ['--commit " " train', '--commit needs a message'],
    ['train -R "--seed 0 10 0" --runer x', 'step is 0'],
  ])('%s cannot be corrected', (line, message) => {
    expect(refusal(line).message).toContain(message)
  })

  test.each([
    ['probe --json x', ['--json', 'x']],
    ['probe --json=x', ['--json=x']],
    ['probe --allow-dirty --allow_dirt', ['--allow-dirty', '--allow_dirt']],
    ['probe -V 3', ['-V', '3']],
  ])('the experiment has the option itself: %s', (line, experimentArguments) => {
    expect(splitLine(splitWords(line), registry)).toEqual({ options: {}, name: 'probe', experimentArguments })
  })

  test.each([
    'train -- --detach --json --help -V x',
    'train -- evaluate',
    'train -- grid.yaml',
    'train --config grid.yaml',
    'train other.yaml',
    'train -f a.yaml grid.yaml',
    'train x evaluate',
    'train --split evaluate',
    'train -R "--seed 0 1 1"',
    'train -R "--seed 5 6 1"',
    'train --tag1 --tagged --gpus',
    'train -h',
    'other --x',
  ])('%s is accepted', line => {
    expect(splitLine(splitWords(line), registry).options.detach).toBeUndefined()
  })
})

test.each([`trian${'x'.repeat(70_000)} train`, `train --detach ${'x'.repeat(70_000)}`])(
  'a very long word does not fill the screen with an error',
  line => {
    const { message, hint } = refusal(line)
    expect(message.length + (hint ?? '').length).toBeLessThan(4_000)
  },
)
