import { readdirSync } from 'node:fs'
import { type EndRecord, parseRecord, type StartRecord } from '../../domain/runs/group-record.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import type { BegunProcess, Machine, ProcessIdentity } from '../../system/process-identity.js'
import { recordsFolder } from '../layout.js'
import { appended } from './appended.js'

/** A start record without an end record, with the worker that wrote it; null if that did not record its identity. */
export interface OpenStart extends StartRecord {
  readonly worker: ProcessIdentity | null
}

/**
 * The process of a group that has started.
 * @param keeper place of the keeper, for a start whose worker did not record its identity
 * @param storagePath absolute folder of the run, as its groups see it
 */
export function processOf(
  { worker, index, pid, started }: OpenStart,
  keeper: Machine,
  storagePath: string,
): BegunProcess {
  const { host, bootId, machineId, namespace } = worker ?? keeper
  return {
    ...{ host, bootId, machineId, namespace, pid, begun: started },
    // For a run with one group, or with several.
    storagePaths: [1, 2].map(groupCount => groupFolder(storagePath, groupCount, index)),
  }
}

/** How far the journal of one slot has been read. */
interface JournalCursor {
  readonly offset: number
  readonly worker: ProcessIdentity | null
  readonly open: readonly OpenStart[]
}

/** How far the journals of a run have been read, by their names; as JSON. */
export type SlotCursor = Readonly<Record<string, JournalCursor>>

const workerPrefix = '1 worker '

function attemptOf(name: string): number {
  return Number(/^slot_(\d+)_\d+$/.exec(name)?.[1] ?? 1)
}

/** The journals of the slots of a local run, read from where the last refresh ended. */
export class SlotJournals {
  /** New end records since the cursor: the last one of each group, by index. */
  readonly ends = new Map<number, EndRecord>()
  private readonly journals = new Map<string, { offset: number; worker: ProcessIdentity | null; open: OpenStart[] }>()

  /** @param storagePath absolute folder of the run @param cursor of an earlier refresh, null to read everything */
  constructor(
    private readonly storagePath: string,
    cursor: SlotCursor | null,
  ) {
    for (const [name, journal] of Object.entries(cursor ?? {})) {
      this.journals.set(name, { ...journal, open: [...journal.open] })
    }
  }

  /** Reads what was added since. A line that was cut by a crash does not count. */
  readOn(): this {
    for (const name of this.names()) {
      const journal = this.journals.get(name) ?? { offset: 0, worker: null, open: [] }
      this.journals.set(name, journal)
      for (const piece of appended(`${this.storagePath}/${recordsFolder}/${name}`, journal)) {
        for (const line of piece.split('\n')) this.take(line, journal)
      }
    }
    return this
  }

  get cursor(): SlotCursor {
    return Object.fromEntries(this.journals)
  }

  /** Starts without an end. A group may have several: of its shell, then of its script. */
  get starts(): readonly OpenStart[] {
    return [...this.journals.values()].flatMap(({ open }) => open)
  }

  /** The last worker of each slot of an attempt. */
  workers(attempt: number): readonly ProcessIdentity[] {
    return [...this.journals].flatMap(([name, { worker }]) => (worker && attemptOf(name) === attempt ? worker : []))
  }

  private names(): string[] {
    try {
      return readdirSync(`${this.storagePath}/${recordsFolder}`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  private take(line: string, journal: { worker: ProcessIdentity | null; open: OpenStart[] }): void {
    if (line.startsWith(workerPrefix)) {
      journal.worker = parseWorker(line) ?? journal.worker
      return
    }
    const record = parseRecord(line)
    if (record?.kind === 'start') journal.open.push({ ...record, worker: journal.worker })
    if (record?.kind !== 'end') return
    const { index, attempt } = record
    if (attempt >= (this.ends.get(index)?.attempt ?? 1)) this.ends.set(index, record)
    journal.open = journal.open.filter(start => start.index !== index || start.attempt !== attempt)
  }
}

/** Null for a line that was cut by a crash. */
function parseWorker(line: string): ProcessIdentity | null {
  try {
    return JSON.parse(line.slice(workerPrefix.length)) as ProcessIdentity
  } catch {
    return null
  }
}
