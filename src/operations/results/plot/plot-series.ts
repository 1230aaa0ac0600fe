import type { GroupResult } from '../../../domain/results/compare.js'
import type { MetricSource } from '../../../domain/results/metrics.js'
import { seriesMarks } from '../../../domain/results/plot/marks.js'
import type { Mark } from '../../../domain/results/plot/plot.js'
import { totalOf } from '../../../domain/runs/aggregate.js'
import { groupFolder } from '../../../domain/runs/run-plan.js'
import { pointReader } from '../../../runfolder/metrics/group-metrics.js'
import { readNow } from '../../../runfolder/metrics/read-text.js'
import { absolutePath, type Workspace } from '../../workspace.js'
import type { ComparedCell } from '../compare/compare-experiment.js'

interface ReadSeries {
  /** The name of what counts their values. */
  readonly counter: string
  readonly marksOf: (cell: ComparedCell) => readonly Mark[]
  /** Groups that have the metric, but whose files do not have a series of it any more. */
  readonly unread: readonly GroupResult[]
  /** Those that have a series of it. */
  readonly read: readonly GroupResult[]
  /** n if only every n-th step is kept. */
  readonly every: number
  /** How many values are left out since they have no step. */
  readonly stepless: number
  /** How many steps of means are left out since not all groups have them. */
  readonly partial: number
  /** How many steps have a mean of fewer groups than others of the same line, and the smallest number of these; 0 for none. */
  readonly fewer: { readonly steps: number; readonly least: number }
}

/** Reads the series of a metric from the files of the groups of these cells. @param sources what the experiment declares */
export function readSeries(
  workspace: Workspace,
  cells: readonly ComparedCell[],
  sources: readonly MetricSource[],
  metric: string,
): ReadSeries {
  const readers = new Map<number, (group: GroupResult) => ReturnType<ReturnType<typeof pointReader>>>()
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
  const marks = new Map<ComparedCell, readonly Mark[]>()
  const unread: GroupResult[] = []
  const those: GroupResult[] = []
  let counter: string | null = null
  let every = 1
  let stepless = 0
  let partial = 0
  let fewer = { steps: 0, least: 0 }
  for (const cell of cells) {
    const points = cell.groups.flatMap(group => {
      const kept = Object.hasOwn(group.metrics, metric) ? typeof group.metrics[metric] : 'undefined'
      if (!readers.has(group.run)) readers.set(group.run, readerOf(group.run))
      // A series of one step is stored as a number.
      const found = kept === 'object' || kept === 'number' ? readers.get(group.run)!(group) : null
      if (found !== null) those.push(group)
      else if (kept === 'object') unread.push(group)
      return found ?? []
    })
    counter ??= points.find(each => each.counter !== null)?.counter ?? null
    const drawn = seriesMarks(points)
    every = Math.max(every, drawn.every)
    stepless += drawn.stepless
    partial += drawn.partial
    if (drawn.fewer.steps > 0) {
      const least = fewer.steps === 0 ? drawn.fewer.least : Math.min(fewer.least, drawn.fewer.least)
      fewer = { steps: fewer.steps + drawn.fewer.steps, least }
    }
    marks.set(cell, drawn.marks)
  }
  return {
    counter: counter ?? 'step',
    marksOf: cell => marks.get(cell) ?? [],
    ...{ unread, read: those, every, stepless, partial, fewer },
  }
}
