import { closeSync, fstatSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import {
  clashing,
  isInRange,
  type MetricSource,
  type Metrics,
  type Points,
  seriesOf,
  usualSources,
  withMore,
} from '../../domain/results/metrics.js'
import type { ReadMetrics } from '../../domain/results/reading/found.js'
import { continued, hasOthers, withPrefix } from '../../domain/results/reading/restarts.js'
import { openRegular } from '../../system/regular-file.js'
import type { ReadFolder } from '../files/presence.js'
import { entriesIn, fittingFiles, isForbidden, isNothingThere } from './fitting-files.js'
import { searchOutput } from './output-search.js'
import { parseMetricFile } from './parse.js'

/** What a group has left. */
export interface GroupMetrics {
  readonly metrics: Metrics
  /** Each names the file and what is wrong with it. The text is the same for every group with this problem. */
  readonly warnings: readonly string[]
}

/** The largest file that is read, in bytes: it is in memory as a whole. */
const largest = 32_000_000

/**
 * Reads the metrics of groups, one after the other. A file that must not be read is a warning.
 * @param declared where they are; if empty, the usual names are looked for
 * @param runFolder see {@link readText}
 * @returns a function that reads those of a group from its absolute folder; null if they are not fetched
 *   @throws Error of the system if they cannot be read now, see {@link readNow}
 */
export function metricReader(
  declared: readonly MetricSource[],
  { path, isMirror }: ReadFolder,
): (folder: string) => GroupMetrics | null {
  const sourcesIn = sourceReader(declared, path)
  return folder => {
    let metrics: Metrics = {}
    const warnings: string[] = []
    const sources = [...sourcesIn(folder)]
    const absent = sources.filter(({ read }) => read === null).length
    // Of the usual names, a group has one or two.
    if (isMirror && absent > (declared.length > 0 ? 0 : sources.length - 1)) return null
    for (const { name, read } of sources) {
      if (read === null && declared.length > 0) warnings.push(`${name} is missing`)
      if (read === null) continue
      // The usual names are those of one program: what has the same name is the same.
      if (declared.length > 0) warnings.push(...clashing(metrics, read.metrics).map(metric => clashText(name, metric)))
      metrics = withMore(metrics, read.metrics, declared.length > 0 ? isInRange : undefined)
      warnings.push(...read.problems.map(problem => `${name}: ${problem}`))
    }
    return { metrics, warnings }
  }
}

function clashText(file: string, metric: string): string {
  return `${file}: '${metric}' ends with another value than in an earlier file, which counts; a prefix tells them apart: {file: ${file}, prefix: other.}`
}

/**
 * Reads all values of a series; metrics keep only its range.
 * @returns a function that reads them from the absolute folder of a group; null if no file has the series (any more)
 *   @throws Error of the system if it cannot be read now, see {@link readNow}
 */
export function pointReader(
  declared: readonly MetricSource[],
  runFolder: string,
): (folder: string, metric: string) => Points | null {
  const sourcesIn = sourceReader(declared, runFolder)
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
  readonly problems: readonly string[]
}

/** The same for all series at once. If a metric is in several files, the first file with more than one step counts. */
export function seriesReader(declared: readonly MetricSource[], runFolder: string): (folder: string) => GroupSeries {
  const sourcesIn = sourceReader(declared, runFolder)
  return folder => {
    const points = new Map<string, Points>()
    const problems: string[] = []
    let earlier: Metrics = {}
    for (const { name, read } of sourcesIn(folder)) {
      for (const [metric, found] of read?.points ?? []) {
        if (declared.length > 0 && !mayBeOf(earlier, metric, found)) continue
        const known = points.get(metric)
        if (!known || (known.values.length === 1 && found.values.length > 1)) points.set(metric, found)
      }
      problems.push(...(read?.problems ?? []).map(problem => `${name}: ${problem}`))
      earlier = withMore(earlier, read?.metrics ?? {})
    }
    return { points, problems }
  }
}

/** What a source of metrics holds; null if it is not there. */
interface SourceRead {
  /** Of the file. */
  readonly name: string
  readonly read: ReadMetrics | null
}

function sourceReader(declared: readonly MetricSource[], runFolder: string): (folder: string) => Iterable<SourceRead> {
  const sources = declared.length > 0 ? declared : usualSources
  const slow = new Set<string>()
  return function* (folder) {
    const there = new Set(entriesIn(folder)?.map(entry => entry.name))
    for (const source of sources) {
      const name = 'stdout' in source ? 'stdout.txt' : source.file
      // A folder is listed once instead of being asked for every name.
      const first = name.split('/')[0]!
      const [begin] = first.split('*')
      const isThere = there.has(first) || (first.includes('*') && [...there].some(each => each.startsWith(begin!)))
      yield { name, read: isThere ? tried(() => readSource(source, folder, runFolder, slow)) : null }
    }
  }
}

/** Null if there is nothing to read. */
function readSource(source: MetricSource, folder: string, runFolder: string, slow: Set<string>): ReadMetrics | null {
  if ('file' in source) {
    const read = readFile(source, folder, runFolder)
    return read !== null && source.prefix ? withPrefix(read, source.prefix) : read
  }
  // An expression that was too slow once would be too slow for thousands of groups.
  if (slow.has(source.stdout)) throw tooSlow(source.stdout)
  const text = readText(join(folder, 'stdout.txt'), runFolder, false)
  const read = text === null ? null : searchOutput(text, source.stdout)
  if (text !== null && read === null) {
    slow.add(source.stdout)
    throw tooSlow(source.stdout)
  }
  return read
}

type FileSource = Extract<MetricSource, { file: string }>

/** More files of one pattern are not looked at. */
const mostFiles = 100

/** The last file that fits, joined to those before it as long as they are of earlier starts that it goes on from. */
function readFile({ file, step }: FileSource, folder: string, runFolder: string): ReadMetrics | null {
  const read = (path: string) => {
    const text = readText(path, runFolder, true)
    if (text?.trim() === '') throw new Error('it is empty')
    return text === null ? null : parseMetricFile(file, text, step)
  }
  let all: ReadMetrics | null = null
  let files = 0
  for (const path of fittingFiles(folder, file.split('/'))) {
    if (all === null) all = read(path)
    else if (++files > mostFiles) break
    else {
      const earlier = tried(() => read(path))
      const joined: ReadMetrics | null = earlier && continued(earlier, all)
      if (joined === null) return earlier && hasOthers(earlier, all) ? withProblem(all, startsAgain) : all
      all = joined
    }
  }
  return all
}

function withProblem(read: ReadMetrics, problem: string): ReadMetrics {
  return { ...read, problems: [...read.problems, problem] }
}

const startsAgain = 'an earlier file of this name or pattern begins at the same step with other values, and is not read'

function tooSlow(pattern: string): Error {
  return new Error(`the expression '${pattern}' was stopped after a second; it has a repetition inside a repetition`)
}

/**
 * The text of a file that a group of a run has left.
 * @param runFolder of its run, absolute; links that lead out of it are not followed
 * @param isStrict whether text that is not UTF-8 is an error
 * @returns null if there is no file @throws Error for a file that must not or cannot be read
 */
export function readText(path: string, runFolder: string, isStrict: boolean): string | null {
  const real = realPath(path)
  if (real === null) return null
  if (!real.startsWith(`${realpathSync.native(runFolder)}/`)) throw new Error('it is a link that leads out of the run')
  const file = openRegular(real)
  if (file === null) throw new Error('it is no regular file, or may not be read')
  try {
    if (fstatSync(file).size > largest) throw new Error(`it is larger than ${largest / 1_000_000} MB`)
    // A file that is still written may end within a letter.
    return new TextDecoder('utf-8', { fatal: isStrict }).decode(readFileSync(file), { stream: true })
  } catch (error) {
    throw error instanceof TypeError ? new Error('it is not UTF-8 text') : error
  } finally {
    closeSync(file)
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (isNothingThere(error)) return null
    throw error
  }
}

function tried(read: () => ReadMetrics | null): ReadMetrics | null {
  try {
    return read()
  } catch (error) {
    // A disk that fails, or too many open files, say nothing about the file: it is read another time.
    if (isOfSystem(error) && !isForbidden(error)) throw error
    const [reason] = (error as Error).message.split('\n')
    return { metrics: {}, problems: [reason!.replace(/:$/, '')], points: new Map() }
  }
}

/** What is read; null if the system cannot do that now. @param tell takes the reason: `permission denied` */
export function readNow<Read>(read: () => Read, tell: (reason: string) => void): Read | null {
  try {
    return read()
  } catch (error) {
    if (!isOfSystem(error)) throw error
    tell(error.message.replace(/^[A-Z\d]+: /, '').replace(/, [a-z]+( '.*)?$/s, ''))
    return null
  }
}

/** Whether the system, not the contents of a file, is the reason of an error. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}
