import type { ProcessIdentity } from '../../../src/system/process-identity.js'

/** The line by which a worker begins in the journal of its slot: see pool.sh. */
export function workerLine(worker: ProcessIdentity): string {
  return `\n1 worker ${JSON.stringify(worker)}\n`
}
