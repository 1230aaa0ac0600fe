import fc from 'fast-check'
import { expect, test } from 'vitest'
import { variedFacts } from '../../../src/domain/environments/differences.js'
import {
  type Environment,
  type EnvironmentFact,
  environmentOf,
  environmentText,
  factKinds,
  factsOf,
  readEnvironment,
  readFacts,
} from '../../../src/domain/environments/environment.js'
import { testAny } from '../../cases.js'

const fact = (kind: EnvironmentFact['kind'], name: string, value = ''): EnvironmentFact => ({ kind, name, value })
const of = (...facts: EnvironmentFact[]) => environmentOf(facts, false)
const partial = (...facts: EnvironmentFact[]) => environmentOf(facts, true)

/** A text as it stands in a record: without the characters that separate its parts. */
const anyText = fc.string({ unit: 'grapheme', maxLength: 8 }).map(text => text.replace(/[\n\t]/g, ' '))
const anyFact = fc.record({
  // The names of Python packages are written in one way only.
  kind: fc.constantFrom(...factKinds.filter(kind => kind !== 'package')),
  name: anyText.filter(text => text !== ''),
  value: anyText,
})
const anyEnvironment = fc
  .tuple(fc.array(anyFact, { maxLength: 10 }), fc.boolean())
  .map(([facts, isPartial]): Environment => environmentOf(facts, isPartial))

test.each([
  ['a record', 'cpu\tcount\t2\nmodule\tgcc\t12\nend\n', 2, 'end'],
  ['one that was stopped', 'cpu\tcount\t2\npartial\n', 1, 'partial'],
  ['one that was stopped within a line', 'cpu\tcount\t2\npackage\tnumpartial\n', 1, null],
  ['one that is being written', 'cpu\tcount\t2\nmodule\tgcc\t1', 1, null],
  ['one that was claimed, and no more', '', 0, null],
  ['lines that are no facts', 'cpu\tcount\nsecret\tkey\tvalue\ncpu\t\t2\ncpu\ta\tb\tc\nend\n', 0, 'end'],
])('%s is read', (_, text, facts, ending) => {
  const read = readFacts(text)
  expect([read.facts.length, read.ending]).toEqual([facts, ending])
})

test('a package has one name, however its folder writes it', () => {
  const names = ['ruamel.yaml', 'ruamel_yaml', 'Ruamel-YAML'].map(name => `package\t${name}\t0.18\n`)
  expect(of(...readFacts(`${names.join('')}end\n`).facts).facts).toEqual([fact('package', 'ruamel-yaml', '0.18')])
})

testAny([fc.array(anyFact, { maxLength: 10 }), fc.boolean()])(
  'the same environment gives the same text, in whatever order its facts were found',
  (facts, isPartial) => {
    const texts = [facts, facts.toReversed(), [...facts, ...facts]].map(each =>
      environmentText(environmentOf(each, isPartial)),
    )
    expect(new Set(texts).size).toBe(1)
  },
)

testAny([anyEnvironment])('the text of an environment is read back as it was', environment => {
  expect(readEnvironment(environmentText(environment))).toEqual(environment)
})

test('a package that is there twice has both versions', () => {
  const environment = of(
    fact('package', 'numpy', '2.0'),
    fact('package', 'numpy', '1.26'),
    fact('module', 'numpy', '3'),
  )
  expect([...factsOf(environment, 'package')]).toEqual([['numpy', '1.26, 2.0']])
})

test('a version that differs, a package more, and one less are what varies', () => {
  const one = of(fact('package', 'numpy', '1'), fact('package', 'six', '1'), fact('cpu', 'count', '2'))
  const other = of(fact('package', 'numpy', '2'), fact('package', 'toml', '1'), fact('cpu', 'count', '2'))
  expect(variedFacts([[one], [other]])).toEqual([
    { kind: 'package', name: 'numpy', values: [['1'], ['2']] },
    { kind: 'package', name: 'six', values: [['1'], [null]] },
    { kind: 'package', name: 'toml', values: [[null], ['1']] },
  ])
})

test('what is missing from a partial environment may have been there', () => {
  const one = of(fact('package', 'numpy', '1'), fact('package', 'six', '1'))
  const other = partial(fact('package', 'numpy', '2'))
  expect(variedFacts([[one], [other]])).toEqual([{ kind: 'package', name: 'numpy', values: [['1'], ['2']] }])
})

test('hosts of a run that differ have all of their values', () => {
  const [slow, fast] = [of(fact('cpu', 'model', 'slow')), of(fact('cpu', 'model', 'fast'))]
  expect(variedFacts([[slow, fast], [slow]])).toEqual([
    { kind: 'cpu', name: 'model', values: [['fast', 'slow'], ['slow']] },
  ])
  expect(
    variedFacts([
      [slow, fast],
      [fast, slow],
    ]),
  ).toEqual([])
})

testAny([anyEnvironment, anyEnvironment])(
  'an environment never differs from itself, and what differs does so from both sides',
  (one, other) => {
    expect(variedFacts([[one], [one]])).toEqual([])
    const reversed = variedFacts([[other], [one]]).map(({ values, ...each }) => ({
      ...each,
      values: values.toReversed(),
    }))
    expect(variedFacts([[one], [other]])).toEqual(reversed)
  },
)
