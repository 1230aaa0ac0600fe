import type { CellValue } from '../cell-value.js'
import type { Points } from '../metrics.js'
import { type Summary, summarize } from '../statistics.js'
import type { Mark, PlotRow } from './plot.js'

/** The mean of the groups of a cell; null if they have none that is finite. */
export function meanOfCell(
  value: CellValue | undefined,
): (Pick<Mark, 'low' | 'high' | 'count'> & { mean: number }) | null {
  if (!value || !('mean' in value) || !Number.isFinite(value.mean)) return null
  return { mean: value.mean, ...endsOf(value), count: value.count }
}

function endsOf({ mean, sd }: Summary): Pick<Mark, 'low' | 'high'> {
  const [low, high] = [mean - (sd ?? Number.NaN), mean + (sd ?? Number.NaN)]
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : { low: null, high: null }
}

/** If a series has at most this many steps, all of them are drawn. */
const mostSteps = 2_000

/** What is drawn of several series. */
export interface SeriesMarks {
  readonly marks: readonly Mark[]
  /** n if only every n-th step is kept, and the last one; else 1. */
  readonly every: number
  /** How many values are left out since they have no step. */
  readonly stepless: number
  /** How many steps are left out since not all series have them. */
  readonly partial: number
  /** How many steps have a mean of fewer series than others, and the smallest number of these. */
  readonly fewer: { readonly steps: number; readonly least: number }
}

type BySteps = ReadonlyMap<number, number>

/**
 * The mean of the series of several groups, in the order of the steps; of more than 2,000 steps, a part. Its line is broken where
 * groups begin later or end earlier than others, since it would jump there. If groups lack steps in between, the mean is drawn at
 * the steps that all have; if these are few, each series has a line of its own. Of a step that a series has several times, the
 * last value counts: after a restart, a script goes on from there.
 */
export function seriesMarks(series: readonly Points[]): SeriesMarks {
  const same = sameSteps(series)
  if (same !== null) {
    const every = everyOf(same.length)
    return { marks: marksOf(same, at => series.map(({ values }) => values[at]!), every), every, ...nothingTold }
  }
  const read = series.map(valuesBySteps)
  const stepless = read.reduce((sum, each) => sum + each.stepless, 0)
  const counted = alike(read.map(({ byStep }) => byStep).filter(({ size }) => size > 0))
  const parts = partsOf(counted)
  const steps = parts.reduce((sum, part) => sum + part.steps.length, 0)
  const told = { ...nothingTold, stepless }
  const shared = parts.flatMap(part => (part.members.length === counted.length ? part.steps : []))
  if (shared.length > 0 && counted.every(each => hasNoHole(each, parts))) {
    return { ...meansOf(parts), ...told, fewer: fewerIn(parts) }
  }
  if (shared.length * 2 >= steps) {
    return { ...meansOf([{ steps: shared, members: counted }]), ...told, partial: steps - shared.length }
  }
  const lines = counted.map(byStep => meansOf([{ steps: sorted([...byStep.keys()]), members: [byStep] }]))
  return {
    ...told,
    marks: lines.flatMap(({ marks }, at) => marks.map(mark => ({ ...mark, line: at + 1 }))),
    every: Math.max(...lines.map(({ every }) => every)),
  }
}

const nothingTold = { stepless: 0, partial: 0, fewer: { steps: 0, least: 0 } }

/** The steps of all series if they are the same whole numbers, as they mostly are: that takes a part of the time. */
function sameSteps([first, ...others]: readonly Points[]): readonly number[] | null {
  if (!first) return null
  const steps: number[] = []
  for (let at = 0; at < first.values.length; at++) {
    const step = first.steps[at] ?? Number.NaN
    if (!Number.isInteger(step) || !(step > (steps[at - 1] ?? -Infinity))) return null
    steps.push(step)
  }
  const isSame = (each: Points) =>
    each.values.length === steps.length && steps.every((step, at) => step === each.steps[at])
  return others.every(isSame) ? steps : null
}

function valuesBySteps({ values, steps }: Points): { byStep: BySteps; stepless: number } {
  const byStep = new Map<number, number>()
  let stepless = 0
  for (let at = 0; at < values.length; at++) {
    const step = steps[at] ?? Number.NaN
    if (Number.isFinite(step)) byStep.set(withoutRounding(step), values[at]!)
    else stepless++
  }
  return { byStep, stepless }
}

/** Steps that are not whole may differ in their last digits: 0.1 + 0.2 is not 0.3. */
function withoutRounding(step: number): number {
  return Number.isInteger(step) ? step : Number(step.toPrecision(14))
}

/** Steps of several series that differ by less than this part of the smallest distance within a series are one. */
const partOfDistance = 1e-4

/** The series with the same number for steps that differ by rounding, such as sums of 0.1, or numbers of single precision. */
function alike(series: readonly BySteps[]): readonly BySteps[] {
  if (series.length < 2 || series.every(each => [...each.keys()].every(Number.isInteger))) return series
  const distances = series.flatMap(each =>
    sorted([...each.keys()]).map((step, at, all) => step - (all[at - 1] ?? -Infinity)),
  )
  const nearest = partOfDistance * distances.reduce((least, distance) => Math.min(least, distance), Infinity)
  const known = new Map<number, number>()
  let last = -Infinity
  for (const step of sorted([...new Set(series.flatMap(each => [...each.keys()]))])) {
    if (step - last > nearest) last = step
    known.set(step, last)
  }
  return series.map(each => new Map([...each].map(([step, value]) => [known.get(step)!, value])))
}

/** Steps that follow each other, and the series that have all of them. */
interface Part {
  readonly steps: number[]
  readonly members: readonly BySteps[]
}

/** The steps of series in their order, divided where others have them. */
function partsOf(series: readonly BySteps[]): Part[] {
  const [first, ...others] = series
  if (first === undefined) return []
  const isSame = others.every(each => each.size === first.size && [...first.keys()].every(step => each.has(step)))
  if (isSame) return [{ steps: sorted([...first.keys()]), members: series }]
  const parts: Part[] = []
  for (const step of sorted([...new Set(series.flatMap(each => [...each.keys()]))])) {
    const last = parts.at(-1)
    const isLike = last && series.every(each => each.has(step) === last.members.includes(each))
    if (isLike) last.steps.push(step)
    else parts.push({ steps: [step], members: series.filter(each => each.has(step)) })
  }
  return parts
}

/** Whether a series has all steps between its first and its last one. */
function hasNoHole(series: BySteps, parts: readonly Part[]): boolean {
  const isIn = parts.map(({ members }) => members.includes(series))
  return isIn.lastIndexOf(true) - isIn.indexOf(true) + 1 === isIn.filter(Boolean).length
}

function sorted(steps: readonly number[]): number[] {
  return [...Float64Array.from(steps).sort()]
}

function fewerIn(parts: readonly Part[]): SeriesMarks['fewer'] {
  const most = parts.reduce((largest, { members }) => Math.max(largest, members.length), 0)
  const fewer = parts.filter(({ members }) => members.length < most)
  const steps = fewer.reduce((sum, part) => sum + part.steps.length, 0)
  return { steps, least: fewer.reduce((least, { members }) => Math.min(least, members.length), most) }
}

function meansOf(parts: readonly Part[]): Pick<SeriesMarks, 'marks' | 'every'> {
  const every = everyOf(parts.reduce((sum, { steps }) => sum + steps.length, 0))
  const marks = parts.flatMap(({ steps, members }, at) => {
    const of = (place: number) => members.map(byStep => byStep.get(steps[place]!)!)
    const part = parts.length > 1 ? { part: at + 1 } : {}
    return marksOf(steps, of, every).map((mark): Mark => ({ ...mark, ...part }))
  })
  return { marks, every }
}

/** Which part of so many steps is drawn: each, each second … */
function everyOf(steps: number): number {
  return Math.max(1, Math.ceil(steps / mostSteps))
}

/** @param valuesAt those of all series at the place of a step */
function marksOf(steps: readonly number[], valuesAt: (place: number) => readonly number[], every: number): Mark[] {
  const marks: Mark[] = []
  for (const [place, step] of steps.entries()) {
    if (place % every === 0 || place === steps.length - 1) marks.push(meanAt(step, valuesAt(place)))
  }
  return marks
}

function meanAt(step: number, values: readonly number[]): Mark {
  const summary = summarize(values)
  const { mean, count } = summary
  if (Number.isFinite(mean)) return { x: step, y: mean, value: null, ...endsOf(summary), count }
  return { x: step, y: null, value: null, low: null, high: null, count }
}

/** The ends of deviations that a logarithmic axis cannot show go down to the smallest value that it shows. */
export function endsAboveZero(rows: readonly PlotRow[]): PlotRow[] {
  let least = Number.POSITIVE_INFINITY
  for (const { y, low } of rows) {
    for (const value of [y, low]) if (typeof value === 'number' && value > 0 && value < least) least = value
  }
  return rows.map(row => (row.low !== null && row.low <= 0 ? { ...row, low: least } : row))
}
