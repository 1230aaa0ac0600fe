import type { ExportedCrate } from '../../operations/crate/export-crate.js'
import { byteText } from '../format/sizes.js'

/** What was written. */
export function crateText({ path, run, files, bytes }: ExportedCrate): string {
  return `${path}: run ${run} as a Process Run Crate, with ${files} file${files === 1 ? '' : 's'} (${byteText(bytes)})`
}
