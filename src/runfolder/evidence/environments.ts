import { readdirSync } from 'node:fs'
import { type EnvironmentFact, readFacts } from '../../domain/environments/environment.js'
import { readRegular } from '../../system/regular-file.js'
import { environmentsFolder } from '../layout.js'

/** The environment of an attempt on a host, as its job script has recorded it. */
interface RecordedEnvironment {
  readonly attempt: number
  readonly host: string
  readonly facts: readonly EnvironmentFact[]
  /** Whether not all of it was found in time. */
  readonly isPartial: boolean
}

/** Longer than it takes to write a record, in milliseconds: what has no end this long after the end of its run will not get one. */
const patience = 60_000

/**
 * Reads the records of environments in the folder of a run, without those that are still being written. There are several of
 * a host if packages changed while the run ran.
 * @param storagePath absolute
 * @param over when the run was over, in milliseconds since the epoch; null if it is not
 * @param isKnown whether the first record of an attempt on a host need not be read
 */
export function recordedEnvironments(
  storagePath: string,
  over: number | null,
  isKnown: (attempt: number, host: string) => boolean,
): RecordedEnvironment[] {
  const folder = `${storagePath}/${environmentsFolder}`
  return namesIn(folder).flatMap(name => {
    const [, number, host = '', change] = /^(\d+)\.([^@]+)(@.*)?$/.exec(name) ?? []
    const attempt = Number(number)
    if (number === undefined || (change === undefined && isKnown(attempt, host))) return []
    const read = readRecord(`${folder}/${name}`, over)
    return read === null || read === 'growing' ? [] : [{ attempt, host, ...read }]
  })
}

/** Whether a record in the folder of a run is still being written; see {@link recordedEnvironments}. */
export function isBeingRecorded(storagePath: string, over: number | null): boolean {
  const folder = `${storagePath}/${environmentsFolder}`
  return namesIn(folder).some(name => /^\d/.test(name) && readRecord(`${folder}/${name}`, over) === 'growing')
}

function readRecord(
  path: string,
  over: number | null,
): Pick<RecordedEnvironment, 'facts' | 'isPartial'> | 'growing' | null {
  const text = readRegular(path)
  if (text === null) return null
  const { facts, ending } = readFacts(text)
  // The process that wrote it may have been killed with its node.
  if (ending === null && (over === null || Date.now() - over < patience)) return 'growing'
  return { facts, isPartial: ending !== 'end' }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
