import stringWidth from 'string-width'
import { parse, textMetrics, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { Json } from './json.js'
import type { Specification } from './specification.js'

// This file and its libraries, a third of the program, are a bundle of their own, which is loaded only to draw.

declare module 'vega' {
  /** Its types leave out what Vega exports for programs that measure text themselves. */
  const textMetrics: { width: (item: { fontSize?: number; limit?: number }, text: unknown) => number }
}

/** Without a browser, Vega guesses how wide text is. Letters are at most so wide, in parts of the size of the font. */
const letterWidth = 0.66
textMetrics.width = ({ fontSize = 11, limit = 0 }, text) => {
  const width = stringWidth(String(text ?? '')) * letterWidth * fontSize
  // Longer text is cut.
  return limit > 0 ? Math.min(width, limit) : width
}

/** Less wide than this, a plot cannot be read. */
const narrowest = 40

export interface Drawn {
  readonly svg: string
  readonly specification: Json
}

/**
 * Draws a specification so that its whole width is as wanted, if it can be that narrow.
 * @param width of the whole, in pixels
 * @param columns how many plots are side by side
 */
export async function draw(specification: Specification, width: number, columns: number): Promise<Drawn> {
  // What stands around the data is as wide in the second attempt as it is in the first one.
  const guess = (width * 0.7) / columns
  const attempt = specification(guess)
  const values = valuesIn(attempt)
  const view = viewOf({ ...attempt, data: { name: dataName, values: outermost(values) } })
  try {
    const around = widthOf(await svgIn(view)) - guess * columns
    const whole = specification(Math.max(narrowest, Math.floor((width - around) / columns)))
    if (frameOf(whole) !== frameOf(attempt)) return { svg: await svgOf(whole), specification: whole }
    // Another size alone is drawn in half the time.
    if (typeof whole.width === 'number') view.width(whole.width)
    if (typeof whole.height === 'number') view.height(whole.height)
    view.data(dataName, values)
    return { svg: await svgIn(view), specification: whole }
  } finally {
    view.finalize()
  }
}

const dataName = 'rows'

type Values = readonly Readonly<Record<string, unknown>>[]

function valuesIn({ data }: Json): Values {
  return (data as { readonly values: Values }).values
}

/** So many rows are drawn in no time. */
const fewRows = 2_000
const ofLine = ['facet', 'color', 'line', 'part']
const places = ['x', 'y', 'low', 'high']

/**
 * Of many rows of lines those on which it depends what is around the data, in their order: the first ones of each line, and those
 * with the smallest and the largest numbers.
 */
function outermost(values: Values): Values {
  if (values.length <= fewRows || typeof values[0]!.x !== 'number') return values
  const ends = new Set(places.flatMap(name => endsOf(values, name)))
  return values.filter(
    (row, at) => ends.has(row) || ofLine.some(name => row[name] !== values[at - 1]?.[name]) || at === 0,
  )
}

/** The rows with the smallest and the largest number of a field. */
function endsOf(values: Values, name: string): Values {
  let [low, high] = [values[0]!, values[0]!]
  for (const row of values) {
    const value = row[name]
    if (typeof value !== 'number') continue
    if (!(value >= Number(low[name] ?? Number.NaN))) low = row
    if (!(value <= Number(high[name] ?? Number.NaN))) high = row
  }
  return [low, high]
}

/** All but the data, which are the same for all widths, and the size in pixels. */
function frameOf({ data, width, height, ...others }: Json): string {
  return JSON.stringify(typeof height === 'number' ? others : { height, ...others })
}

async function svgOf(specification: Json): Promise<string> {
  const view = viewOf(specification)
  try {
    return await svgIn(view)
  } finally {
    view.finalize()
  }
}

/** Without the labels that Vega hides since they would overlap: some programs show them. */
async function svgIn(view: View): Promise<string> {
  return (await view.toSVG()).replace(/<text [^>]*\bopacity="0"[^>]*>[^<]*<\/text>/g, '')
}

function viewOf(specification: Json): View {
  const silent = { level: () => silent, error: complain, warn: () => silent, info: () => silent, debug: () => silent }
  const { spec } = compile(specification as unknown as TopLevelSpec, { logger: silent as never })
  return new View(parse(spec), { renderer: 'none', logger: silent as never })
}

function complain(...words: unknown[]): never {
  throw new Error(words.join(' '))
}

function widthOf(svg: string): number {
  return Number(/<svg[^>]* width="([\d.]+)"/.exec(svg)![1])
}
