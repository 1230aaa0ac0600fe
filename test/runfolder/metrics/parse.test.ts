import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMetricFile, parseRows } from '../../../src/runfolder/metrics/parse.js'
import { testAny } from '../../cases.js'
import { said } from './said.js'

const text = fc.string({ unit: fc.constantFrom(...'aé1.- ,\t\n', '\n'), maxLength: 40 })

test.each(['t.csv', 't.tsv'])('%s has the same rows, whatever ends its lines', name => {
  fc.assert(
    fc.property(text, lines => {
      const table = `step,acc\tx\n${lines}`
      expect(parseRows(name, table.replaceAll('\n', '\r\n'))).toEqual(parseRows(name, table))
    }),
  )
})

const tooLong = '12345678901234567891'

test.each([
  ['metrics.json', `{"seed": ${tooLong}}`],
  ['metrics.json', `{"id": "${tooLong}", "nested": {"seed": -${tooLong}}}`],
  ['metrics.json', `{"seed": 1${'0'.repeat(400)}}`],
  ['metrics.yaml', `runs: [{seed: -${tooLong}}]\n`],
  ['metrics.csv', `seed,acc\n"${tooLong}",1\n`],
  ['metrics.tsv', `seed\tacc\n${tooLong}\t1\n`],
  ['metrics.csv', `acc,seed\r\n1, -${tooLong}\r\n`],
  ['metrics.csv', `acc,seed\n1,${'9'.repeat(20_000_000)}\n`],
  ['metrics.jsonl', `{"seed": 1}\n{"seed": ${tooLong}}\n`],
])('of a whole number that cannot be kept, %s %# says so', (name, content) => {
  expect(said(parseMetricFile(name, content, null).problems)).toContain(
    'of whole numbers beyond 2^53, the last digits are lost',
  )
})

test.each([
  ['metrics.json', `{"id": "${tooLong}", "acc": 0.12345678901234567, "flops": 1.2e18, "n": 9007199254740992}`],
  ['metrics.json', '{"path": "a/12345678901234567891/b", "said \\"12345678901234567891": 1}'],
  ['metrics.json', '{"flops": 12345678901234567.5, "steps": 100000000000000000000}'],
  ['metrics.csv', 'acc,flops,name\n0.12345678901234567,1e18,run12345678901234567891\n'],
  ['metrics.yaml', `id: '${tooLong}'\njob: job ${tooLong}\n# made ${tooLong}\nat: {b: "${tooLong}"}\n`],
  ['metrics.csv', `acc,model\n1,model ${tooLong}\n2,"${tooLong} or so"\n3,a ${tooLong}\n`],
  ['metrics.tsv', `acc\tmodel\n1\t1,${tooLong}\n`],
  ['metrics.yaml', `&all\nacc: 1\nname: '${tooLong}'\nx: [${'*all,'.repeat(9)}]\ny: [${'*all,'.repeat(9)}]\n`],
])('other numbers and texts with many digits are no problem in %s: %s', (name, content) => {
  const { problems } = parseMetricFile(name, content, null)
  expect(said(problems).filter(problem => problem.includes('digits'))).toEqual([])
})

test.each([
  ['metrics.csv', 'commit,acc\n45e6123,0.5\n'],
  ['metrics.tsv', 'commit\tacc\n45e6123\t0.5\n'],
  ['metrics.json', '{"commit": "45e6123", "acc": 0.5}'],
])('an abbreviated commit that no double holds is a text in %s', (name, content) => {
  expect(parseMetricFile(name, content, null).metrics).toEqual({ commit: '45e6123', acc: 0.5 })
})

testAny([fc.bigInt({ min: 0n, max: 10n ** 22n })])(
  'a whole number is a problem exactly if it is not the same afterwards',
  whole => {
    const { metrics, problems } = parseMetricFile('metrics.json', `{"x": ${whole}}`, null)
    expect(problems.length === 0).toBe(BigInt(metrics.x as number) === whole)
  },
)

test.each(['x', '\\n', '\\"'])('texts of many megabytes do not hinder what is beside them: %j', piece => {
  const said = piece.repeat(10_000_000 / piece.length)
  const text = `{"n": 1234567890123456, "said": "${said}", "nan": NaN}`
  const { metrics } = parseMetricFile('metrics.json', text, null)
  expect([metrics.n, metrics.nan]).toEqual([1234567890123456, Number.NaN])
})

test.each([
  ['metrics.json', '{"acc": [0.1, null, 0.4, "NaN"]}'],
  ['metrics.yaml', 'acc: [0.1, ~, 0.4, .nan]\n'],
])('in a list of numbers, %s has null for a step without one', (name, content) => {
  const { metrics, points, problems } = parseMetricFile(name, content, null)
  expect(problems).toEqual([])
  expect(points.get('acc')).toEqual({ values: [0.1, 0.4, Number.NaN], steps: [0, 2, 3], counter: null, rows: null })
  expect(metrics.acc).toMatchObject({ min: 0.1, minStep: 0, max: 0.4, maxStep: 2 })
})

test.each(['[null, null]', '[]', '["a"]', '[[1, 2], [3]]'])('%s is no list of numbers', list => {
  expect(parseMetricFile('metrics.json', `{"acc": ${list}, "loss": 1}`, null).metrics).toEqual({ loss: 1 })
})
