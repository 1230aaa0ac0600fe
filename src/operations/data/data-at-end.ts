import { join } from 'node:path'
import { compareListings, type DataDifference, differenceText, isChanged } from '../../domain/data/compare-listings.js'
import { type Fingerprint, settingOf } from '../../domain/data/fingerprint.js'
import { cameBefore, changesDuring } from '../../domain/data/when-changed.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { readListing } from '../../project/data/listings.js'
import { Marks } from '../../project/data/marks.js'
import { launchTime, mostFiles, type ReadLimits } from '../../project/data/read-data.js'
import { timesOf } from '../../project/data/walk.js'
import { readRecord } from '../../runfolder/record.js'
import { renewRunYaml } from '../folder/run-files.js'
import { DatasetsNow } from '../registry/datasets-now.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'
import { listPlace, noFiles, withoutTracked } from './data-now.js'
import { isNotedAtLaunch } from './other-data.js'

/** How a dataset differs now from what a launch has listed. */
interface Change {
  readonly difference: DataDifference
  /** When the files that are there were written, or otherwise changed; in milliseconds since the epoch. */
  readonly times: ReadonlyMap<string, readonly number[]>
  readonly looked: number
}

/**
 * Whether the data of a run that has ended still have to be looked at. In a rebuilt database they need not: its record
 * says that the run is over, so they were looked at when it ended. A record that is not fetched may say so, too.
 */
export function isEndNew(workspace: Workspace, run: Run): boolean {
  const folder = readFolder(workspace, run)
  const record = readRecord(folder.path)
  return isOver(run.counts) && (record === null ? !folder.isMirror : !isOver(record.counts))
}

/**
 * Notes that a run is about to end: if this program is killed before it has looked at the data of the run, a later one does.
 * Call before the end is stored.
 * @returns a function that removes the note, for the case that another program has stored the end; null if no note was made
 */
export function expectEnd(workspace: Workspace, { id }: Run): (() => void) | null {
  const expected = expectedEnds(workspace)
  if (workspace.store.data.of(id).every(({ listing }) => listing === null) || expected.has(id)) return null
  try {
    expected.set(id, String(Date.now()))
    return () => expected.remove(id)
  } catch {
    // The end is stored all the same.
    return null
  }
}

/** Keeps with runs that have just ended how their data have changed since their last launches. Failures are warnings. */
export async function noteDataAtEnd(workspace: Workspace, runs: readonly Run[]): Promise<void> {
  const data = new DataAtEnd(workspace)
  for (const run of runs) {
    if (await data.note(run)) renewRunYaml(workspace, run.id)
    expectedEnds(workspace).remove(run.id)
  }
}

/** A program that noted an end longer ago than this, in milliseconds, has looked at the data or was killed. */
const longestLook = 60_000

/** Does the same for runs whose end was found by a program that was killed before it looked at their data. */
export async function noteDataLeft(workspace: Workspace): Promise<void> {
  const expected = expectedEnds(workspace)
  const old = expected.all().filter(({ text }) => Date.now() - Number(text) > longestLook)
  const runs: Run[] = []
  for (const { name, run: id } of old) {
    const run = workspace.store.runs.find(id)
    if (run === null) expected.remove(name)
    else if (isOver(run.counts)) runs.push(run)
  }
  await noteDataAtEnd(workspace, runs)
}

/** The runs that are ending and whose data nobody has looked at yet, with the time when that was noted. */
function expectedEnds({ project }: Workspace): Marks {
  return new Marks(project, 'ends')
}

/**
 * Finds out whether data have changed while runs ran. The runs that end in one refresh share one look at each dataset, and
 * all looks together cost no more than those of a launch.
 */
class DataAtEnd {
  private readonly seen = new Map<string, Promise<Change | null>>()
  private limits: ReadLimits | null = null

  constructor(private readonly workspace: Workspace) {}

  /** @returns whether there was something to keep */
  async note(run: Run): Promise<boolean> {
    const { store } = this.workspace
    const data = store.data.of(run.id)
    if (run.started === null || data.every(({ listing }) => listing === null)) return false
    try {
      await this.noteAll(run, data)
    } catch (error) {
      this.workspace.warn(`cannot tell whether the data changed while run ${run.id} ran: ${(error as Error).message}`)
    }
    return JSON.stringify(store.data.of(run.id)) !== JSON.stringify(data)
  }

  private async noteAll(run: Run, data: readonly Fingerprint[]): Promise<void> {
    const { store } = this.workspace
    const { attempts, datasetPaths } = store.runs.launch(run.id)
    const { attempt, launched } = attempts.at(-1)!
    for (const [at, fingerprint] of data.entries()) {
      const change = await this.change(run, fingerprint, datasetPaths[at] ?? '')
      if (change === null) continue
      const { certain, perhaps } = changesDuring(change.difference, change.times, {
        launched,
        ended: run.counts.lost > 0 ? null : run.finished,
        looked: change.looked,
        isSinceLaunch: !isNotedAtLaunch(run, attempt, fingerprint),
      })
      const ran = attempt > 1 ? `attempt ${attempt} of run ${run.id} ran` : `run ${run.id} ran`
      const when =
        attempt === 1 && cameBefore(certain, change.times, launched, run.started!) ? `run ${run.id} waited` : ran
      store.transaction(() => {
        this.keep(run, fingerprint, certain, `while ${when}`)
        this.keep(run, fingerprint, perhaps, `while ${ran}, or later`)
      })
    }
  }

  private keep({ id }: Run, { name }: Fingerprint, difference: DataDifference, when: string): void {
    const text = differenceText(difference)
    const changed = isChanged(difference) ? 'changed' : 'may have changed'
    if (text !== '') this.workspace.store.data.note(id, name, `dataset ${name} ${changed} ${when}: ${text}`)
  }

  private async change(run: Run, fingerprint: Fingerprint, stored: string): Promise<Change | null> {
    const path = placeOf(this.workspace, fingerprint.name, stored)
    if (path === null) return null
    // Groups read what git tracks from their frozen copy, if they have one.
    const withTracked = run.frozen === null
    const key = JSON.stringify([fingerprint.listing, settingOf(fingerprint), path, withTracked])
    const known = this.seen.get(key) ?? this.look(fingerprint, path, withTracked)
    this.seen.set(key, known)
    return known
  }

  private async look(fingerprint: Fingerprint, path: string, withTracked: boolean): Promise<Change | null> {
    const { name, listing } = fingerprint
    this.limits ??= { until: performance.now() + launchTime, files: mostFiles }
    const before = readListing(this.workspace.project, listing)
    if (before === null) return null
    const now =
      (await listPlace(this.workspace, { name, setting: settingOf(fingerprint), path }, this.limits)) ?? noFiles
    const [old, found] = withTracked ? [before, now] : withoutTracked(before, now)
    const difference = compareListings(old, found)
    const there = [...difference.added, ...difference.changed, ...difference.maybe]
    return { difference, times: new Map(there.map(file => [file, timesOf(join(path, file))])), looked: Date.now() }
  }
}

/**
 * The path of a dataset in the project. The run may have read it through a link in a frozen copy that is gone by now.
 * Null if the path is not known.
 */
function placeOf(workspace: Workspace, name: string, stored: string): string | null {
  const path = absolutePath(workspace, stored)
  if (!path.startsWith(`${workspace.project.cacheFolder}/`)) return path
  const there = new DatasetsNow(workspace).at(stored, name)
  return there?.path ? absolutePath(workspace, there.path) : null
}
