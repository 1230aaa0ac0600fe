import { existsSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

/** The points at which tests kill the program, see {@link faultPoint}. */
export const faultPoints = [
  // The frozen copy.
  'lock-wanted',
  'lock-taken',
  'copy-made',
  'copy-in-place',
  'copy-linked',
  'copy-removed',
  // A launch.
  'file-new',
  'run-folder-made',
  'run-inserted',
  'run-stored',
  'launch-file',
  'run-files',
  'order-ready',
  'order-given',
  'order-taken',
  'submission-begin',
  'submission-end',
  'handle-known',
  'handle-stored',
  'launch-submitted',
  'launch-end',
  // Rolling back a launch.
  'drop-begin',
  'drop-reference',
  'drop-folder',
  // Refreshing the state of runs.
  'refresh-found',
  'refresh-polled',
  'refresh-stored',
  'refresh-end',
  'refresh-data',
  'left-moved',
  'later-claimed',
  // Cancelling, retrying, deleting, cleaning.
  'cancel-begin',
  'cancel-marked',
  'cancel-signalled',
  'cancel-end',
  'retry-claimed',
  'file-moved',
  'retry-files',
  'retry-submitted',
  'delete-begin',
  'delete-marked',
  'delete-moved',
  'restore-moved',
  'trash-begin',
  'trash-removed',
  'trash-references',
] as const

export type FaultPoint = (typeof faultPoints)[number]

const passes = new Map<FaultPoint, number>()

/**
 * A point at which a test may kill the program. With `QANAT_FAULT=/some/folder/NAME`, the process that reaches the point
 * NAME makes that file, as proof, and kills itself like `kill -9`. It does so only once. `NAME:3` means the third time
 * that the process reaches the point; several names are separated by commas.
 *
 * Only `node build.js --faults` keeps these calls; released programs contain none of them.
 */
export function faultPoint(name: FaultPoint): void {
  if (process.env.QANAT_FAULT) dieAt(name, process.env.QANAT_FAULT.split(','))
}

function dieAt(name: FaultPoint, wanted: readonly string[]): void {
  const pass = (passes.get(name) ?? 0) + 1
  passes.set(name, pass)
  const proof = wanted.find(path => basename(path) === (pass === 1 ? name : `${name}:${pass}`))
  if (proof === undefined || existsSync(proof)) return
  writeFileSync(proof, '')
  process.kill(process.pid, 'SIGKILL')
}
