import type { MetricSource } from '../../domain/results/metrics.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { type GroupsWithoutFiles, groupFolder } from '../../domain/runs/run-plan.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { groupsWithoutFiles } from '../../runfolder/folders.js'
import { metricReader } from '../../runfolder/metrics/group-metrics.js'
import { readNow } from '../../runfolder/metrics/read-text.js'
import type { Reading } from '../../store/readings.js'
import type { Store } from '../../store/store.js'
import { storingReadings } from '../as-far-as-stored.js'
import { readFolder, storedPath, type Workspace } from '../workspace.js'

/** Groups whose readings are stored together. */
const atOnce = 500

interface Unreadable {
  /** Absolute. */
  readonly folder: string
  readonly reason: string
}

/** Databases for which a warning has said that groups cannot be read. */
const told = new WeakSet<Store>()

/**
 * Reads the metrics of groups that have finished since the last time. What was read is not opened again until the group runs
 * again, an action has run, or the experiment says otherwise where its metrics are. Where the project cannot be written, they
 * are there until the end of the command. A group that cannot be read now keeps what was read of it before, and is read the
 * next time.
 * @param sources what the experiment declares
 * @param until when to stop although there is more to read than one group, in milliseconds since the epoch
 */
export function indexMetrics(
  workspace: Workspace,
  runs: readonly Run[],
  sources: readonly MetricSource[],
  until = Number.POSITIVE_INFINITY,
): void {
  storingReadings(workspace, () => indexNew(workspace, runs, sources, until))
}

function indexNew(workspace: Workspace, runs: readonly Run[], sources: readonly MetricSource[], until: number): void {
  const { store } = workspace
  // A file system that is not there now must not count as groups without metrics.
  const there = runs.filter(run => presenceOf(readFolder(workspace, run)) === 'there')
  const text = JSON.stringify(sources)
  const moved = store.reading(() => there.filter(({ id }) => !store.readings.areFrom(id, text)))
  // What belongs to several runs is stored together, since each transaction waits for the disk.
  if (moved.length > 0) {
    const kept = keptGroups(workspace, moved)
    store.transaction(() => {
      for (const { id } of moved) store.readings.setSources(id, text, kept.get(id)!)
    })
  }
  const read = new Map<number, Reading[]>()
  let count = 0
  const save = () => {
    store.transaction(() => {
      for (const [run, readings] of read) store.readings.put(run, readings)
    })
    read.clear()
    count = 0
  }
  const unreadable: Unreadable[] = []
  for (const [run, reading] of showingProgress(workspace, there, newReadings(workspace, there, sources))) {
    if ('reason' in reading) unreadable.push(reading)
    else {
      if (!read.has(run)) read.set(run, [])
      read.get(run)!.push(reading)
      if (++count >= atOnce) save()
    }
    if (Date.now() >= until) break
  }
  if (count > 0) save()
  warnOnce(workspace, unreadable)
  // Only runs that are over are noted: a live run would have to be noted again and again.
  const over = notAllRead(workspace, there).filter(({ counts }) => isOver(counts))
  if (over.length === 0) return
  store.transaction(() => {
    for (const { id } of over) store.readings.noteAllRead(id)
  })
}

/** How long metrics are read before anything is shown, and between two times, in milliseconds. */
const pauses = { first: 1_000, later: 200 }

/** So many groups are read without a word, however long that takes. */
const few = 100

/** Says how many groups have been read, once they are many and that takes longer than a moment. */
function* showingProgress<Item>(
  { store, progress }: Workspace,
  runs: readonly Run[],
  items: Iterable<Item>,
): Generator<Item> {
  let [read, total, next] = [0, 0, performance.now() + pauses.first]
  try {
    for (const item of items) {
      read++
      if (read > few && performance.now() >= next) {
        // What was read is stored some at a time: the last ones still count as unread.
        if (total === 0)
          total = runs.reduce((sum, { id }) => sum + store.readings.unread(id).length, read - (read % atOnce))
        const [done, all] = [read, Math.max(read, total)].map(count => count.toLocaleString('en-US'))
        progress(`Reading the metrics of groups: ${done} of ${all}`)
        next = performance.now() + pauses.later
      }
      yield item
    }
  } finally {
    if (total > 0) progress(null)
  }
}

function warnOnce(workspace: Workspace, unreadable: readonly Unreadable[]): void {
  const [first] = unreadable
  if (first === undefined || told.has(workspace.store)) return
  told.add(workspace.store)
  const groups = `${unreadable.length} group${unreadable.length === 1 ? '' : 's'}`
  const place = storedPath(workspace, first.folder)
  workspace.warn(
    `metrics of ${groups} cannot be read now: ${first.reason}, as in ${place}; the next command tries again`,
  )
}

/** Lets the metrics of runs be read again the next time. What was read of groups that cannot be read any more or now is kept. */
export function readAgain(workspace: Workspace, runs: readonly Run[]): void {
  const { store } = workspace
  const kept = keptGroups(workspace, runs)
  store.transaction(() => {
    for (const { id } of runs) store.readings.forget(id, kept.get(id)!)
  })
}

/** The groups that could not be read again, by run. */
function keptGroups(workspace: Workspace, runs: readonly Run[]): Map<number, GroupsWithoutFiles> {
  const kept = (run: Run) => groupsWithoutFiles(readFolder(workspace, run), totalOf(run.counts))
  return new Map(runs.map(run => [run.id, kept(run)]))
}

function notAllRead({ store }: Workspace, runs: readonly Run[]): Run[] {
  return store.reading(() => runs.filter(({ id }) => !store.readings.areAllRead(id)))
}

/** Reads the files of groups that have not been read since they finished, one after the other. */
function* newReadings(
  workspace: Workspace,
  runs: readonly Run[],
  sources: readonly MetricSource[],
): Generator<[run: number, reading: Reading | Unreadable]> {
  const { readings } = workspace.store
  for (const run of notAllRead(workspace, runs)) {
    const { id, counts } = run
    const runFolder = readFolder(workspace, run)
    const read = metricReader(sources, runFolder)
    let unread = readings.unread(id, -1, atOnce)
    while (unread.length > 0) {
      for (const group of unread) {
        const folder = groupFolder(runFolder.path, totalOf(counts), group.index)
        let reason = `not fetched from ${run.site} (qanat run_fetch ${id} --all)`
        const found = readNow(
          () => read(folder),
          text => (reason = text),
        )
        yield [id, found === null ? { folder, reason } : { ...group, ...found }]
      }
      unread = readings.unread(id, unread.at(-1)!.index, atOnce)
    }
  }
}
