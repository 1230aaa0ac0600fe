import { basename } from 'node:path'
import { notedShells, shellNote } from '../../../code/frozen/shell-notes.js'
import type { Site, TerminalUse } from '../../../sites/site.js'
import { withFreeLock, withLock } from '../../../store/locks/lock.js'
import { beforeEnding } from '../../../system/signals.js'
import type { Workspace } from '../../workspace.js'

/** What may end the work of a shell. */
export type ShellEnds = Pick<TerminalUse, 'interruption' | 'ending'>

/**
 * Does the work of a shell. Until it ends, whatever ends it, the shell lives.
 * @param folder of the shell here, absolute
 * @param interruption aborted by Ctrl-C
 */
export function whileItLives<Result>(
  workspace: Workspace,
  folder: string,
  interruption: AbortSignal,
  work: (ends: ShellEnds) => Promise<Result>,
): Promise<Result> {
  return beforeEnding(async ending => {
    try {
      const ends = { interruption: AbortSignal.any([interruption, ending]), ending }
      return await withLock(lockOf(folder), () => work(ends))
    } finally {
      await forget(workspace, folder)
    }
  })
}

/** Notes where a shell is. Call with the lock of the copies held. @param copy name of its frozen copy; empty for none */
export async function noteShell({ here }: Workspace, folder: string, site: Site, copy: string): Promise<void> {
  const text = JSON.stringify({ site: site.name, copy })
  await here.put({ here: folder, there: folder }, [{ path: shellNote, text: [text] }])
}

/** The names of the frozen copies in which shells live. */
export async function copiesOfShells({ project }: Workspace): Promise<Set<string>> {
  const copies = new Set<string>()
  for (const { folder, copy } of notedShells(project.cacheFolder)) if (!(await isDead(folder))) copies.add(copy)
  return copies
}

/** Removes what shells at a site have left that were killed; what a person made stays. */
export async function removeDeadShells(workspace: Workspace, site: Site): Promise<void> {
  for (const shell of notedShells(workspace.project.cacheFolder)) {
    if (shell.site !== site.name || !(await isDead(shell.folder))) continue
    await leaveShell(workspace, site, shell.folder)
    await forget(workspace, shell.folder)
  }
}

/** Removes what a shell needs that has ended, and its folder if nothing else is in it. @param folder here, absolute */
export async function leaveShell({ project }: Workspace, site: Site, folder: string): Promise<void> {
  await site.leaveTerminal?.(site.there(folder))
  await site.mutate({ here: folder, there: site.there(folder) }, [{ remove: '.run' }])
  const cache = { here: project.cacheFolder, there: site.there(project.cacheFolder) }
  await site.mutate(cache, [{ removeEmpty: basename(folder) }])
}

async function isDead(folder: string): Promise<boolean> {
  let isFree = false
  await withFreeLock(lockOf(folder), 0, async () => {
    isFree = true
  })
  return isFree
}

function forget({ here, project }: Workspace, folder: string): Promise<void> {
  const { cacheFolder } = project
  const lock = basename(lockOf(folder))
  // SQLite has a file of its own beside a lock that is held.
  return here.mutate({ here: cacheFolder, there: cacheFolder }, [{ remove: lock }, { remove: `${lock}-journal` }])
}

function lockOf(folder: string): string {
  return `${folder}.lock`
}
