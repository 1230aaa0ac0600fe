import { join } from 'node:path'
import { compareListings, differenceText, withHashes } from '../../domain/data/compare-listings.js'
import type { DataFile } from '../../domain/data/fingerprint.js'
import type { Run } from '../../domain/runs/run.js'
import { everything, hashOf } from '../../runfolder/files/outputs.js'
import { readFolder, type Workspace } from '../workspace.js'
import { listOutputs, outputsOf } from './outputs.js'

/**
 * How the files that a run had left at its end have changed since, in a few words; empty if they have not, or if nothing is
 * kept of them. Files that came later do not count; those that are not fetched are counted apart. A file of another time is read if its hash is kept.
 */
export async function changesSince(workspace: Workspace, run: Run): Promise<string> {
  const known = outputsOf(workspace, run)
  if (known === null) return ''
  const now = withHashes(listOutputs(workspace, run, everything), known.files)
  const before = new Map(known.files.map(file => [file.path, file]))
  const folder = readFolder(workspace, run)
  const files: DataFile[] = []
  for (const file of now.files) {
    const isRead = file.hash === null && before.get(file.path)?.hash && before.get(file.path)?.size === file.size
    files.push(isRead ? { ...file, hash: await hashOf(join(folder.path, file.path), file) } : file)
  }
  const difference = compareListings(known, { ...now, files })
  if (!folder.isMirror) return differenceText({ ...difference, added: [] })
  const { length } = difference.gone
  const changed = differenceText({ ...difference, added: [], gone: [] })
  return [changed, length === 0 ? '' : `${length} not fetched from ${run.site}`].filter(Boolean).join(', ')
}
