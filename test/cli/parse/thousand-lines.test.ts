import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Registry } from '../../../src/cli/parse/registry.js'
import { type SplitLine, splitLine } from '../../../src/cli/parse/split-line.js'
import { splitWords } from '../../../src/domain/text/words.js'
import { UserError } from '../../../src/errors.js'
import { cases } from '../../cases.js'

const registry: Registry = {
  names: ['train', 'evaluate', 'summary_iris'],
  passes: () => [],
  isParameterFile: path => path === 'grid.yaml',
}

/** Words that stay together: an option with its value, or an argument. */
type Unit = readonly string[]

/** A line that means something. */
interface Right {
  readonly before: readonly Unit[]
  readonly name: string
  readonly after: readonly Unit[]
}

/** A line as it is typed with a slip, and the line that was meant. */
interface Typed {
  readonly words: readonly string[]
  readonly meant: Right
}

/** Makes a slip somewhere in a line; null if the line gives no occasion. */
type Slip = (right: Right, chance: (below: number) => number) => Typed | null

const onlyBefore: readonly Unit[] = [
  ['--detach'],
  ['--commit', "it's done"],
  ['--snapshot', 'never'],
  ['-V', '--model small large'],
  ['--json'],
]
const anywhere: readonly Unit[] = [
  ['--runner', 'slurm'],
  ['--submit_template', 'two cpus'],
  ['--n_threads', '4'],
  ['--container', 'image.sif'],
  ['--param_file', 'other.yaml'],
  ['--storage_path', 'out/first'],
  ['--tag', 'paper'],
  ['--description', 'first try'],
  ['--commit_sha', 'v1.0'],
  ['--dry_run'],
  ['-g', '--width 8 --depth 2'],
  ['-g', "--title 'a b'"],
  ['-R', '--seed 0 10 1'],
]
const ofExperiment: readonly Unit[] = [['--lr', '0.1'], ['--epochs', '5'], ['--fast'], ['data.csv'], ['-x', '-3']]

const some = (units: readonly Unit[]) => fc.shuffledSubarray([...units], { maxLength: 4 })
const rightLine: fc.Arbitrary<Right> = fc
  .record({ before: some(onlyBefore), both: some(anywhere), after: some(ofExperiment), at: fc.nat() })
  // A run is of a commit that is there, or of one that it makes.
  .filter(({ before, both }) =>
    ['--commit', '--commit_sha'].some(stem => [...before, ...both].every(([one]) => one !== stem)),
  )
  .chain(({ before, both, after, at }) => {
    const early = both.slice(0, at % (both.length + 1))
    const late = both.slice(early.length)
    return fc.record({
      before: fc.shuffledSubarray([...before, ...early], { minLength: before.length + early.length }),
      name: fc.constantFrom(...registry.names),
      after: fc.shuffledSubarray([...after, ...late], { minLength: after.length + late.length }),
    })
  })

const wordsOf = ({ before, name, after }: Right) => [...before.flat(), name, ...after.flat()]

/** Exchanges, drops or repeats a letter. */
function misspelt(word: string, chance: (below: number) => number): string | null {
  const at = 2 + chance(word.length - 3)
  const [one, other] = [word[at]!, word[at + 1]!]
  const slips = [
    word.slice(0, at) + other + one + word.slice(at + 2),
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + one + word.slice(at),
  ]
  const wrong = slips[chance(slips.length)]!
  return wrong === word ? null : wrong
}

/** The places of units in a list. */
function places(units: readonly Unit[], is: (unit: Unit) => boolean): number[] {
  return units.flatMap((unit, at) => (is(unit) ? [at] : []))
}

const isLong = ([stem = '']: Unit) => /^--.{5,}/.test(stem) && !ofExperiment.flat().includes(stem)
const isQuoted = ([stem = '']: Unit) => ['-g', '-R', '-V'].includes(stem)

/** Changes one of the units before or after the name. */
function changed(
  right: Right,
  chance: (below: number) => number,
  is: (unit: Unit) => boolean,
  change: (unit: Unit) => Unit | null,
): Typed | null {
  const sides = (['before', 'after'] as const).flatMap(side => places(right[side], is).map(at => ({ side, at })))
  const place = sides[chance(sides.length)]
  if (place === undefined) return null
  const { side, at } = place
  const unit = change(right[side][at]!)
  return unit && { words: wordsOf({ ...right, [side]: right[side].with(at, unit) }), meant: right }
}

const slips: Readonly<Record<string, Slip>> = {
  'a misspelt name': (right, chance) => {
    const name = misspelt(right.name, chance)
    return name === null ? null : { words: wordsOf({ ...right, name }), meant: right }
  },
  'a misspelt option': (right, chance) =>
    changed(right, chance, isLong, ([stem = '', ...value]) => {
      const wrong = misspelt(stem, chance)
      return wrong === null ? null : [wrong, ...value]
    }),
  'an option with hyphens': (right, chance) =>
    changed(right, chance, isLong, ([stem = '', ...value]) => [stem.replaceAll(/(?<=\w)_/g, '-'), ...value]),
  'a long dash': (right, chance) =>
    changed(right, chance, isLong, ([stem = '', ...value]) => [stem.replace('--', '—'), ...value]),
  'an option after the name': ({ before, name, after }, chance) => {
    const at = places(before, unit => onlyBefore.includes(unit))
    const place = at[chance(at.length)]
    if (place === undefined) return null
    const unit = before[place]!
    const others = before.toSpliced(place, 1)
    return {
      words: wordsOf({ before: others, name, after: after.toSpliced(chance(after.length + 1), 0, unit) }),
      meant: { before: [...others, unit], name, after },
    }
  },
  'an option of the experiment before the name': ({ before, name, after }, chance) => {
    const at = places(after, unit => ofExperiment.includes(unit) && unit[0]!.startsWith('-'))
    const place = at[chance(at.length)]
    if (place === undefined) return null
    const unit = after[place]!
    const others = after.toSpliced(place, 1)
    return {
      words: wordsOf({ before: [...before, unit], name, after: others }),
      meant: { before, name, after: [unit, ...others] },
    }
  },
  'no quotes before the name': (right, chance) => {
    const at = places(right.before, isQuoted)
    const place = at[chance(at.length)]
    if (place === undefined) return null
    const [stem, text] = right.before[place]! as [string, string]
    return { words: wordsOf({ ...right, before: right.before.with(place, [stem, ...splitWords(text)]) }), meant: right }
  },
  'no quotes after the name': ({ before, name, after }, chance) => {
    const at = places(after, isQuoted)
    const place = at[chance(at.length)]
    if (place === undefined) return null
    const [stem, text] = after[place]! as [string, string]
    // Nothing tells the words of a group from those of the experiment that follow it.
    const others = after.toSpliced(place, 1)
    const meant = { before, name, after: [...others, after[place]!] }
    return { words: wordsOf({ before, name, after: [...others, [stem, ...splitWords(text)]] }), meant }
  },
  'a range given to -r': (right, chance) =>
    changed(
      right,
      chance,
      ([stem]) => stem === '-R',
      ([, ...value]) => ['-r', ...value],
    ),
  'a range without its step': (right, chance) =>
    changed(
      right,
      chance,
      ([stem]) => stem === '-R',
      () => ['-R', '--seed 0 10'],
    ),
  'values given to -R': ({ before, name, after }, chance) => {
    const place = places(before, ([stem]) => stem === '-V')[0]
    if (place === undefined) return null
    const [, text] = before[place]!
    const others = before.toSpliced(place, 1)
    return {
      words: wordsOf({ before: others, name, after: after.toSpliced(chance(after.length + 1), 0, ['-R', text!]) }),
      meant: { before: [...others, ['-V', text!]], name, after },
    }
  },
  'no blank before the value': (right, chance) =>
    changed(
      right,
      chance,
      ([stem]) => stem === '--n_threads' || stem === '--runner',
      unit => [unit.join('')],
    ),
  'a name before the value': (right, chance) => {
    const at = places(
      right.before,
      ([stem, value]) => value !== undefined && (stem === '--tag' || stem === '--param_file'),
    )
    const place = at[chance(at.length)]
    if (place === undefined) return null
    const unit = right.before[place]! as [string, string]
    const meant = { ...right, before: [...right.before.toSpliced(place, 1), unit] }
    const swapped = [...right.before.toSpliced(place, 1), [unit[0], right.name]]
    return { words: wordsOf({ ...right, before: swapped, name: unit[1] }), meant }
  },
  'the word run twice': right => ({ words: ['run', ...wordsOf(right)], meant: right }),
  'two names': right => ({
    words: wordsOf({ ...right, after: [[registry.names.find(name => name !== right.name)!], ...right.after] }),
    meant: right,
  }),
  'a parameter file without -f': right => {
    if ([...right.before, ...right.after].some(([stem]) => stem === '--param_file')) return null
    const meant = { ...right, after: [['-f', 'grid.yaml'], ...right.after] }
    return { words: wordsOf({ ...right, after: [['grid.yaml'], ...right.after] }), meant }
  },
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

/** The lines of a hint, as a shell would split them. */
function linesOf({ hint }: UserError): string[][] {
  return (hint ?? '')
    .split('\n')
    .map(line => splitWords(line.split('        (')[0]!))
    .filter(([program, command]) => program === 'qanat' && command === 'run')
    .map(words => words.slice(2))
}

/** A thousand lines in all. */
const runs = Math.ceil(cases(1000) / (Object.keys(slips).length + 3))

/** Lines with a slip. */
function typedWith(slip: Slip): fc.Arbitrary<Typed> {
  return fc
    .tuple(rightLine, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }))
    .map(([right, numbers]) => {
      let at = 0
      return slip(right, below => numbers[at++ % numbers.length]! % Math.max(1, below))
    })
    .filter(typed => typed !== null)
}

describe('of a thousand lines with a slip, none launches something that was not meant, and each error has the line that was', () => {
  test.each(Object.entries(slips))('%s', (_, slip) => {
    fc.assert(
      fc.property(typedWith(slip), ({ words, meant }) => {
        const meaning = splitLine(wordsOf(meant), registry)
        const result = split(words)
        if (!(result instanceof UserError)) {
          expect(result).toEqual(meaning)
          return
        }
        expect(result.message).toMatch(/\S+ \S+ \S+/)
        expect(linesOf(result).length).toBeGreaterThan(0)
        expect(split(linesOf(result)[0]!)).toEqual(meaning)
      }),
      { numRuns: runs },
    )
  })

  test('no name', () => {
    fc.assert(
      fc.property(rightLine, right => {
        const result = split([...right.before.flat(), ...right.after.flat()])
        // Another word may be taken for the name; no experiment is called so.
        if (result instanceof UserError) {
          expect(split(linesOf(result)[0]!)).toMatchObject({ name: expect.stringMatching(/^(NAME|data.csv)$/) })
        } else expect(registry.names).not.toContain(result.name)
      }),
      { numRuns: runs },
    )
  })

  test('a value that is missing at the end', () => {
    fc.assert(
      fc.property(
        rightLine,
        fc.constantFrom(...[...anywhere, ...onlyBefore].filter(unit => unit.length > 1)),
        (right, unit) => {
          const result = split([...wordsOf(right), unit[0]!])
          expect(result).toBeInstanceOf(UserError)
          for (const line of linesOf(result as UserError)) expect(split(line)).not.toBeInstanceOf(UserError)
        },
      ),
      { numRuns: runs },
    )
  })

  test('no line of a hint has a mistake, also if the line had two slips', () => {
    const slip = fc.constantFrom(...Object.values(slips)).chain(typedWith)
    const second = fc.constantFrom('--runer', '--detach', '--detahc', '--n_threads4', '—lr', '--json', '-V')
    fc.assert(
      fc.property(slip, second, ({ words }, word) => {
        const result = split([...words, word])
        expect(result).toBeInstanceOf(UserError)
        for (const line of linesOf(result as UserError)) expect(split(line)).not.toBeInstanceOf(UserError)
      }),
      { numRuns: runs },
    )
  })
})
