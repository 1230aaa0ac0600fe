import { join } from 'node:path'
import { withHashes } from '../../domain/data/compare-listings.js'
import type { DataListing } from '../../domain/data/fingerprint.js'
import { removeFile } from '../../system/files.js'
import type { Project } from '../find-project.js'
import { readListingFile, writeListingFile } from './listings.js'

// What is kept of the outputs of a run: the size and the time of each file that its groups had left at its end, and its hash
// where the experiment asks for it. It is kept in the project, since the folder of the run may go.

/** What is kept of the outputs of a run; null if nothing is. @param token of the run */
export function readOutputs(project: Project, token: string): DataListing | null {
  return readListingFile(fileOf(project, token))
}

/** Keeps a listing of the outputs of a run, with the hashes that are known of files which have not changed since. */
export function writeOutputs(project: Project, token: string, listing: DataListing): DataListing {
  const kept = withHashes(listing, readOutputs(project, token)?.files ?? [])
  writeListingFile(fileOf(project, token), kept)
  return kept
}

/** Removes what is kept of a run that was deleted for good. */
export function forgetOutputs(project: Project, token: string): void {
  removeFile(fileOf(project, token))
}

function fileOf({ dataFolder }: Project, token: string): string {
  return join(dataFolder, 'outputs', `${token}.gz`)
}
