import { join } from 'node:path'
import * as v from 'valibot'
import type { ActionRecord } from '../../domain/action-record.js'
import { privateMode } from '../../domain/private-mode.js'
import { atomicWrite, explainWriting } from '../../system/files.js'
import { actionsFolder } from '../layout.js'
import { holdsRun } from '../record.js'
import { notesIn } from './notes.js'

const text = v.string()
const orNull = v.nullable(text)
const file = { path: text, size: v.number(), digest: orNull }
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Format 1 of the record of an action. */
const schema = v.object({
  format: v.literal(1),
  id: v.pipe(text, v.regex(/^[\w-]+$/)),
  action: text,
  experiment: text,
  runs: v.array(v.object({ id: count, token: text, groups: v.nullable(v.array(count)) })),
  document: orNull,
  command: v.array(text),
  script: v.object({ path: text, commit: orNull, patch: orNull, content: orNull }),
  tree: v.optional(v.nullable(v.object({ commit: text, changed: count, files: v.array(text), code: orNull })), null),
  user: text,
  host: text,
  process: v.unknown(),
  started: v.number(),
  finished: v.nullable(v.number()),
  exitCode: v.nullable(v.number()),
  inputs: v.object({ files: count, bytes: count, listed: v.array(v.object(file)), complete: v.boolean() }),
  made: v.array(v.object({ ...file, change: v.picklist(['made', 'changed', 'removed']) })),
  complete: v.boolean(),
  shared: v.boolean(),
})

/** Name of the file beside the record of an action with the uncommitted changes of its script. */
export function actionPatch(id: string): string {
  return `${id}.patch`
}

/**
 * Writes the record of an action to the folder of a run that it worked on, in place of the earlier one. A folder that is
 * gone, or was replaced, is left alone.
 * @param folder of the run, absolute
 * @param patch uncommitted changes of its script, written with the first record
 */
export function writeAction(
  folder: string,
  token: string,
  record: ActionRecord,
  patch: Uint8Array | null = null,
): void {
  if (!holdsRun(folder, token)) return
  const mode = privateMode(process.umask())
  try {
    if (patch) atomicWrite(join(folder, actionsFolder, actionPatch(record.id)), patch, mode)
    atomicWrite(join(folder, actionsFolder, `${record.id}.json`), `${JSON.stringify(record, null, 1)}\n`, mode)
  } catch (error) {
    throw explainWriting(error)
  }
}

/** The records of the actions on a run; those that cannot be read are left out. @param folder of the run, absolute */
export function readActions(folder: string): ActionRecord[] {
  return notesIn(join(folder, actionsFolder), schema)
}
