import type { GroupRecord } from '../domain/runs/group-record.js'

/** A record in words. */
export function textOfRecord(record: GroupRecord | null): string {
  if (record === null) return 'none: the job has not started, or could not write'
  if (record.kind === 'start') return `started on ${record.host}, no end: it still runs, or was killed from outside`
  if (record.outcome === 'skipped') return 'not started: as many groups had failed as --max_failures allows'
  const took = Math.round((record.ended - record.started) / 100) / 10
  const end = `on ${record.host} after ${took} s`
  return {
    exit: `ended with code ${record.code} ${end}`,
    incomplete: `ended with code 0 ${end}, without all of its outputs`,
    launch: `failed before the script started, with code ${record.code} ${end}`,
    stopped: `ended with code ${record.code} ${end}, since it was told to end`,
    timeout: `ended with code ${record.code} ${end}, since its time limit was reached or near`,
    oom: `ended with code ${record.code} ${end}, killed because it used more memory than its template asks for`,
  }[record.outcome]
}
