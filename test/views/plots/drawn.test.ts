import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { logger, None, parse, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import { describe, expect, test } from 'vitest'
import { placeTexts } from '../../../src/domain/results/plot/place-texts.js'
import type { Plot, PlotRow, PlotValue } from '../../../src/domain/results/plot/plot.js'
import { draw } from '../../../src/views/plots/engine.js'
import { figureFormat } from '../../../src/views/plots/figure.js'
import { commandIn } from '../../../src/views/plots/record.js'
import { facetColumns, specificationOf } from '../../../src/views/plots/specification.js'
import { plotText } from '../../../src/views/plots/texts.js'
import { cases, someOf } from '../../cases.js'

const scale = (title: string, categories: PlotValue[] | null = null, isLog = false) => ({ title, categories, isLog })
const row = (more: Partial<PlotRow>): PlotRow => ({
  ...{ x: 0, y: 0, value: null, low: null, high: null, count: 2, color: null, facet: null, ...more },
})
const names = (count: number) => Array.from({ length: count }, (_, at) => `category ${at}`)
const colored = (count: number, rows: readonly PlotRow[]) => ({
  color: count === 1 ? null : scale('model', names(count)),
  rows: count === 1 ? [...rows] : names(count).flatMap(color => rows.map(each => ({ ...each, color }))),
})

const line = [1, 2, 3].map(x => row({ x, y: x / 4, low: x / 4 - 0.1, high: x / 4 + 0.1 }))
const places = names(3).map((x, at) => row({ x, y: at, low: at - 0.1, high: at + 0.1 }))
const plain = { x: scale('lr'), y: scale('acc (mean ± sd)'), color: null, facet: null }
const categories = { x: scale('data', names(3)), rows: places }
const kinds = {
  series: { kind: 'series', rows: [...line, row({ x: 4, y: null })] },
  points: { kind: 'points', rows: line },
  'points, logarithmic': { kind: 'points', x: scale('lr', null, true), rows: line },
  'points on categories': { kind: 'points', ...categories },
  scatter: { kind: 'scatter', rows: line },
  bars: { kind: 'bars', ...categories },
} as const
const plots: Record<string, Plot> = {
  ...Object.fromEntries(
    [1, 3, 12].flatMap(count =>
      Object.entries(kinds).map(([name, plot]): [string, Plot] => {
        return [`${name}, ${count} colours`, { ...plain, ...plot, ...colored(count, plot.rows) }]
      }),
    ),
  ),
  'a range of colours': {
    ...{ ...plain, kind: 'series', color: scale('depth', null, true) },
    rows: line.flatMap(each => [1, 10].map(color => ({ ...each, color }))),
  },
  'many steps': {
    ...{ ...plain, kind: 'series', color: scale('model', names(2)) },
    rows: names(2).flatMap((color, place) =>
      Array.from({ length: 1_100 }, (_, x) => {
        const y = x === 5 ? null : 10 ** place * Math.sin(x / 100)
        return row({ x, y, low: y, high: y && y + 1, color })
      }),
    ),
  },
  'steps without neighbours': {
    ...{ ...plain, kind: 'series', color: scale('model', names(2)), facet: scale('set', names(2)) },
    rows: names(2).flatMap(facet => [
      ...line.map(each => ({ ...each, facet, color: 'category 0' })),
      row({ x: 1, facet, color: 'category 1' }),
      row({ x: 2, y: null, facet, color: 'category 1' }),
    ]),
  },
  'names that every object has': {
    ...{ kind: 'points', x: scale('toString', ['valueOf', 'b']), y: scale('constructor') },
    ...{ color: scale('hasOwnProperty', ['isPrototypeOf']), facet: scale('valueOf', ['constructor', 'toString']) },
    rows: ['constructor', 'toString'].flatMap(facet =>
      ['valueOf', 'b'].map((x, y) => row({ x, y, facet, color: 'isPrototypeOf' })),
    ),
  },
  'a heat map': {
    ...{ ...plain, kind: 'heatmap', x: scale('a', [1, 2]), y: scale('b', ['x', 'y']), color: scale('acc') },
    rows: [1, 2].flatMap(x => ['x', 'y'].map((y, at) => row({ x, y, value: x + at }))),
  },
  facets: {
    ...{ ...plain, kind: 'points', facet: scale('set', names(12)) },
    rows: names(12).flatMap(facet => line.map(each => ({ ...each, facet }))),
  },
}

const drawn = (plot: Plot, width: number) => draw(specificationOf(plot, width), width, facetColumns(plot.facet, width))

describe.each(Object.entries(plots))('%s', (_, plot) => {
  test.each(someOf([321, 673]))('is drawn %i pixels wide, as Vega draws its specification at once', async width => {
    const { svg, specification } = await drawn(plot, width)
    const [, actual] = /<svg[^>]* width="(\d+)"/.exec(svg)!
    expect(Math.abs(Number(actual) - width)).toBeLessThanOrEqual(15)
    const { spec } = compile(specification as unknown as TopLevelSpec, { logger: logger(None) })
    const atOnce = await new View(parse(spec), { renderer: 'none' }).toSVG()
    expect(numbered(svg)).toBe(numbered(atOnce.replace(hidden, '')))
  })

  test('has nothing that is to be invisible or pale as a whole, since some programs show it all the same', async () => {
    const { svg } = await drawn(plot, 321)
    expect(svg).not.toMatch(/ opacity="0(\.\d+)?"/)
    const hasBand = plot.kind === 'series' && plot.rows.some(({ low }) => low !== null)
    expect(/<path [^>]*\bfill-opacity="0\.18"/.test(svg)).toBe(hasBand)
  })
})

const hidden = /<text [^>]*\bopacity="0"[^>]*>[^<]*<\/text>/g

/** Vega counts the names in all pictures of a process. */
function numbered(svg: string): string {
  const names = [...new Set(svg.match(/\b(?:clip|gradient_)\d+/g))]
  return names.reduce((text, name, at) => text.replace(new RegExp(`${name}\\b`, 'g'), `name-${at}`), svg)
}

const hostile = [
  ...['</metadata><script>alert(1)</script>', '"><img src=x onerror=alert(1)>'],
  ...['&amp; ]]> --> \u0000\u001b[31m\ud800\uffff', '{{signal}} datum["x"]', 'a\\', '\\" + alert(1) + "'],
  ...['ü 漢字 \u202e🙂', 'a'.repeat(5_000)],
]

describe('hostile names', () => {
  const [x, facet, color] = hostile.map(title => scale(title, hostile))
  const rows = hostile.flatMap(x => hostile.map(color => row({ x, y: 1, color, facet: x })))
  const command = ['it', ...hostile]
  /** A plot of them as a file of that name, which may hold something else than the plot in SVG. */
  const figure = async (name: string, content?: string) => {
    const plot: Plot = { kind: 'bars', x: x!, y: plain.y, color: color!, facet: facet!, rows }
    const { svg, specification } = await drawn(plot, 400)
    const recorded = { ...specification, usermeta: { qanat: { command, version: '0', runs: [] } } }
    const bytes = content === undefined ? Buffer.from(svg) : Buffer.from(content, 'latin1')
    return Buffer.from(figureFormat(name).finish(bytes, recorded)).toString('utf8')
  }

  test('are text in SVG that every parser reads', async () => {
    const svg = await figure('a.svg')
    const read =
      'import sys, xml.etree.ElementTree as e; print(sorted({x.tag for x in e.fromstring(sys.stdin.buffer.read()).iter()}))'
    const tags = execFileSync('python3', ['-c', read], { input: svg, encoding: 'utf8' })
    expect(tags.match(/(?<=\})\w+/g)).toEqual(['g', 'line', 'metadata', 'path', 'rect', 'svg', 'text'])
    expect(commandIn(svg, 'a.svg')).toEqual(command)
  })

  test('are text in HTML, whose policy allows no script and no request', async () => {
    const page = await figure('a.html')
    expect(page).toContain(`content="default-src 'none'; style-src 'sha256-`)
    expect(page).not.toMatch(/<(script|img|a|link|iframe)\b/)
    expect(commandIn(page, 'a.html')).toEqual(command)
  })

  test.each([
    ['a.pdf', '%PDF-1.5\n\xff\xfe startxref\n9\n%%EOF\n'],
    ['a.png', `\x89PNG${'\xff'.repeat(50)}`],
    ['a.vl.json', ''],
  ])('come back from %s', async (name, content) => {
    expect(commandIn(await figure(name, content), name)).toEqual(command)
  })
})

test('different values of parameters have texts that a plot shows differently, the same values the same one', () => {
  const odd = ['', 'yes', ', ', '\\x1b', 'constructor', ...'✓–a"\' \t\u00a0␣\u001b\\\ud800\ufffd']
  const text = fc.array(fc.constantFrom(...odd), { maxLength: 4 }).map(parts => parts.join(''))
  const value = fc.oneof(text, fc.integer({ min: 0, max: 2 }), fc.constant(null))
  const places = fc.integer({ min: 1, max: 3 }).chain(length => {
    return fc.array(fc.array(value, { minLength: length, maxLength: length }), { maxLength: 6 })
  })
  fc.assert(
    fc.property(places, all => {
      const texts = placeTexts(all).map(plotText)
      for (const [at, one] of all.entries()) {
        for (const [other, text] of texts.entries()) {
          const isSame = JSON.stringify(one) === JSON.stringify(all[other])
          if ((texts[at] === text) !== isSame) throw new Error(`${JSON.stringify(all)} → ${JSON.stringify(texts)}`)
        }
      }
    }),
    { numRuns: cases(2_000) },
  )
})

test('labels that have to be cut are still different, on axes, in legends and above facets', async () => {
  const sets: [string, ...string[]][] = [
    ['points as run 1, –, –, –', 'points as run 7, –, –, –'],
    ['–, –, –, points as run 1', '–, –, –, points as run 7'],
    ['data/imagenet-small-subset-a/train/points-of-all.csv', 'data/imagenet-small-subset-b/train/points-of-all.csv'],
    ['a short one', 'a/long/name/of/a/model/that/is/cut/1', 'b/long/name/of/a/model/that/is/cut/2'],
    ['a'.repeat(90), `${'a'.repeat(45)}b${'a'.repeat(44)}`, `${'a'.repeat(44)}b${'a'.repeat(45)}`],
  ]
  for (const width of someOf([321, 453])) {
    for (const labels of sets) {
      const cut = (text: string) => (text.includes('…') || labels.includes(text) ? [text] : [])
      const different = async (plot: Partial<Plot>, rows: PlotRow[]) => {
        const { svg } = await drawn({ ...plain, kind: 'points', rows, ...plot }, width)
        return new Set([...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].flatMap(([, text]) => cut(text!))).size
      }
      const rows = labels.flatMap(color => line.map(each => ({ ...each, color })))
      const facets = rows.map(({ color, ...each }) => ({ ...each, color: null, facet: color }))
      const bars = labels.map((x, y) => row({ x, y }))
      expect(await different({ color: scale('data', labels) }, rows)).toBe(labels.length)
      expect(await different({ facet: scale('data', labels) }, facets)).toBe(labels.length)
      expect(await different({ kind: 'bars', x: scale('data', labels) }, bars)).toBe(labels.length)
    }
  }
})

const textsIn = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)

test('a legend shows whole labels and names, below the plot if they need its width, and all of them', async () => {
  const labels = Array.from({ length: 36 }, (_, at) => `svm, 1e-5, 2a7bffc, /usr/bin/python3.11, ${at}`)
  const names = ['model', 'reg', 'commit', 'executable', 'environment', 'fraction of the data', 'number of epochs']
  const rows = labels.flatMap(color => line.map(each => ({ ...each, color })))
  const { svg } = await drawn({ ...plain, kind: 'series', color: scale(names.join(', '), labels), rows }, 453)
  expect(textsIn(svg)).toEqual(expect.arrayContaining(labels))
  const title = [...svg.matchAll(/<tspan[^>]*>([^<]*)/g)].map(([, text]) => text).join(' ')
  expect(`${title} ${textsIn(svg).join(' ')}`).toContain(names.join(', '))
  const narrow = await drawn({ ...plain, kind: 'series', color: scale('model', ['a', 'b']), rows }, 453)
  expect(narrow.svg).not.toContain('tspan')
})

test('every category has its label where facets are narrow, and one number is its own tick', async () => {
  const labels = ['small', 'medium', 'large', 'extra large']
  const rows = ['0', '1', '2'].flatMap(facet => labels.map(x => row({ x, y: 29_100.5, facet })))
  const facets = { facet: scale('f', ['0', '1', '2']), x: scale('model', labels), rows }
  const { svg } = await drawn({ ...plain, kind: 'points', ...facets }, 453)
  for (const label of labels) expect(textsIn(svg).filter(text => text === label)).toHaveLength(3)
  expect(textsIn(svg).filter(text => text!.startsWith('29'))).toEqual(['29100.5'])
})

test('error bars of colours stand beside each other on an axis of numbers, if there is space', async () => {
  const placesOf = async (count: number, rows = line) => {
    const { svg } = await drawn({ ...plain, kind: 'points', ...colored(count, rows) }, 453)
    const bars = /mark-rule role-mark[^>]*>((?:<line [^>]*>)*)/.exec(svg)![1]!
    return new Set([...bars.matchAll(/translate\(([\d.]+),/g)].map(([, x]) => x)).size
  }
  expect(await placesOf(3)).toBe(9)
  expect(await placesOf(1)).toBe(3)
  expect(await placesOf(20)).toBe(3)
  expect(
    await placesOf(
      3,
      Array.from({ length: 90 }, (_, x) => row({ x, y: 0, low: -1, high: 1 })),
    ),
  ).toBe(90)
})

test('a logarithmic axis has a place for 0, and numbers as they were typed', async () => {
  const texts = new Map([[1e-5, '1e-5']])
  const x = { ...scale('reg', null, true), linearTo: 1e-5, texts }
  const { svg } = await drawn({ ...plain, kind: 'points', x, rows: [0, 1e-5, 1e-3].map(x => row({ x, y: x })) }, 453)
  expect(textsIn(svg)).toEqual(expect.arrayContaining(['0', '1e-5', '0.001']))
})

test('bars on their side have a label at each tick', async () => {
  const rows = names(30).flatMap(x => names(3).map(facet => row({ x, y: 0.97, facet })))
  const plot = { ...plain, kind: 'bars' as const, x: scale('data', names(30)), facet: scale('set', names(3)), rows }
  const { svg } = await drawn(plot, 640)
  expect(textsIn(svg).filter(text => /^\d\.\d$/.test(text!))).toEqual(Array(3).fill(['0.0', '0.5', '1.0']).flat())
})

const others = ['', '{}', '{"usermeta":{"qanat":{"command":[1]}}}', 'qanat-plot:{\n', '<svg/>']
test.each(others)('%j holds no plot', text => {
  expect(() => commandIn(text, 'it.svg')).toThrow('it.svg holds no plot of Qanat')
})

test('a step without a neighbour is a point, since a line does not show it', async () => {
  const points = async (rows: PlotRow[]) => {
    const { svg } = await drawn({ ...plain, kind: 'series', rows }, 400)
    return /class="mark-symbol role-mark [^>]*>(<path [^>]*>)*/.exec(svg)?.[0].match(/<path/g)?.length ?? 0
  }
  expect(await points(line)).toBe(0)
  expect(await points([row({ x: 1 })])).toBe(1)
  expect(await points([row({ x: 1 }), row({ x: 2, y: null }), row({ x: 3 }), row({ x: 4 })])).toBe(1)
})

test('an error bar shows within a bar of its own colour: it has a halo, which lies below it', async () => {
  const { svg } = await drawn({ ...plain, kind: 'bars', ...categories }, 400)
  const bars = [...svg.matchAll(/<line [^>]*\bstroke="(white|#222)"(?: stroke-width="(\d)")?/g)]
  expect(bars.map(([, colour, width]) => `${colour} ${width ?? 1}`)).toEqual([
    ...Array(3).fill('white 3'),
    ...Array(3).fill('#222 1'),
  ])
})
