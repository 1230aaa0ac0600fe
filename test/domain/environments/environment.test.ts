import fc from 'fast-check'
import { expect, test } from 'vitest'
import { variedFacts } from '../../../src/domain/environments/differences.js'
import {
  type EnvironmentFact,
  environmentOf,
  environmentText,
  factKinds,
  factsOf,
  readEnvironment,
  readFacts,
  unknownParts,
  without,
} from '../../../src/domain/environments/environment.js'
import { testAny } from '../../cases.js'

/** An environment with these facts, each as its kind, name and value. */
const of = (...facts: [EnvironmentFact['kind'], string, string][]) => {
  const all = facts.map(([kind, name, value]) => ({ kind, name, value }))
  return environmentOf(all, false)
}

/** A text as it stands in a record: without the characters that separate its parts. */
const anyText = fc.string({ unit: 'grapheme', maxLength: 8 }).map(text => text.replace(/[\n\t]/g, ' '))
const anyFact = fc.record({
  // The names of Python packages are written in one way only.
  kind: fc.constantFrom(...factKinds.filter(kind => kind !== 'package')),
  name: anyText.filter(text => text !== ''),
  value: anyText,
})
const someFacts = fc.array(anyFact, { maxLength: 10 })
const anyEnvironment = fc.tuple(someFacts, fc.boolean()).map(given => environmentOf(...given))

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
  const { facts } = environmentOf(readFacts(`${names.join('')}end\n`).facts, false)
  expect(facts).toEqual([{ kind: 'package', name: 'ruamel-yaml', value: '0.18' }])
})

testAny([someFacts, fc.boolean()])('the same facts give the same text, in whatever order', (facts, isPartial) => {
  const orders = [facts, facts.toReversed(), [...facts, ...facts]]
  expect(new Set(orders.map(each => environmentText(environmentOf(each, isPartial)))).size).toBe(1)
})

testAny([anyEnvironment])('the text of an environment is read back as it was', environment => {
  expect(readEnvironment(environmentText(environment))).toEqual(environment)
})

test('a module that is there twice has both versions, and of a package of Python the first counts', () => {
  const environment = of(['module', 'numpy', '2.0'], ['module', 'numpy', '1.26'], ['package', 'numpy', '3'])
  expect([...factsOf(environment, 'module')]).toEqual([['numpy', '1.26, 2.0']])
  const { facts } = readFacts('package\tA_b\t2\npackage\ta-b\t1\nnpm\tA_b\t1\nend\n')
  expect(facts.map(({ name, value }) => `${name} ${value}`)).toEqual(['a-b 2', 'A_b 1'])
})

test('a version that differs, a package more, and one less are what varies', () => {
  const one = of(['package', 'numpy', '1'], ['package', 'six', '1'], ['cpu', 'count', '2'])
  const other = of(['package', 'numpy', '2'], ['package', 'toml', '1'], ['cpu', 'count', '2'])
  expect(variedFacts([[one], [other]])).toEqual([
    { kind: 'package', name: 'numpy', values: [['1'], ['2']] },
    { kind: 'package', name: 'six', values: [['1'], [null]] },
    { kind: 'package', name: 'toml', values: [[null], ['1']] },
  ])
})

test('what is missing from a partial environment may have been there', () => {
  const one = of(['package', 'numpy', '1'], ['package', 'six', '1'])
  const other = environmentOf([{ kind: 'package', name: 'numpy', value: '2' }], true)
  expect(variedFacts([[one], [other]])).toEqual([{ kind: 'package', name: 'numpy', values: [['1'], ['2']] }])
})

test('what is missing where the interpreter is not known may have been there, but for machines', () => {
  const one = of(['package', 'numpy', '1'], ['interpreter', 'version', '3'], ['gpu', '0', 'x'])
  const other = of(['unknown', 'interpreter', 'behind sh'], ['cpu', 'count', '2'])
  expect(variedFacts([[one], [other]]).map(({ name }) => name)).toEqual(['count', '0'])
  expect(unknownParts(other)).toEqual(['the interpreter (behind sh)'])
  expect(unknownParts({ facts: [], isPartial: true })).toHaveLength(1)
})

test('packages that are left out are so however they are written, also where they are not known', () => {
  const one = of(['package', 'a-b', '1'], ['npm', 'A_b', '1'], ['unknown', 'a.b', 'x'], ['lock', 'a-b', '1'])
  expect(without(one, ['A.b']).facts.map(({ kind }) => kind)).toEqual(['lock'])
})

test('hosts of a run that differ have all of their values', () => {
  const [slow, fast] = [of(['cpu', 'model', 'slow']), of(['cpu', 'model', 'fast'])]
  const varied = [{ kind: 'cpu', name: 'model', values: [['fast', 'slow'], ['slow']] }]
  expect(variedFacts([[slow, fast], [slow]])).toEqual(varied)
  const both = [slow, fast]
  expect(variedFacts([both, both.toReversed()])).toEqual([])
})

testAny([anyEnvironment, anyEnvironment])('what differs does so from both sides', (one, other) => {
  expect(variedFacts([[one], [one]])).toEqual([])
  const reversed = variedFacts([[other], [one]]).map(each => ({ ...each, values: each.values.toReversed() }))
  expect(variedFacts([[one], [other]])).toEqual(reversed)
})
