import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { readRegular } from '../../system/regular-file.js'

/** The JSON files in a folder; those that cannot be read are left out. @param folder absolute */
export function notesIn<Note>(folder: string, schema: v.GenericSchema<unknown, Note>): Note[] {
  return namesIn(folder).flatMap(name => {
    try {
      return [v.parse(schema, JSON.parse(readRegular(join(folder, name)) ?? ''))]
    } catch {
      return []
    }
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.json'))
  } catch {
    return []
  }
}
