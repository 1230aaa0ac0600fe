import { readdirSync, statSync } from 'node:fs'
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

/** A record that has not grown for this many milliseconds is complete: while it is written, it grows with each look. */
const abandoned = 60_000

/**
 * Reads the records of environments in the folder of a run, without those that are still being written. There are several of
 * a host if packages changed while the run ran.
 * @param storagePath absolute @param isKnown whether the first record of an attempt on a host need not be read
 */
export function recordedEnvironments(
  storagePath: string,
  isKnown: (attempt: number, host: string) => boolean,
): RecordedEnvironment[] {
  const folder = `${storagePath}/${environmentsFolder}`
  return namesIn(folder).flatMap(name => {
    const [, number, host = '', change] = /^(\d+)\.([^@]+)(@.*)?$/.exec(name) ?? []
    const attempt = Number(number)
    if (number === undefined || (change === undefined && isKnown(attempt, host))) return []
    const read = readRecord(`${folder}/${name}`)
    return read === null || read === 'growing' ? [] : [{ attempt, host, ...read }]
  })
}

/** Whether a record in the folder of a run is still being written. @param storagePath absolute */
export function isBeingRecorded(storagePath: string): boolean {
  const folder = `${storagePath}/${environmentsFolder}`
  return namesIn(folder).some(name => /^\d/.test(name) && readRecord(`${folder}/${name}`) === 'growing')
}

function readRecord(path: string): Pick<RecordedEnvironment, 'facts' | 'isPartial'> | 'growing' | null {
  const text = readRegular(path)
  if (text === null) return null
  const { facts, ending } = readFacts(text)
  // The process that wrote it may have been killed with its node.
  if (ending === null && Date.now() - modifiedAt(path) < abandoned) return 'growing'
  return { facts, isPartial: ending !== 'end' }
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
