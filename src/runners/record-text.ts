import type { GroupRecord } from '../domain/runs/group-record.js'

/** A record in words. */
export function textOfRecord(record: GroupRecord | null): string {
  if (record === null) return 'none: its script has not begun, or could not write'
  if (record.kind === 'start') return `begun on ${record.host}, and no end: it still runs, or was killed from outside`
  const took = Math.round((record.ended - record.started) / 100) / 10
  const ways = {
    exit: `ended with code ${record.code}`,
    launch: `failed before the script began, with code ${record.code}`,
    stopped: `told to end, which it did with code ${record.code}`,
    timeout: `told that its time limit is near, ended with code ${record.code}`,
  }
  return `${ways[record.outcome]} on ${record.host} after ${took} s`
}
