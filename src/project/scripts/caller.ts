import { startInBackground } from '../../system/background.js'
import {
  identify,
  type Life,
  lifeOf,
  type ProcessIdentity,
  thisMachine,
  userName,
} from '../../system/process-identity.js'

/** This program and whoever runs it, as the records of the scripts that it calls name them. */
export function thisCaller(): {
  readonly user: string
  readonly host: string
  readonly process: ProcessIdentity | null
} {
  return { user: userName(), host: thisMachine().host, process: identify(process.pid) }
}

/** Whether the program that called a script is still running. @param process as a record names it */
export function lifeOfCaller(process: unknown): Life {
  return lifeOf(process as ProcessIdentity)
}

/** Starts this program once more, which works in the background and survives this one. @param words of its command */
export function startAlso(...words: readonly string[]): void {
  startInBackground([process.execPath, process.argv[1]!, ...words]).leave()
}
