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

/** What the series of groups are that are counted by the same column. */
interface CountedSeries extends Omit<SeriesMarks, 'marks'> {
  readonly marks: Map<ComparedCell, readonly Mark[]>
  readonly groups: GroupResult[]
}

interface ReadSeries extends Omit<SeriesMarks, 'marks'> {
  /** The name of what counts their values. */
  readonly counter: string
  readonly marksOf: (cell: ComparedCell) => readonly Mark[]
  /** Groups that have the metric, but whose files do not have a series of it any more. */
  readonly unread: readonly GroupResult[]
  /** Those that have a series of it. */
  readonly read: readonly GroupResult[]
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
    const byCounter = new Map<string | null, { groups: GroupResult[]; points: Points[] }>()
    for (const group of cell.groups) {
      const kept = Object.hasOwn(group.metrics, metric) ? typeof group.metrics[metric] : 'undefined'
      // A series of one step is stored as a number.
      const found = kept === 'object' || kept === 'number' ? pointsOf(group) : null
      if (found === null) {
        if (kept === 'object') unread.push(group)
        continue
      }
      const own = byCounter.get(found.counter) ?? { groups: [], points: [] }
      own.groups.push(group)
      own.points.push(found)
      byCounter.set(found.counter, own)
    }
    for (const [counter, { groups, points }] of byCounter) {
      counted.set(counter, withCell(counted.get(counter) ?? none(), cell, groups, seriesMarks(points)))
    }
  }
  const [[counter, { marks, groups, ...told }] = [null, none()] as const, ...others] = [...counted].sort(
    ([one, { groups: its }], [other, { groups: others }]) =>
      Number(one === null) - Number(other === null) || others.length - its.length,
  )
  const elsewhere = others.flatMap(([, other]) => other.groups)
  return {
    counter: counter ?? 'step',
    marksOf: cell => marks.get(cell) ?? [],
    unread,
    read: groups,
    elsewhere,
    ...told,
  }
}

function none(): CountedSeries {
  return { marks: new Map(), groups: [], every: 1, stepless: 0, partial: 0, fewer: { steps: 0, least: 0 } }
}

/** Adds what is drawn of a cell. */
function withCell(all: CountedSeries, cell: ComparedCell, groups: readonly GroupResult[], drawn: SeriesMarks) {
  all.marks.set(cell, drawn.marks)
  all.groups.push(...groups)
  const fewer = [all.fewer, drawn.fewer].filter(({ steps }) => steps > 0)
  return {
    ...{ marks: all.marks, groups: all.groups, every: Math.max(all.every, drawn.every) },
    stepless: all.stepless + drawn.stepless,
    partial: all.partial + drawn.partial,
    fewer: {
      steps: all.fewer.steps + drawn.fewer.steps,
      least: fewer.length === 0 ? 0 : Math.min(...fewer.map(({ least }) => least)),
    },
  }
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
