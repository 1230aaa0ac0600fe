import type { ExportedCrate } from '../../operations/crate/export-crate.js'
import { counted } from '../format/counted.js'
import { byteText } from '../format/sizes.js'

/** What was written. */
export function crateText({ path, run, files, bytes }: ExportedCrate): string {
  return `${path}: run ${run} as a Process Run Crate, with ${counted(files, 'file')} (${byteText(bytes)})`
}
