import { existsSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

/** Moments at which a crash is tried out, see {@link faultPoint}. */
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
  'run-folder',
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
  // A launch that is taken back.
  'drop-begin',
  'drop-reference',
  'drop-folder',
  // The supervisor.
  'supervisor-ordered',
  'supervisor-known',
  'supervisor-ready',
  'slot-started',
  'slot-known',
  'slot-given',
  'slot-answered',
  'slot-closed',
  'supervisor-stopping',
  // Every command that asks how runs are.
  'refresh-found',
  'refresh-polled',
  'refresh-stored',
  'refresh-end',
  // Cancelling, retrying, deleting, cleaning.
  'cancel-begin',
  'cancel-marked',
  'cancel-signalled',
  'cancel-end',
  'retry-claimed',
  'retry-moved',
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
 * With `QANAT_FAULT=/some/folder/NAME` the program that comes there kills itself as `kill -9` would, once: it leaves that
 * file as the proof. `NAME:3` means the third pass; several are separated by commas. Without the variable nothing happens.
 * Only `node build.js --faults` keeps the calls: in what users get there are none.
 */
export function faultPoint(name: FaultPoint): void {
  if (process.env.QANAT_FAULT) dieIfWanted(name, process.env.QANAT_FAULT.split(','))
}

function dieIfWanted(name: FaultPoint, wanted: readonly string[]): void {
  const pass = (passes.get(name) ?? 0) + 1
  passes.set(name, pass)
  const proof = wanted.find(path => basename(path) === (pass === 1 ? name : `${name}:${pass}`))
  if (proof === undefined || existsSync(proof)) return
  writeFileSync(proof, '')
  process.kill(process.pid, 'SIGKILL')
}
