import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type EndRecord, type GroupRecord, parseRecord, type StartRecord } from '../../domain/runs/group-record.js'
import { launchFolder } from '../../domain/runs/run-plan.js'
import { recordsFolder } from '../../runfolder/layout.js'
import type { ProcessIdentity } from '../../system/process-identity.js'

/** What the supervisor and the shells of its slots have to say, relative to the run's folder. */
export const logFile = '.run/supervisor.log'
/** The {@link ProcessIdentity} of the supervisor of a launch as JSON, relative to the run's folder. */
export function supervisorFile(attempt: number): string {
  return `${launchFolder(attempt)}/supervisor.json`
}

/** All that the job scripts of a local run have recorded. */
export interface Records {
  readonly workers: readonly ProcessIdentity[]
  /** The last end of each group that has ended, by index. */
  readonly ends: ReadonlyMap<number, EndRecord>
  /** Starts of groups that have not ended since, by index: a group may have several processes. */
  readonly starts: ReadonlyMap<number, readonly WorkerStart[]>
}

/** A start, and the shell that made it. */
export interface WorkerStart extends StartRecord {
  readonly worker: ProcessIdentity | undefined
}

const workerPrefix = '1 worker '

/** The line in a journal that tells whose it is; the newline ahead ends what a killed shell may have left half-written. */
export function workerLine(worker: ProcessIdentity): string {
  return `\n${workerPrefix}${JSON.stringify(worker)}\n`
}

/** Reads every journal of a run. A last line without its newline was cut by a crash and does not count. */
export function readRecords(storagePath: string): Records {
  const workers: ProcessIdentity[] = []
  const ends = new Map<number, EndRecord>()
  const starts = new Map<number, WorkerStart[]>()
  const attempts = new Map<number, number>()
  const take = (record: GroupRecord, worker: ProcessIdentity | undefined) => {
    // What a later launch has recorded takes the place of all earlier ones.
    const last = attempts.get(record.index) ?? record.attempt
    if (record.attempt < last) return
    if (record.attempt > last) {
      ends.delete(record.index)
      starts.delete(record.index)
    }
    attempts.set(record.index, record.attempt)
    if (record.kind === 'start') {
      starts.set(record.index, [...(starts.get(record.index) ?? []), { ...record, worker }])
    } else {
      ends.set(record.index, record)
      starts.delete(record.index)
    }
  }
  for (const text of journals(storagePath)) {
    let worker: ProcessIdentity | undefined
    for (const line of text.split('\n').slice(0, -1)) {
      if (line.startsWith(workerPrefix)) {
        const parsed = parseWorker(line)
        if (parsed) workers.push(parsed)
        worker = parsed ?? worker
      } else {
        const record = parseRecord(line)
        if (record) take(record, worker)
      }
    }
  }
  return { workers, ends, starts }
}

/** Null for a line that was cut by a crash. */
function parseWorker(line: string): ProcessIdentity | null {
  try {
    return JSON.parse(line.slice(workerPrefix.length)) as ProcessIdentity
  } catch {
    return null
  }
}

function journals(storagePath: string): string[] {
  const folder = `${storagePath}/${recordsFolder}`
  if (!existsSync(folder)) return []
  return readdirSync(folder).map(name => readFileSync(`${folder}/${name}`, 'utf8'))
}
