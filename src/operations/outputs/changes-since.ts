import { join } from 'node:path'
import { compareListings, differenceText, withHashes } from '../../domain/data/compare-listings.js'
import type { DataFile } from '../../domain/data/fingerprint.js'
import type { Run } from '../../domain/runs/run.js'
import { everything, hashOf } from '../../runfolder/files/outputs.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { listOutputs, outputsOf } from './outputs.js'

/**
 * How the files that a run had left at its end have changed since, in a few words; empty if they have not, or if nothing is
 * kept of them. Files that came later do not count. A file of another time is read if its hash is kept.
 */
export async function changesSince(workspace: Workspace, run: Run): Promise<string> {
  const known = outputsOf(workspace, run)
  if (known === null) return ''
  const now = withHashes(listOutputs(workspace, run, everything), known.files)
  const before = new Map(known.files.map(file => [file.path, file]))
  const folder = absolutePath(workspace, run.storagePath)
  const files: DataFile[] = []
  for (const file of now.files) {
    const isRead = file.hash === null && before.get(file.path)?.hash && before.get(file.path)?.size === file.size
    files.push(isRead ? { ...file, hash: await hashOf(join(folder, file.path), file) } : file)
  }
  return differenceText({ ...compareListings(known, { ...now, files }), added: [] })
}
