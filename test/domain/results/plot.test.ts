import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MetricChoice } from '../../../src/domain/results/compare.js'
import { makePlot, type PlotData, type PlottedCell } from '../../../src/domain/results/plot/make-plot.js'
import { endsAboveZero, seriesMarks } from '../../../src/domain/results/plot/marks.js'
import { type Horizontal, type PlotWish, plotShape } from '../../../src/domain/results/plot/shape.js'
import { summarize } from '../../../src/domain/results/statistics.js'
import { cases, testAny } from '../../cases.js'

const wish: PlotWish = {
  ...{ kind: null, x: null, by: null, over: null, facet: null, varying: [], numbers: new Map(), isSeries: false },
}
const parameter = (name: string): Horizontal => ({ is: 'parameter', name })
const loss: Horizontal = { is: 'metric', name: 'loss:last' }
const step: Horizontal = { is: 'step', name: 'step' }
const grid = { varying: ['--model', '--lr', '--seed'], numbers: new Map([...[['--lr', 4] as const], ['--seed', 5]]) }
const two = { varying: ['--depth', '--lr'], numbers: new Map([...[['--lr', 4] as const], ['--depth', 3]]) }

describe('what is drawn follows from the data', () => {
  test.each<[string, Partial<PlotWish>, object]>([
    [
      'a series, with a colour for what varies but seeds',
      { ...grid, isSeries: true },
      { kind: 'series', x: null, color: ['--model', '--lr'], over: ['--seed'] },
    ],
    ['points over a number', grid, { kind: 'points', x: '--lr', color: ['--model'], over: ['--seed'] }],
    [
      'points over the number with the most values',
      { ...two, varying: ['--depth', '--lr', '--model'] },
      { kind: 'points', x: '--lr', color: ['--depth', '--model'] },
    ],
    ['a heat map of two numbers', two, { kind: 'heatmap', x: '--depth', y: '--lr', color: [] }],
    ['points of two numbers if one is to have colours', { ...two, by: ['--depth'] }, { kind: 'points', x: '--depth' }],
    ['bars of what is no number', { varying: ['--model'] }, { kind: 'bars', x: '--model', color: [] }],
    [
      'points of a series over a parameter',
      { ...grid, isSeries: true, x: parameter('--lr') },
      { kind: 'points', x: '--lr' },
    ],
    [
      'bars over a parameter that is no number',
      { ...grid, x: parameter('--model') },
      { kind: 'bars', color: ['--lr'] },
    ],
    [
      'a metric against a metric, a point for each group',
      { ...grid, x: loss },
      { kind: 'scatter', over: [], by: grid.varying },
    ],
    ['a metric against a metric, averaged', { ...grid, x: loss, over: ['--seed'] }, { by: ['--model', '--lr'] }],
    ['steps', { isSeries: true, x: step }, { kind: 'series', color: [], by: [] }],
    ['facets', { ...grid, facet: '--model' }, { facet: '--model', color: [], by: ['--lr', '--model'] }],
    ['seeds if they are asked for', { ...grid, by: ['--seed'] }, { color: [], x: '--seed', over: [] }],
    ['what --by names, averaged over the rest', { ...grid, x: parameter('--lr'), by: [] }, { by: ['--lr'] }],
    ['a kind that is asked for', { ...grid, kind: 'bars' }, { kind: 'bars', x: '--model', color: ['--lr'] }],
  ])('%s', (_, more, expected) => {
    expect(plotShape({ ...wish, ...more })).toMatchObject(expected)
  })

  test.each<[Partial<PlotWish>, string]>([
    [{}, 'bars: no parameter varies'],
    [{ varying: ['--seed'] }, 'bars: only --seed varies, and the plot averages over it unless -x or --by names it'],
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

const acc: MetricChoice = { name: 'test_acc', statistic: 'last', direction: 'max' }

function dataOf(
  cells: readonly [readonly (string | null)[], ...number[]][],
  more: Partial<PlotData<PlottedCell>> = {},
) {
  const by = ['--lr', '--model']
  return {
    shape: { kind: 'points', x: '--lr', y: null, color: ['--model'], facet: null, over: [], by },
    ...{ by, metrics: [acc], numbers: new Map([['--lr', 2]]), log: { x: false, y: false } },
    cells: cells.map(([parameters, ...values]) => ({
      ...{ parameters, groups: [], expected: values.length, missing: new Map() },
      values: [values.length > 0 ? summarize(values) : null],
    })),
    series: { counter: 'epoch', marksOf: () => [] },
    ...more,
  } as PlotData<PlottedCell>
}

describe('a plot', () => {
  test('shows the mean and the standard deviation of each cell, and names its axes by parameters and metrics', () => {
    const plot = makePlot(
      dataOf([
        [['0.1', 'b'], 1, 3],
        [['1e-2', 'a'], 5],
      ]),
    )
    expect(plot.rows).toEqual([
      { x: 0.1, y: 2, value: null, low: 2 - Math.SQRT2, high: 2 + Math.SQRT2, count: 2, color: 'b', facet: null },
      { x: 0.01, y: 5, value: null, low: null, high: null, count: 1, color: 'a', facet: null },
    ])
    expect([plot.x.title, plot.y.title, plot.color?.title]).toEqual(['lr', 'test acc (mean ± sd)', 'model'])
    expect(plot.color?.categories).toEqual(['b', 'a'])
  })

  test('leaves out what is not finite', () => {
    const plot = makePlot(
      dataOf([[['1', 'a'], Number.NaN], [['2', 'a'], Number.POSITIVE_INFINITY], [['3', 'a']], [['4', 'a'], 1]]),
    )
    expect(plot.rows.map(({ x }) => x)).toEqual([4])
  })

  test('says what is a flag and what is not there', () => {
    const shape = { ...dataOf([]).shape, kind: 'bars', x: '--model' } as const
    const plot = makePlot(
      dataOf(
        [
          [['1', ''], 1],
          [['1', null], 2],
        ],
        { shape },
      ),
    )
    expect(plot.x.categories).toEqual(['yes', '–'])
  })

  test('has numbers in their order also if some groups have none, but other texts in the order of their groups', () => {
    const shape = { ...dataOf([]).shape, kind: 'bars', color: [] } as const
    const order = (...values: (string | null)[]) => {
      const cells = values.map((value): [(string | null)[], number] => [[value, 'a'], 1])
      return makePlot(dataOf(cells, { shape, numbers: new Map() })).x.categories
    }
    expect(order(null, '10', '9', '1e-3')).toEqual(['1e-3', '9', '10', '–'])
    expect(order('10', null, '9', 'auto')).toEqual(['10', '–', '9', 'auto'])
  })

  test('has a place of its own for each value, with quotes where others would look the same', () => {
    const by = ['--p', '--q']
    const shape = { ...dataOf([]).shape, kind: 'bars', x: '--p', color: ['--p', '--q'], by } as const
    const drawn = (...cells: (string | null)[][]) => {
      const plot = makePlot(dataOf(cells.map(parameters => [parameters, 1] as const) as never, { shape, by }))
      return [plot.x.categories, plot.color!.categories]
    }
    expect(drawn(['a', 'b c'], ['b', 'b  d'])).toEqual([
      ['a', 'b'],
      ['a, b c', 'b, b  d'],
    ])
    expect(drawn(['', 'x'], ['yes', 'x'], [null, 'x'])[0]).toEqual(['✓', '"yes"', '–'])
    expect(drawn(['a b', 'x'], ['a  b', 'x'])[0]).toEqual(['"a b"', '"a␣␣b"'])
    expect(drawn(['a, b', 'c'], ['a', 'b, c'])[1]).toEqual(['"a, b", "c"', '"a", "b, c"'])
  })

  test('has a continuous range of colours for many numbers, logarithmic if they span decades', () => {
    const colors = (values: number[]) => {
      const shape = { ...dataOf([]).shape, color: ['--lr'] }
      const cells = values.map((lr): [string[], number] => [[String(lr), 'a'], 1])
      return makePlot(dataOf(cells, { shape })).color
    }
    expect(colors([3, 1, 2])?.categories).toEqual([1, 2, 3])
    expect(colors([1, 2, 3, 4, 5, 6, 7, 8, 9])).toMatchObject({ categories: null, isLog: false })
    expect(colors([1, 2, 3, 4, 5, 6, 7, 8, 1000])).toMatchObject({ categories: null, isLog: true })
  })

  test('has error bars on a logarithmic axis that end at the smallest value', () => {
    const row = { x: 0, value: null, high: 3, count: 2, color: null, facet: null }
    const rows = endsAboveZero([
      { ...row, y: 1, low: -1 },
      { ...row, y: 0.5, low: 0.25 },
    ])
    expect(rows.map(({ low }) => low)).toEqual([0.25, 0.25])
  })
})

describe('a series', () => {
  const points = (values: number[], steps?: (number | null)[]) => ({
    values,
    steps: steps ?? values.map(() => null),
    counter: null,
  })

  test('is the mean at each step, also of groups with other steps, with gaps where it is not finite', () => {
    const { marks, every } = seriesMarks([
      points([1, 2], [10, 20]),
      points([3, 4], [10, 5]),
      points([Number.NaN], [20]),
    ])
    expect(every).toBe(1)
    expect(marks.map(({ x, y, count }) => [x, y, count])).toEqual([
      [5, 4, 1],
      [10, 2, 2],
      [20, null, 2],
    ])
    expect(seriesMarks([points([7, 8])]).marks.map(({ x }) => x)).toEqual([0, 1])
  })

  test('has at each step one value of each group, the last one, and none of values without a step', () => {
    const { marks, stepless } = seriesMarks([
      points([1, 2, 4, 5], [1, 2, 2, null]),
      points([1, 9, 3, Number.NaN], [1, 2, 1, Number.NaN]),
    ])
    expect(marks.map(({ x, y, count }) => [x, y, count])).toEqual([
      [1, 2, 2],
      [2, 6.5, 2],
    ])
    expect(stepless).toBe(2)
    expect(seriesMarks([points([2, 4], [7, 7])]).marks).toMatchObject([{ x: 7, y: 4, low: null, high: null, count: 1 }])
  })

  testAny([fc.integer({ min: 1, max: 9_000 })], { numRuns: cases(50) })(
    'has at most 2,001 steps, and keeps the last one',
    length => {
      const { marks, every } = seriesMarks([points(Array.from({ length }, (_, at) => at))])
      expect(marks.length).toBeLessThanOrEqual(2_001)
      expect(marks.at(-1)!.x).toBe(length - 1)
      expect(marks[1]?.x ?? every).toBe(length === 1 ? 1 : Math.min(every, length - 1))
    },
  )
})
