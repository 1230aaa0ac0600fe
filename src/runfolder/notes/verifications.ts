import { join } from 'node:path'
import * as v from 'valibot'
import { privateMode } from '../../domain/private-mode.js'
import { type KeptVerification, verdicts } from '../../domain/results/reproduced.js'
import { atomicWrite, explainWriting } from '../../system/files.js'
import { verificationsFolder } from '../layout.js'
import { holdsRun } from '../record.js'
import { notesIn } from './notes.js'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const counts = v.record(v.picklist(verdicts), count)

/** Format 1 of how a run that was launched again compares with the first one. */
const schema = v.object({
  format: v.literal(1),
  run: count,
  again: count,
  verified: v.number(),
  isReproduced: v.boolean(),
  rtol: v.number(),
  ignore: v.array(v.string()),
  files: counts,
  metrics: counts,
  differences: v.array(
    v.object({ group: count, of: v.picklist(['file', 'metric', 'end']), name: v.string(), result: v.string() }),
  ),
  more: count,
  conditions: v.array(v.string()),
  unknown: v.array(v.string()),
})

/** Writes it to the folder of one of both runs. A folder that is gone, or was replaced, is left alone. @param folder absolute */
export function writeVerification(folder: string, token: string, verification: KeptVerification): void {
  if (!holdsRun(folder, token)) return
  const file = join(folder, verificationsFolder, `${verification.again}.json`)
  const text = JSON.stringify({ format: 1, ...verification }, null, 1)
  try {
    atomicWrite(file, `${text}\n`, privateMode(process.umask()))
  } catch (error) {
    throw explainWriting(error)
  }
}

/** What is in the folder of a run, the oldest first; what cannot be read is left out. @param folder absolute */
export function verificationsIn(folder: string): KeptVerification[] {
  const notes = notesIn(join(folder, verificationsFolder), schema)
  return notes.map(({ format, ...verification }) => verification).sort((one, other) => one.verified - other.verified)
}
