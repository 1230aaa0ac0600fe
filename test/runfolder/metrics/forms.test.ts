import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMetricFile, parseRows } from '../../../src/runfolder/metrics/parse.js'
import { testAny } from '../../cases.js'
import { said } from './said.js'

/** Metrics as short texts: of a series all values at their steps. */
function read(name: string, text: string, step: string | null = null) {
  const { metrics, points, problems } = parseMetricFile(name, text, step)
  const shown = Object.entries(metrics).map(([metric, value]) => {
    if (typeof value !== 'object') return [metric, value]
    const { values, steps } = points.get(metric)!
    const list = values.map((each, at) => `${each}@${steps[at]}`).join(' ')
    return [metric, Object.is(value.last, values.at(-1)) ? list : `${list} then ${value.last}`]
  })
  return { ...Object.fromEntries(shown), ...(problems.length > 0 && { problems: said(problems) }) }
}

type Case = [what: string, name: string, text: string, step: string | null, metrics: Record<string, unknown>]

describe('a table is read whatever program wrote it:', () => {
  test.each<Case>([
    ['ends of lines of two kinds', 'm.csv', 'step,loss\r\n1,5\r\n2,4\r\n3,3\n4,2\n', null, { loss: '5@1 4@2 3@3 2@4' }],
    ['the ends of lines of old Macs', 'm.csv', 'step,loss\r1,5\r2,4', null, { loss: '5@1 4@2' }],
    ['quotes, and then none', 'm.csv', '"step","loss"\r\n"1","5"\r\n2,4\n', null, { loss: '5@1 4@2' }],
    ['its header once more', 'm.csv', 'epoch,a\n0,1\nepoch,a\n1,2\n', null, { a: '1@0 2@1' }],
    ['other columns later', 'm.csv', 'epoch,a,b\n0,1,9\nepoch,b,a\n1,8,2\n', null, { a: '1@0 2@1', b: '9@0 8@1' }],
    ['one more column later', 'm.tsv', 'epoch\ta\n0\t1\nepoch\ta\tb\n1\t2\t7\n', null, { a: '1@0 2@1', b: 7 }],
    [
      'words for missing values',
      'm.csv',
      'epoch,a,b,c\n0,1,NA,NA\n1,2,5,NA\n2,3,None,\n',
      null,
      { a: '1@0 2@1 3@2', b: 5 },
    ],
    ['a country', 'm.csv', 'a,land\n1,DE\n2,NA\n', null, { a: '1@0 2@1', land: 'NA' }],
    ['numbers of rows', 'm.csv', ',epoch,loss\n0,5,9\n1,6,8\n', null, { loss: '9@5 8@6' }],
    ['the numbers of rows of R', 'm.csv', '"","epoch","loss"\n"1",5,9\n"2",6,8\n', null, { loss: '9@5 8@6' }],
    [
      'R with the names of rows',
      'm.csv',
      '"epoch" "loss" "a b"\n"1" 5 9 "x y"\n"2" 6 8 "z"\n',
      null,
      { loss: '9@5 8@6', 'a b': 'z' },
    ],
    ['R with commas and the names of rows', 'm.csv', '"epoch","loss"\n"1",5,9\n"2",6,8\n', null, { loss: '9@5 8@6' }],
    ['a comment with the names', 'm.csv', '# epoch,loss\n0,9\n1,8\n', null, { loss: '9@0 8@1' }],
    ['numpy, gnuplot', 'm.csv', '# epoch loss\n0.0e+00 9.0e+00\n1.0e+00 8.0e+00\n', null, { loss: '9@0 8@1' }],
    [
      'a comment of other things',
      'm.csv',
      '#{"t_start": 1.5, "id": "x"}\nr,l\n1,2\n3,4\n',
      null,
      { r: '1@0 3@1', l: '2@0 4@1' },
    ],
    ['a column called #', 'm.csv', '#,loss\n1,9\n2,8\n', null, { '#': '1@0 2@1', loss: '9@0 8@1' }],
    ['semicolons', 'm.csv', 'epoch;loss\n0;9\n1;8\n', null, { loss: '9@0 8@1' }],
    ['semicolons with decimal commas', 'm.csv', '"epoch";"loss"\n0;0,9\n1;0,8\n', null, { loss: '0.9@0 0.8@1' }],
    ['tabs', 'm.csv', 'epoch\tloss\n0\t9\n1\t8\n', null, { loss: '9@0 8@1' }],
    ['the numbers of pandas for names', 'm.csv', '0,1\n0.5,0.6\n', null, { 0: 0.5, 1: 0.6 }],
    ['names beside values', 'm.tsv', 'N\t3\nP@1\t0.5\n', null, { N: 3, 'P@1': 0.5 }],
    ['a series of pandas', 'm.csv', ',0\nacc,0.9\nf1,0.8\n', null, { acc: 0.9, f1: 0.8 }],
    ['numbers of rows beside values', 'm.csv', ',0\n0,0.9\n1,0.8\n', null, { 0: '0.9@0 0.8@1' }],
    ['numbers beside letters', 'm.csv', 'a,b\n第3章,5 µm\n', null, { a: '第3章', b: '5 µm' }],
    ['blanks in texts', 'm.csv', 'model name\nResNet 50\n', null, { 'model name': 'ResNet 50' }],
    [
      'types around numbers',
      'm.csv',
      'a,b,c\nnp.float64(0.5),"tensor(2., device=\'cuda:0\')",0.4D-01\n',
      null,
      { a: 0.5, b: 2, c: 0.04 },
    ],
    ['JSON Lines', 'm.csv', '{"step": 1, "a": 5}\n{"step": 2, "a": 6}\n', null, { a: '5@1 6@2' }],
  ])('%s', (_, name, text, step, metrics) => expect(read(name, text, step)).toEqual(metrics))

  test.each<Case>([
    [
      'without names',
      'm.csv',
      '0,0.9\n1,0.8\n',
      null,
      { problems: ['1: its first line has numbers and no names of columns, so that nothing is read'] },
    ],
    ['without rows', 'm.csv', 'date,loss\n', 'date', { problems: ['it has no rows'] }],
    [
      'with rows that are not whole at its end',
      'm.csv',
      'a,b\n1,2\n3,4\n5,6,7\n8,9,10\n',
      null,
      {
        ...{ a: '1@0 3@1 then NaN', b: '2@0 4@1 then NaN', problems: ['4: 2 rows are not whole'] },
      },
    ],
    [
      'that is cut in its last line',
      'm.csv',
      'a,b\n1,2\n3,4\n5',
      null,
      { a: '1@0 3@1', b: '2@0 4@1', problems: ['4: 1 row is not whole'] },
    ],
    [
      'that is cut in a text',
      'm.csv',
      'a,b\n1,x\n2,"y',
      null,
      { a: 1, b: 'x', problems: ['3: a quote has no end, and 1 line is not read'] },
    ],
    [
      'with a text behind its numbers',
      'm.csv',
      'a\n1\n2\noops\n',
      null,
      { a: '1@0 2@1 then NaN', problems: ["4: 1 of 3 values of 'a' are not numbers"] },
    ],
    [
      'with percents',
      'm.csv',
      'a\n95.2%\n',
      null,
      { a: '95.2%', problems: ["2: 'a': a text that looks like a number, and counts in no mean and no plot"] },
    ],
  ])('%s, it is told what is missing', (_, name, text, step, metrics) =>
    expect(read(name, text, step)).toEqual(metrics),
  )

  const cell = fc.constantFrom('', '1', '0.5', 'a', 'a b', '"', 'x"y', ',', '\n', 'é')
  testAny([
    fc.array(fc.tuple(cell, cell), { maxLength: 6 }),
    fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 7, maxLength: 7 }),
  ])('as it was written, with any ends of lines', (rows, ends) => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const text = [['step', 'note'], ...rows].map((each, at) => each.map(quoted).join(',') + ends[at]).join('')
    const typed = (value: string) =>
      value === '' || value === '\n' ? null : /^[\d.]+$/.test(value) ? Number(value) : value
    expect(parseRows('t.csv', text).rows).toEqual(
      rows.map(([step, note]) => ({ step: typed(step), note: typed(note) })),
    )
  })
})

describe('JSON and YAML are read in the shapes that programs write:', () => {
  test.each<Case>([
    [
      'numbers that JSON does not have',
      'm.json',
      '{"a": "nan", "b": "-inf", "c": "Infinity"}',
      null,
      { a: Number.NaN, b: Number.NEGATIVE_INFINITY, c: Number.POSITIVE_INFINITY },
    ],
    ['JSON Lines', 'm.json', '{"it": 19, "loss": 2.5}\n{"it": 39, "loss": 1.5}\n', 'it', { loss: '2.5@19 1.5@39' }],
    ['one line of them', 'm.json', '{"loss": 2.5}\n', null, { loss: 2.5 }],
    ['a document', 'm.jsonl', '{\n  "loss": 2.5\n}\n', null, { loss: 2.5 }],
    [
      'a list that steps count',
      'm.json',
      '{"lr": 1, "history": [{"epoch": 0, "loss": 5}, {"epoch": 1, "loss": 4}]}',
      null,
      { lr: 1, 'history.loss': '5@0 4@1' },
    ],
    [
      'a list of what has names',
      'm.json',
      '{"results": [{"n": 3, "command": "a b", "mean": 1}, {"n": 4, "command": "c", "at": {"p50": 2}, "times": [5, 6]}]}',
      null,
      {
        'results.a b.n': 3,
        'results.a b.mean': 1,
        'results.c.n': 4,
        'results.c.at.p50': 2,
        'results.c.times': '5@0 6@1',
      },
    ],
    [
      'pandas',
      'm.json',
      '{"columns": ["epoch", "loss"], "index": [0, 1], "data": [[0, 5], [1, 4]]}',
      null,
      { loss: '5@0 4@1' },
    ],
    [
      'Sacred',
      'm.json',
      '{"loss": {"steps": [0, 10], "values": [5, 4], "timestamps": ["a", "b"]}}',
      null,
      { loss: '5@0 4@10' },
    ],
    [
      'TensorBoard',
      'm.json',
      '{"run/loss": [[1795761353.2, 0, 5], [1795761354.2, 10, 4]]}',
      null,
      { 'run/loss': '5@0 4@10' },
    ],
    [
      'Flower',
      'm.json',
      '{"losses": [[0, 5], [1, 4], [2, "nan"]], "cm": {"a": 1}}',
      null,
      { losses: '5@0 4@1 NaN@2', 'cm.a': 1 },
    ],
    [
      'a list in each row',
      'm.jsonl',
      '{"step": 10, "c": [1, 2]}\n{"step": 20, "c": [3, 4]}\n',
      null,
      { 'c.0': '1@10 3@20', 'c.1': '2@10 4@20' },
    ],
    [
      'rows of two kinds',
      'm.jsonl',
      '{"step": 10, "a": 1}\n{"epoch": 1, "v": 3}\n{"step": 20, "a": 2}\n{"epoch": 2, "v": 4}\n',
      null,
      { a: '1@10 2@20', v: '3@1 4@2' },
    ],
    [
      'rows without what counts others',
      'm.jsonl',
      '{"it": 10, "a": 1}\n{"v": 3}\n{"it": 20, "a": 2}\n{"v": 4}\n',
      'it',
      { a: '1@10 2@20', v: '3@null 4@null' },
    ],
  ])('%s', (_, name, text, step, metrics) => expect(read(name, text, step)).toEqual(metrics))

  test.each<[what: string, name: string, text: string, problem: string]>([
    [
      'numbers as texts',
      'm.json',
      '{"acc": "0.5", "f": "1e-3"}',
      "'acc', 'f': a text that looks like a number, and counts in no mean and no plot",
    ],
    [
      'numbers as texts in rows',
      'm.jsonl',
      '{"step": 1, "loss": "0.5"}\n{"step": 2, "loss": "0.4"}\n',
      "1: 'loss': a text that looks like a number, and counts in no mean and no plot",
    ],
    [
      'lists that nothing counts or names',
      'm.json',
      '{"a": 1, "results": [{"of": "x", "mean": 1}, {"of": "x", "mean": 2}]}',
      "'results': a list of mappings without a column that counts them, which is left out",
    ],
    ['lists of lists', 'm.json', '{"a": 1, "cm": [[1, 2], [3, 4]]}', "'cm': a list of lists, which is left out"],
    [
      'matrices',
      'm.json',
      '{"a": [[1, 2], [2, 3]], "b": [[0, 5], [2, 4], [3, 1]]}',
      "'a', 'b': a list of lists, which is left out",
    ],
    [
      'other lists in rows',
      'm.jsonl',
      '{"a": 1, "cm": ["cat", 0]}\n{"a": 2}\n',
      "1: 'cm': a list in a row, and no list of up to 100 numbers, which is left out",
    ],
    ['names that meet', 'm.json', '{"a.b": 1, "a": {"b": 2}}', "'a.b' is there twice, and the last counts"],
    [
      'names that meet in rows',
      'm.jsonl',
      '{"a.b": 1, "a": {"b": 2}}\n{"c": 1}\n',
      "1: 'a.b': there twice in a row, of which the last counts",
    ],
    [
      'objects of Python',
      'm.yaml',
      'acc: !!python/object/apply:numpy._core.multiarray.scalar\n- !!binary |\n  zczMzMzM7D8=\nf1: 0.5\n',
      "1: 'acc' has the tag !!python/object/apply:numpy._core.multiarray.scalar, and is left out",
    ],
    [
      'levels without an end',
      'm.json',
      `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`,
      `'${Array(20).fill('a').join('.')}': nested too deep, and left out`,
    ],
  ])('%s are told', (_, name, text, problem) =>
    expect(said(parseMetricFile(name, text, null).problems)).toEqual([problem]),
  )

  test.each([
    ['words', `a\n${'x '.repeat(300_000)}\n`],
    ['quotes', `a\n${'"'.repeat(1_000_001)}\n`],
    ['marks', `${'#'.repeat(1_000_000)}\na\n1\n`],
  ])('a line of a million %s is no trouble', (_, text) => {
    expect(Object.keys(parseMetricFile('m.csv', text, null).metrics).length).toBeLessThanOrEqual(1)
  })

  test('a hundred thousand columns take no longer than their text', () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `m${at}`)
    const text = `${names.join()}\n${names.map((_, at) => at).join()}\n`
    expect(said(parseMetricFile('m.csv', text, null).problems)).toEqual(['only 1000 of its 100000 metrics are kept'])
  })
})
