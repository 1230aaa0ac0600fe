import {
  clashing,
  isInRange,
  type MetricSource,
  type Metrics,
  type Points,
  seriesOf,
  withMore,
} from '../../domain/results/metrics.js'
import type { Problem } from '../../domain/results/reading/found.js'
import type { ReadFolder } from '../files/presence.js'
import { sourceReader } from './sources.js'
import type { MetricFiles } from './whole-files.js'

/** What a group has left. */
export interface GroupMetrics {
  readonly metrics: Metrics
  /** Each names the file and what is wrong with it. The text is the same for every group with this problem. */
  readonly warnings: readonly Problem[]
}

/**
 * Reads the metrics of groups, one after the other. A file that must not be read is a warning.
 * @param declared where they are; if empty, the usual names are looked for
 * @param runFolder see {@link readText}
 * @param files see {@link sourceReader}
 * @returns a function that reads those of a group from its absolute folder; null if they are not fetched
 *   @throws Error of the system if they cannot be read now, see {@link readNow}
 */
export function metricReader(
  declared: readonly MetricSource[],
  { path, isMirror }: ReadFolder,
  files?: MetricFiles,
): (folder: string) => GroupMetrics | null {
  const sourcesIn = sourceReader(declared, path, files)
  return folder => {
    let metrics: Metrics = {}
    const warnings: Problem[] = []
    const sources = [...sourcesIn(folder)]
    const absent = sources.filter(({ read }) => read === null).length
    // Of the usual names, a group has one or two.
    if (isMirror && absent > (declared.length > 0 ? 0 : sources.length - 1)) return null
    for (const { name, read } of sources) {
      if (read === null && declared.length > 0) warnings.push({ text: `${name} is missing`, line: null })
      if (read === null) continue
      // The usual names are those of one program: what has the same name is the same.
      if (declared.length > 0) warnings.push(...clashing(metrics, read.metrics).map(metric => clashOf(name, metric)))
      metrics = withMore(metrics, read.metrics, declared.length > 0 ? isInRange : undefined)
      warnings.push(...inFile(name, read.problems))
    }
    return { metrics, warnings }
  }
}

function inFile(name: string, problems: readonly Problem[]): Problem[] {
  return problems.map(({ text, line }) => ({ text: `${name}: ${text}`, line }))
}

function clashOf(file: string, metric: string): Problem {
  const text = `${file}: '${metric}' ends with another value than in an earlier file, which counts; a prefix tells them apart: {file: ${file}, prefix: other.}`
  return { text, line: null }
}

/**
 * Reads all values of a series; metrics keep only its range.
 * @returns a function that reads them from the absolute folder of a group; null if no file has the series (any more)
 *   @throws Error of the system if it cannot be read now, see {@link readNow}
 */
export function pointReader(
  declared: readonly MetricSource[],
  runFolder: string,
  files?: MetricFiles,
): (folder: string, metric: string) => Points | null {
  const sourcesIn = sourceReader(declared, runFolder, files)
  return (folder, metric) => {
    let single: Points | null = null
    let earlier: Metrics = {}
    for (const { read } of sourcesIn(folder)) {
      const found = read?.points.get(metric)
      const points = found && (declared.length === 0 || mayBeOf(earlier, metric, found)) ? found : null
      if (points && points.values.length > 1) return points
      // Another file may have more steps.
      single ??= points
      earlier = withMore(earlier, read?.metrics ?? {})
    }
    return single
  }
}

/** Whether a series may be of the metric that has its name in earlier files. */
function mayBeOf(earlier: Metrics, metric: string, points: Points): boolean {
  const known = Object.hasOwn(earlier, metric) ? earlier[metric] : undefined
  return typeof known !== 'number' || isInRange(known, seriesOf(points))
}

/** All series that a group has left, also of one step, and what was wrong with their files. */
export interface GroupSeries {
  readonly points: ReadonlyMap<string, Points>
  readonly problems: readonly Problem[]
}

/** The same for all series at once. If a metric is in several files, the first file with more than one step counts. */
export function seriesReader(
  declared: readonly MetricSource[],
  runFolder: string,
  files?: MetricFiles,
): (folder: string) => GroupSeries {
  const sourcesIn = sourceReader(declared, runFolder, files)
  return folder => {
    const points = new Map<string, Points>()
    const problems: Problem[] = []
    let earlier: Metrics = {}
    for (const { name, read } of sourcesIn(folder)) {
      for (const [metric, found] of read?.points ?? []) {
        if (declared.length > 0 && !mayBeOf(earlier, metric, found)) continue
        const known = points.get(metric)
        if (!known || (known.values.length === 1 && found.values.length > 1)) points.set(metric, found)
      }
      problems.push(...inFile(name, read?.problems ?? []))
      earlier = withMore(earlier, read?.metrics ?? {})
    }
    return { points, problems }
  }
}
