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

/** A record that has not grown for this many milliseconds is complete: it takes two seconds at most. */
const abandoned = 60_000

/**
 * Reads the records of environments in the folder of a run, without those that are still being written.
 * @param storagePath absolute @param isKnown whether a record need not be read
 */
export function recordedEnvironments(
  storagePath: string,
  isKnown: (attempt: number, host: string) => boolean,
): RecordedEnvironment[] {
  const folder = `${storagePath}/${environmentsFolder}`
  return namesIn(folder).flatMap(name => {
    const [, number, host = ''] = /^(\d+)\.(.+)$/.exec(name) ?? []
    const attempt = Number(number)
    if (number === undefined || isKnown(attempt, host)) return []
    const text = readRegular(`${folder}/${name}`)
    if (text === null) return []
    const { facts, ending } = readFacts(text)
    // The process that wrote it may have been killed with its node.
    if (ending === null && Date.now() - modifiedAt(`${folder}/${name}`) < abandoned) return []
    return [{ attempt, host, facts, isPartial: ending !== 'end' }]
  })
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
