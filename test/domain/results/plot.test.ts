import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePlot, type PlotData, type PlottedCell } from '../../../src/domain/results/plot/make-plot.js'
import { endsAboveZero, seriesMarks } from '../../../src/domain/results/plot/marks.js'
import { type Horizontal, type PlotWish, plotShape } from '../../../src/domain/results/plot/shape.js'
import { summarize } from '../../../src/domain/results/statistics.js'
import { cases, testAny } from '../../cases.js'

const wish: PlotWish = {
  ...{ kind: null, x: null, by: null, over: null, facet: null, varying: [], numbers: new Map(), isSeries: false },
  isCrowded: () => false,
}
const parameter = (name: string): Horizontal => ({ is: 'parameter', name })
const loss: Horizontal = { is: 'metric', name: 'loss:last' }
const step: Horizontal = { is: 'step', name: 'step' }
const numbers = new Map(Object.entries({ '--lr': 4, '--seed': 5, '--depth': 3 }))
const grid = { varying: ['--model', '--lr', '--seed'], numbers }
const two = { varying: ['--depth', '--lr'], numbers }
const three = { varying: ['--depth', '--lr', '--model'], numbers }

describe('what is drawn follows from the data', () => {
  // What is asked for, and in the plot: its kind, its x (y of a heat map), its colours, and what else is to be seen.
  test.each<[string, Partial<PlotWish>, string, string | null, string[], object?]>([
    ['a series', { ...grid, isSeries: true }, 'series', null, ['--model', '--lr'], { over: ['--seed'] }],
    ['points over a number', grid, 'points', '--lr', ['--model'], { over: ['--seed'] }],
    ['points over the number with the most values', three, 'points', '--lr', ['--depth', '--model']],
    ['a heat map of two numbers', two, 'heatmap', '--depth', [], { y: '--lr' }],
    ['points of two numbers if one is to have colours', { ...two, by: ['--depth'] }, 'points', '--depth', []],
    ['bars of what is no number', { varying: ['--model'] }, 'bars', '--model', []],
    ['points over a parameter', { ...grid, isSeries: true, x: parameter('--lr') }, 'points', '--lr', ['--model']],
    ['bars over a parameter that is no number', { ...grid, x: parameter('--model') }, 'bars', '--model', ['--lr']],
    ['a metric against a metric', { ...grid, x: loss }, 'scatter', null, [], { over: [], by: grid.varying }],
    ['such averages', { ...grid, x: loss, over: ['--seed'] }, 'scatter', null, [], { by: ['--model', '--lr'] }],
    ['steps', { isSeries: true, x: step }, 'series', null, [], { by: [] }],
    ['facets', { ...grid, facet: '--model' }, 'points', '--lr', [], { facet: '--model', by: ['--lr', '--model'] }],
    ['seeds if they are asked for', { ...grid, by: ['--seed'] }, 'points', '--seed', [], { over: [] }],
    ['what --by names', { ...grid, x: parameter('--lr'), by: [] }, 'points', '--lr', [], { by: ['--lr'] }],
    ['seeds if nothing else differs', { varying: ['--seed'], numbers }, 'points', '--seed', [], { over: [] }],
    ['a kind that is asked for', { ...grid, kind: 'bars' }, 'bars', '--model', ['--lr']],
  ])('%s', (_, more, kind, x, color, others) => {
    expect(plotShape({ ...wish, ...more })).toMatchObject({ kind, x, color, ...others })
  })

  test.each<[Partial<PlotWish>, string]>([
    [{}, 'bars: no parameter varies'],
    [
      { varying: ['--seed'], over: ['--seed'] },
      'bars: only --seed varies, and the plot averages over it unless -x or --by names it',
    ],
    [
      { varying: ['--seed'], isCrowded: (_, most) => most < 1_001 },
      'bars: only --seed varies, and the plot averages over it unless -x or --by names it',
    ],
    [{ kind: 'scatter' }, 'scatter: -x must be a metric, too'],
    [{ kind: 'bars', x: loss }, 'bars: -x loss:last is a metric, and this kind needs a parameter'],
    [{ kind: 'series' }, 'series: no group has more than one value of the metric'],
    [{ kind: 'series', isSeries: true, x: parameter('--lr') }, 'series: it has steps on its horizontal axis, not --lr'],
    [{ kind: 'points', x: step }, 'points: -x step is for a series'],
    [{ ...grid, kind: 'heatmap', by: ['--lr'] }, 'heatmap: it needs two parameters, as in -x --lr --by --depth'],
  ])('%o is refused', (more, reason) => {
    expect(plotShape({ ...wish, ...more })).toBe(reason)
  })
})

/** The parameters of a cell, and the values of its groups. */
type Cell = readonly [readonly (string | null)[], ...number[]]
type Shape = PlotData<PlottedCell>['shape']

/** A plot of points over --lr in the colours of --model, or of this shape. */
function plotOf(shape: Partial<Shape>, ...cells: readonly Cell[]) {
  return plotWith({ x: false, y: false }, shape, ...cells)
}

/** @param log null if nobody says which axes are logarithmic */
function plotWith(log: PlotData<PlottedCell>['log'], shape: Partial<Shape>, ...cells: readonly Cell[]) {
  const by = shape.by ?? ['--lr', '--model']
  return makePlot({
    shape: { kind: 'points', x: '--lr', y: null, color: ['--model'], facet: null, over: [], by, ...shape },
    ...{ by, metrics: [{ name: 'test_acc', statistic: 'last', direction: 'max' }], log },
    numbers: new Map(shape.kind === 'bars' ? [] : [['--lr', cells.length]]),
    cells: cells.map(([parameters, ...values]) => ({
      ...{ parameters, groups: [], expected: values.length, finished: values.length, missing: new Map() },
      values: [values.length > 0 ? summarize(values) : null],
    })),
    series: { counter: 'epoch', marksOf: () => [] },
  } as PlotData<PlottedCell>)
}

/** The places on the horizontal axis of bars, and their colours, for cells with these parameters. */
function drawn(shape: Partial<Shape>, ...cells: readonly (readonly (string | null)[])[]) {
  const { x, color } = plotOf({ kind: 'bars', ...shape }, ...cells.map((parameters): Cell => [parameters, 1]))
  return { places: x.categories, colors: color?.categories }
}

describe('if nobody says what has colours', () => {
  const lists: Record<string, number> = {
    '--model': 4,
    '--reg': 4,
    '--fraction': 3,
    '--poly': 2,
    commit: 2,
    '--file': 150,
  }
  const isCrowded = (names: readonly string[], most: number) =>
    names.reduce((product, name) => product * (lists[name] ?? 1), 1) > most
  const shapeWith = (varying: string[], more: Partial<PlotWish> = {}) =>
    plotShape({ ...wish, varying, isCrowded, numbers: new Map([['--reg', 4]]), ...more })

  test('as many parameters have them as a legend can show, those first that are no origin', () => {
    const varying = ['commit', '--model', '--reg', '--fraction', '--poly', '--seed']
    expect(shapeWith(varying)).toMatchObject({
      ...{ kind: 'points', x: '--reg', color: ['--model', '--poly'], over: ['--seed', 'commit', '--fraction'] },
    })
    expect(shapeWith(varying, { isSeries: true })).toMatchObject({ kind: 'series', color: ['--model', '--poly'] })
    expect(shapeWith(['commit', '--model', '--reg'])).toMatchObject({ color: ['commit', '--model'], over: [] })
  })

  test('bars stand at the first parameter for whose values there are places', () => {
    expect(shapeWith(['--file', '--model'], { numbers: new Map() })).toMatchObject({ kind: 'bars', x: '--model' })
  })

  test('what somebody asks for is not changed', () => {
    expect(shapeWith(['--model', '--fraction', '--poly', '--reg', 'commit'], { over: ['--seed'] })).toMatchObject({
      color: ['--model', '--fraction', '--poly', 'commit'],
    })
  })
})

describe('a plot', () => {
  test('shows the mean and the standard deviation of each cell, and names its axes by parameters and metrics', () => {
    const plot = plotOf({}, [['0.1', 'b'], 1, 3], [['1e-2', 'a'], 5])
    expect(plot.rows).toEqual([
      { x: 0.1, y: 2, value: null, low: 2 - Math.SQRT2, high: 2 + Math.SQRT2, count: 2, color: 'b', facet: null },
      { x: 0.01, y: 5, value: null, low: null, high: null, count: 1, color: 'a', facet: null },
    ])
    expect([plot.x.title, plot.y.title, plot.color?.title]).toEqual(['lr', 'test acc (mean ± sd)', 'model'])
    expect(plot.color?.categories).toEqual(['b', 'a'])
  })

  test('leaves out what is not finite', () => {
    const { rows } = plotOf({}, [['1', 'a'], Number.NaN], [['2', 'a'], Infinity], [['3', 'a']], [['4', 'a'], 1])
    expect(rows.map(({ x }) => x)).toEqual([4])
  })

  test('says what is a flag and what is not there', () => {
    expect(drawn({ x: '--model' }, ['1', ''], ['1', null]).places).toEqual(['yes', '–'])
  })

  test('has numbers in their order also if some groups have none, but other texts in the order of their groups', () => {
    const order = (...values: (string | null)[]) => drawn({ color: [] }, ...values.map(value => [value, 'a'])).places
    expect(order(null, '10', '9', '1e-3')).toEqual(['1e-3', '9', '10', '–'])
    expect(order('10', null, '9', 'auto')).toEqual(['10', '–', '9', 'auto'])
  })

  test('has categories as they were typed, and numbers on an axis of numbers', () => {
    const cells: Cell[] = [
      [['1e-5', 'a'], 1],
      [['0.10', 'a'], 2],
    ]
    expect(plotOf({ x: '--lr', color: ['--lr'] }, ...cells).rows.map(({ x, color }) => [x, color])).toEqual([
      [0.00001, '1e-5'],
      [0.1, '0.10'],
    ])
    expect(drawn({}, ['1e-5', 'a'], ['0.10', 'a']).places).toEqual(['1e-5', '0.10'])
  })

  test('has a place of its own for each value, with quotes where others would look the same', () => {
    const shape = { x: '--p', color: ['--p', '--q'], by: ['--p', '--q'] }
    const plain = { places: ['a', 'b'], colors: ['a, b c', 'b, b  d'] }
    expect(drawn(shape, ['a', 'b c'], ['b', 'b  d'])).toEqual(plain)
    expect(drawn(shape, ['', 'x'], ['yes', 'x'], [null, 'x']).places).toEqual(['✓', '"yes"', '–'])
    expect(drawn(shape, ['a b', 'x'], ['a  b', 'x']).places).toEqual(['"a b"', '"a␣␣b"'])
    expect(drawn(shape, ['a, b', 'c'], ['a', 'b, c']).colors).toEqual(['"a, b", "c"', '"a", "b, c"'])
  })

  test('has a continuous range of colours for many numbers, logarithmic if they span decades', () => {
    const colors = (...values: number[]) =>
      plotOf({ color: ['--lr'] }, ...values.map((lr): Cell => [[String(lr), 'a'], 1])).color
    expect(colors(3, 1, 2)?.categories).toEqual(['1', '2', '3'])
    expect(colors(1, 2, 3, 4, 5, 6, 7, 8, 9)).toMatchObject({ categories: null, isLog: false })
    expect(colors(1, 2, 3, 4, 5, 6, 7, 8, 1000)).toMatchObject({ categories: null, isLog: true })
  })

  test('has a place for 0 on a logarithmic axis, which is linear up to the smallest value above it', () => {
    const cellsOf = (values: string[]) => values.map((lr): Cell => [[lr, 'a'], 1])
    const usual = (...values: string[]) => plotWith(null, { color: [] }, ...cellsOf(values)).x
    expect(usual('0', '1e-5', '1e-3')).toMatchObject({ isLog: true, linearTo: 1e-5 })
    expect(usual('1e-5', '1e-3')).toEqual({
      title: 'lr',
      categories: null,
      isLog: true,
      texts: new Map([
        [1e-5, '1e-5'],
        [1e-3, '1e-3'],
      ]),
    })
    expect(usual('0', '1e-5', '1e-4')).toMatchObject({ isLog: false })
    expect(usual('-1', '1e-5', '1e-3')).toMatchObject({ isLog: false })
  })

  test('has error bars on a logarithmic axis that end at the smallest value', () => {
    const row = { x: 0, value: null, high: 3, count: 2, color: null, facet: null }
    const rows = endsAboveZero([1, 0.5].map(y => ({ ...row, y, low: y === 1 ? -1 : 0.25 })))
    expect(rows.map(({ low }) => low)).toEqual([0.25, 0.25])
  })
})

describe('a series', () => {
  const points = (values: number[], steps: (number | null)[] = values.map(() => null)) => ({
    values,
    steps,
    counter: null,
    rows: null,
  })
  const marksOf = (...series: ReturnType<typeof points>[]) =>
    seriesMarks(series).marks.map(({ x, y, count }) => `${x}: ${y} of ${count}`)

  test('is the mean at the steps of all groups, with gaps where it is not finite', () => {
    expect(marksOf(points([1, 2], [10, 20]), points([3, Number.NaN], [10, 20]))).toEqual([
      '10: 2 of 2',
      '20: null of 2',
    ])
  })

  test('is broken where a group has ended or begins, and its mean is one of other groups', () => {
    const early = seriesMarks([points([1, 2, 3], [1, 2, 3]), points([5, 6], [1, 2]), points([9], [2])])
    expect(early.marks.map(({ x, y, part, line, count }) => [x, y, part, line, count])).toEqual([
      [1, 3, 1, undefined, 2],
      [2, 17 / 3, 2, undefined, 3],
      [3, 3, 3, undefined, 1],
    ])
    expect(early.partial).toBe(0)
    expect(early.fewer).toEqual({ steps: 2, least: 1 })
    const whole = seriesMarks([points([1, 2], [1, 2]), points([5, 6], [1, 2])])
    expect(whole.marks.map(({ part }) => part)).toEqual([undefined, undefined])
  })

  test('has the steps of all groups if some lack steps in between', () => {
    const { marks, partial } = seriesMarks([points([1, 2, 3, 4], [1, 2, 3, 4]), points([5, 6, 7], [1, 3, 4])])
    expect(marks.map(({ x, part, count }) => [x, part, count])).toEqual([
      [1, undefined, 2],
      [3, undefined, 2],
      [4, undefined, 2],
    ])
    expect(partial).toBe(1)
  })

  test('is a line of each group if they share few steps: what joins their values is no mean', () => {
    const seeds = [0, 3, 6].map(first => points([first, first + 100], [first, first + 10]))
    const { marks, partial } = seriesMarks(seeds)
    expect(marks.map(({ x, y, line, count }) => [x, y, line, count])).toEqual([
      ...[
        [0, 0, 1, 1],
        [10, 100, 1, 1],
        [3, 3, 2, 1],
        [13, 103, 2, 1],
        [6, 6, 3, 1],
        [16, 106, 3, 1],
      ],
    ])
    expect(partial).toBe(0)
  })

  test('takes steps for one that differ by rounding', () => {
    expect(marksOf(points([1, 5], [0.1 + 0.2, 1]), points([3, 7], [0.3, 1]))).toEqual(['0.3: 2 of 2', '1: 6 of 2'])
    const exact = Array.from({ length: 1000 }, (_, at) => at / 10)
    const sums = [0]
    while (sums.length < 1000) sums.push(sums.at(-1)! + 0.1)
    const single = exact.map(Math.fround)
    for (const steps of [sums, single]) {
      const { marks, partial, fewer } = seriesMarks([points(exact, exact), points(exact, steps)])
      expect([marks.length, partial, fewer.steps, marks.every(({ count }) => count === 2)]).toEqual([1000, 0, 0, true])
    }
    // Seconds since 1970 differ in their last digits.
    const seconds = [1.7e9 + 0.25, 1.7e9 + 0.5]
    expect(marksOf(points([1, 2], seconds), points([3, 4], seconds))).toHaveLength(2)
  })

  test('has no place for values without steps, and never counts them itself', () => {
    expect(seriesMarks([points([7, 8]), points([])])).toMatchObject({ marks: [], every: 1, stepless: 2, partial: 0 })
  })

  test('has at each step one value of each group, the last one, and none of values without a step', () => {
    const series = [points([1, 2, 4, 5], [1, 2, 2, null]), points([1, 9, 3, Number.NaN], [1, 2, 1, Number.NaN])]
    expect(marksOf(...series)).toEqual(['1: 2 of 2', '2: 6.5 of 2'])
    expect(seriesMarks(series).stepless).toBe(2)
    expect(seriesMarks([points([2, 4], [7, 7])]).marks).toMatchObject([{ x: 7, y: 4, low: null, high: null, count: 1 }])
  })

  const length = fc.integer({ min: 1, max: 9_000 })
  testAny([length], { numRuns: cases(50) })('has at most 2,001 steps, and keeps the last one', length => {
    const steps = Array.from({ length }, (_, at) => at)
    const { marks, every } = seriesMarks([points(steps, steps)])
    expect(marks.length).toBeLessThanOrEqual(2_001)
    expect(marks.at(-1)!.x).toBe(length - 1)
    expect(marks[1]?.x ?? every).toBe(length === 1 ? 1 : Math.min(every, length - 1))
  })
})
