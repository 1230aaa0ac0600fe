import { dirname, join } from 'node:path'
import type { Project } from '../../project/find-project.js'
import { faultPoint } from '../../system/fault-point.js'
import { refuseLink } from '../../system/files.js'
import { withFreeLock, withLock } from './lock.js'

/**
 * Does `work` while holding the lock of that name in this project, against other commands on this or another host.
 * @param name `code`: the frozen copies; `config`: the settings; `comments`: those of runs;
 *   `image`: the one that is being built; `compile-DOCUMENT`: the runs and the exports of a document
 */
export async function withProjectLock<Result>(
  project: Project,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const file = lockFile(project, name)
  faultPoint('lock-wanted')
  return withLock(file, () => {
    faultPoint('lock-taken')
    return work()
  })
}

/** How long `ifProjectLockIsFree` waits, in milliseconds: longer than another run takes to end, not as long as a large checkout. */
const shortWait = 3_000

/** The same if the lock is free within a few seconds; otherwise it does nothing. */
export async function ifProjectLockIsFree(project: Project, name: string, work: () => Promise<void>): Promise<void> {
  await withFreeLock(lockFile(project, name), shortWait, work)
}

function lockFile(project: Project, name: string): string {
  const file = join(dirname(project.databaseFile), 'locks', name)
  for (const path of [dirname(file), file]) refuseLink(path)
  return file
}
