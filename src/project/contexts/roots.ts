import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { atomicWrite } from '../../system/files.js'
import { readRegular } from '../../system/regular-file.js'
import type { Clone } from '../clone.js'
import type { Project } from '../find-project.js'
import type { Context } from './contexts.js'

/** The root of a context as it was last expanded there; null if nobody has asked since it was written. */
export function expandedRoot(context: Pick<Context, 'host' | 'root'>): string | null {
  return context.root.startsWith('/') && !context.root.includes('$') ? context.root : readRegular(recordOf(context))
}

/** Records what a root is there. @param root absolute */
export function recordRoot(context: Pick<Context, 'host' | 'root'>, root: string): void {
  atomicWrite(recordOf(context), root)
}

function recordOf({ host, root }: Pick<Context, 'host' | 'root'>): string {
  const name = createHash('sha256')
    .update(JSON.stringify([host, root]))
    .digest('hex')
    .slice(0, 16)
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'qanat/roots', name)
}

/** The folder of this clone below a root: two clones never share one. */
export function folderOfClone({ root }: Pick<Project, 'root'>, clone: Pick<Clone, 'id'>): string {
  return `${basename(root)}-${clone.id.slice(0, 8)}`
}
