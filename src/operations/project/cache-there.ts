import { relative } from 'node:path'
import { OperationError } from '../../errors.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import type { Workspace } from '../workspace.js'
import type { CachedCode, CleanedCache } from './cache.js'
import script from './cache-there.sh?raw'

/** How long the other machine may take, in milliseconds: copies may have very many files. */
const patience = 600_000

/** The frozen copies of this project in the context of a workspace, by name. @throws SchedulerError if it cannot be reached */
export async function cachedThere(workspace: Workspace): Promise<CachedCode[]> {
  const { project, store } = workspace
  const live = new Set(store.runs.live().map(({ frozen }) => frozen))
  const users = store.runs.usersOfFrozenCode()
  const lines = await ask(workspace, 'status')
  return lines.map(line => {
    const [, kilobytes, name] = /^(\d+) (.*)$/.exec(line)!
    const stored = `${relative(project.root, project.cacheFolder)}/${name}`
    const runs = users.filter(({ frozen }) => frozen === stored).map(({ id }) => id)
    return { name: name!, bytes: Number(kilobytes) * 1024, runs, isUsed: live.has(stored) }
  })
}

/** Removes those that no live run uses and in which no script has left files. */
export function cleanThere(workspace: Workspace): Promise<CleanedCache> {
  return withProjectLock(workspace.project, 'code', async () => {
    const all = await cachedThere(workspace)
    const unused = all.filter(({ isUsed }) => !isUsed)
    const found = (await ask(workspace, 'left', unused)).map(line => /^(\S+) (.*)$/.exec(line)!.slice(1))
    const kept = unused.flatMap(({ name }) => {
      const files = found.flatMap(([copy, file]) => (copy === name ? file!.replace(`./${name}/`, '') : []))
      return files.length > 0 ? [{ name, left: files }] : []
    })
    const removed = unused.filter(({ name }) => !kept.some(each => each.name === name))
    await ask(workspace, 'remove', removed)
    return { removed, kept, stages: 0, hasUsed: unused.length < all.length }
  })
}

/** @returns the lines that it prints */
async function ask(
  { site, project }: Workspace,
  order: 'status' | 'left' | 'remove',
  copies?: readonly CachedCode[],
): Promise<string[]> {
  if (copies?.length === 0) return []
  const names = copies?.map(({ name }) => name) ?? []
  const { stdout, stderr, exitCode } = await site.run(
    ['sh', '-c', script, 'sh', site.there(project.cacheFolder), order, ...names],
    { timeout: patience },
  )
  if (exitCode !== 0) throw new OperationError(`${site.name} has refused: ${stderr || `exit ${exitCode}`}`, 'try again')
  return stdout.split('\n').filter(line => line !== '')
}
