import type { GroupResult } from '../../../domain/results/compare.js'
import type { MetricSource, Points } from '../../../domain/results/metrics.js'
import { type SeriesMarks, seriesMarks } from '../../../domain/results/plot/marks.js'
import type { Mark } from '../../../domain/results/plot/plot.js'
import { totalOf } from '../../../domain/runs/aggregate.js'
import { groupFolder } from '../../../domain/runs/run-plan.js'
import { pointReader } from '../../../runfolder/metrics/group-metrics.js'
import { readNow } from '../../../runfolder/metrics/read-text.js'
import { absolutePath, type Workspace } from '../../workspace.js'
import type { ComparedCell } from '../compare/compare-experiment.js'
import { livePoints } from '../live-metrics.js'
import { isLiveIn } from './wish.js'

/** What the series of groups are that are counted by the same column. */
interface CountedSeries extends Omit<SeriesMarks, 'marks'> {
  readonly marks: Map<ComparedCell, readonly Mark[]>
  readonly groups: GroupResult[]
  readonly live: GroupResult[]
}

/** The series of the groups of a cell that are counted by the same column. */
interface CellSeries {
  readonly groups: GroupResult[]
  readonly points: Points[]
  readonly live: { readonly group: GroupResult; readonly points: Points }[]
}

interface ReadSeries extends Omit<SeriesMarks, 'marks'> {
  /** The name of what counts their values. */
  readonly counter: string
  readonly marksOf: (cell: ComparedCell) => readonly Mark[]
  /** Groups that have the metric, but whose files do not have a series of it any more. */
  readonly unread: readonly GroupResult[]
  /** Those that have a series of it. */
  readonly read: readonly GroupResult[]
  /** Those that run and have a series of it so far. */
  readonly live: readonly GroupResult[]
  /** Those whose series is counted by something else, for which the axis has no place. */
  readonly elsewhere: readonly GroupResult[]
}

/** Reads the series of a metric from the files of the groups of these cells. @param sources what the experiment declares */
export function readSeries(
  workspace: Workspace,
  cells: readonly ComparedCell[],
  sources: readonly MetricSource[],
  metric: string,
): ReadSeries {
  const pointsOf = pointsReader(workspace, sources, metric)
  const counted = new Map<string | null, CountedSeries>()
  const unread: GroupResult[] = []
  for (const cell of cells) {
    const byCounter = new Map<string | null, CellSeries>()
    const seriesBy = (counter: string | null) => {
      const known = byCounter.get(counter) ?? { groups: [], points: [], live: [] }
      byCounter.set(counter, known)
      return known
    }
    for (const group of cell.groups) {
      const kept = Object.hasOwn(group.metrics, metric) ? typeof group.metrics[metric] : 'undefined'
      // A series of one step is stored as a number.
      const found = kept === 'object' || kept === 'number' ? pointsOf(group) : null
      if (found === null) {
        if (kept === 'object') unread.push(group)
        continue
      }
      const own = seriesBy(found.counter)
      own.groups.push(group)
      own.points.push(found)
    }
    for (const group of cell.missing.get('running') ?? []) {
      if (!isLiveIn(group, metric)) continue
      const points = livePoints(workspace, workspace.store.runs.get(group.run), group.index, metric)
      if (points !== null) seriesBy(points.counter).live.push({ group, points })
    }
    for (const [counter, own] of byCounter) counted.set(counter, withCell(counted.get(counter) ?? none(), cell, own))
  }
  const sizeOf = ({ groups, live }: CountedSeries) => groups.length + live.length
  const [[counter, { marks, groups, live, ...told }] = [null, none()] as const, ...others] = [...counted].sort(
    ([one, its], [other, others]) => Number(one === null) - Number(other === null) || sizeOf(others) - sizeOf(its),
  )
  const elsewhere = others.flatMap(([, other]) => other.groups)
  return {
    counter: counter ?? 'step',
    marksOf: cell => marks.get(cell) ?? [],
    unread,
    read: groups,
    live,
    elsewhere,
    ...told,
  }
}

function none(): CountedSeries {
  return { marks: new Map(), groups: [], live: [], every: 1, stepless: 0, partial: 0, fewer: { steps: 0, least: 0 } }
}

/** Adds what is drawn of a cell. */
function withCell(all: CountedSeries, cell: ComparedCell, { groups, points, live }: CellSeries) {
  const drawn = seriesMarks(points)
  all.marks.set(cell, [...drawn.marks, ...liveMarks(drawn.marks, live)])
  all.groups.push(...groups)
  all.live.push(...live.map(({ group }) => group))
  const fewer = [all.fewer, drawn.fewer].filter(({ steps }) => steps > 0)
  return {
    ...{ marks: all.marks, groups: all.groups, live: all.live, every: Math.max(all.every, drawn.every) },
    stepless: all.stepless + drawn.stepless,
    partial: all.partial + drawn.partial,
    fewer: {
      steps: all.fewer.steps + drawn.fewer.steps,
      least: fewer.length === 0 ? 0 : Math.min(...fewer.map(({ least }) => least)),
    },
  }
}

/** Each group that runs has a line of its own behind those that are there. */
function liveMarks(others: readonly Mark[], live: CellSeries['live']): Mark[] {
  const lines = others.reduce((most, { line = 0 }) => Math.max(most, line), 0)
  return live.flatMap(({ points }, at) =>
    seriesMarks([points]).marks.map(mark => ({ ...mark, line: lines + at + 1, isLive: true })),
  )
}

/** A function that reads the series of a group; null if it cannot be read. */
function pointsReader(workspace: Workspace, sources: readonly MetricSource[], metric: string) {
  const readers = new Map<number, (group: GroupResult) => Points | null>()
  const readerOf = (id: number) => {
    const run = workspace.store.runs.get(id)
    const runFolder = absolutePath(workspace, run.storagePath)
    const read = pointReader(sources, runFolder)
    return ({ index }: GroupResult) => {
      const folder = groupFolder(runFolder, totalOf(run.counts), index)
      // The group is counted as one whose series cannot be read.
      return readNow(
        () => read(folder, metric),
        () => {},
      )
    }
  }
  return (group: GroupResult): Points | null => {
    if (!readers.has(group.run)) readers.set(group.run, readerOf(group.run))
    return readers.get(group.run)!(group)
  }
}
