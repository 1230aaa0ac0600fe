import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { atomicWrite } from '../../system/files.js'
import { readRegular } from '../../system/regular-file.js'
import type { Clone } from '../clone.js'
import type { Project } from '../find-project.js'

/** A folder of a context as it was last expanded there; null if nobody has asked since it was written. */
export function expandedFolder(host: string, folder: string): string | null {
  return folder.startsWith('/') && !folder.includes('$') ? folder : readRegular(recordOf(host, folder))
}

/** Records what a folder is there. @param expanded absolute */
export function recordFolder(host: string, folder: string, expanded: string): void {
  atomicWrite(recordOf(host, folder), expanded)
}

function recordOf(host: string, folder: string): string {
  const name = createHash('sha256')
    .update(JSON.stringify([host, folder]))
    .digest('hex')
    .slice(0, 16)
  return join(stateFolder(), 'roots', name)
}

/** Where this user keeps what is of this machine. Pods have its name, too, and may not look into the home of root. */
export function stateFolder(): string {
  const usual = process.getuid?.() === 0 ? '/var/lib' : join(homedir(), '.local/state')
  return join(process.env.XDG_STATE_HOME || usual, 'qanat')
}

/** The folder of this clone below a root: two clones never share one. */
export function folderOfClone({ root }: Pick<Project, 'root'>, clone: Pick<Clone, 'id'>): string {
  return `${basename(root)}-${clone.id.slice(0, 8)}`
}
