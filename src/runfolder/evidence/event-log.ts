import { eventLog } from '../layout.js'
import { appended, type Place } from './appended.js'

/** The separator of events in HTCondor's log. */
export const eventEnd = '\n...\n'

/** Complete events that were added to the log of an attempt, in pieces; moves `place`. */
export function newEvents(storagePath: string, attempt: number, place: Place): Generator<string> {
  return appended(`${storagePath}/${eventLog(attempt)}`, place, eventEnd)
}

/** The last event of an attempt that matches a pattern; null if there is none. */
export function lastEventOf(storagePath: string, attempt: number, pattern: RegExp): string | null {
  let last: string | null = null
  for (const piece of newEvents(storagePath, attempt, { offset: 0 })) {
    last = piece.split(eventEnd).findLast(event => pattern.test(event)) ?? last
  }
  return last
}

/** The first events of an attempt; empty if there is no log. */
export function firstEvents(storagePath: string, attempt: number): string {
  for (const piece of newEvents(storagePath, attempt, { offset: 0 })) return piece
  return ''
}
