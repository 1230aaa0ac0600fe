import { join, relative } from 'node:path'
import { type MetricSource, usualSources } from '../../domain/results/metrics.js'
import type { ReadMetrics } from '../../domain/results/reading/found.js'
import { continued, hasOthers, withPrefix } from '../../domain/results/reading/restarts.js'
import { entriesIn, filledPrefix, fittingFiles, isForbidden } from './fitting-files.js'
import { isOfSystem } from './read-text.js'
import { type MetricFiles, wholeFiles } from './whole-files.js'

/** What a source of metrics holds. */
interface SourceRead {
  /** Of the file. */
  readonly name: string
  /** Null if it is not there. */
  readonly read: ReadMetrics | null
}

/**
 * Reads the sources of metrics in the folders of groups, one after the other.
 * @param declared see {@link MetricSource}
 * @param files reads what is in them
 */
export function sourceReader(
  declared: readonly MetricSource[],
  runFolder: string,
  files: MetricFiles = wholeFiles,
): (folder: string) => Iterable<SourceRead> {
  const sources = declared.length > 0 ? declared : usualSources
  const place: Place = { runFolder, files, slow: new Set() }
  return function* (folder) {
    const there = new Set(entriesIn(folder)?.map(entry => entry.name))
    for (const source of sources) {
      const name = 'stdout' in source ? 'stdout.txt' : source.file
      // A folder is listed once instead of being asked for every name.
      const first = name.split('/')[0]!
      const [begin] = first.split('*')
      const isThere = there.has(first) || (first.includes('*') && [...there].some(each => each.startsWith(begin!)))
      if (isThere && 'file' in source && source.prefix?.includes('*')) yield* readEach(source, folder, place)
      else yield { name, read: isThere ? tried(() => readSource(source, folder, place)) : null }
    }
  }
}

/** Where the sources of groups are. */
interface Place {
  readonly runFolder: string
  readonly files: MetricFiles
  /** The expressions that were too slow for one output. */
  readonly slow: Set<string>
}

/** Null if there is nothing to read. */
function readSource(source: MetricSource, folder: string, place: Place): ReadMetrics | null {
  if ('file' in source) {
    const read = readFile(source, folder, place)
    return read !== null && source.prefix ? withPrefix(read, source.prefix) : read
  }
  const { runFolder, files, slow } = place
  // An expression that was too slow once would be too slow for thousands of groups.
  if (slow.has(source.stdout)) throw tooSlow(source.stdout)
  const read = files.search(join(folder, 'stdout.txt'), source.stdout, runFolder)
  if (read !== 'slow') return read
  slow.add(source.stdout)
  throw tooSlow(source.stdout)
}

type FileSource = Extract<MetricSource, { file: string }>

/** More files of one pattern are not looked at. */
const mostFiles = 100

/** Every file that fits, with a prefix of its own. */
function* readEach(source: FileSource, folder: string, place: Place): Generator<SourceRead> {
  let paths: string[] = []
  const failed = tried(() => {
    paths = [...new Set(fittingFiles(folder, source.file.split('/')))].reverse()
    return null
  })
  if (paths.length === 0) yield { name: source.file, read: failed }
  for (const path of paths.slice(0, mostFiles)) {
    const name = relative(folder, path)
    const prefix = filledPrefix(source.prefix!, source.file, name)
    yield { name, read: tried(() => readSource({ ...source, file: name, prefix }, folder, place)) }
  }
  if (paths.length > mostFiles) yield { name: source.file, read: unread(`only ${mostFiles} of its files are read`) }
}

/** The last file that fits, joined to those before it as long as they are of earlier starts that it goes on from. */
function readFile({ file, step }: FileSource, folder: string, { runFolder, files }: Place): ReadMetrics | null {
  const read = (path: string) => files.read(path, { file, step }, runFolder)
  let all: ReadMetrics | null = null
  let others = 0
  for (const path of fittingFiles(folder, file.split('/'))) {
    if (all === null) all = read(path)
    else if (++others > mostFiles) break
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
  return { ...read, problems: [...read.problems, { text: problem, line: null }] }
}

const startsAgain = 'an earlier file of this name or pattern begins at the same step with other values, and is not read'

function tooSlow(pattern: string): Error {
  return new Error(`the expression '${pattern}' was stopped after a second; it has a repetition inside a repetition`)
}

function tried(read: () => ReadMetrics | null): ReadMetrics | null {
  try {
    return read()
  } catch (error) {
    // A disk that fails, or too many open files, say nothing about the file: it is read another time.
    if (isOfSystem(error) && !isForbidden(error)) throw error
    const [reason] = (error as Error).message.split('\n')
    return unread(reason!.replace(/:$/, ''))
  }
}

function unread(reason: string): ReadMetrics {
  return { metrics: {}, problems: [{ text: reason, line: null }], points: new Map() }
}
