import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import { hasEnded, type Run } from '../../domain/runs/run.js'
import { fewOf } from '../../domain/text/names.js'
import { OperationError } from '../../errors.js'
import { type Clone, cloneOf } from '../../project/clone.js'
import { endGroupProcesses, GroupProcesses } from '../../runfolder/evidence/group-processes.js'
import type { MarkedProcess } from '../../system/processes/marked.js'
import { siteOf, type Workspace } from '../workspace.js'

/** Of more processes, no command that ends them is shown: it would fill the screen. */
const mostEnded = 20

/** How long a process that was killed with its group may take to go, in milliseconds. */
const dyingTime = 300

/**
 * The processes on this machine that groups of a run have started and that have outlived them.
 * @param marked those of all groups
 */
export function processesLeft(workspace: Workspace, run: Run, marked = new GroupProcesses()): MarkedProcess[] {
  if (!marked.mayHave(run.id)) return []
  const groupCount = totalOf(run.counts)
  const found = foldersOf(workspace, run).flatMap(there => marked.of({ runId: run.id, place: { there }, groupCount }))
  if (isOver(run.counts) || found.length === 0) return found
  const ended = new Set(
    workspace.store.runs.groups(run.id).flatMap(({ index, status }) => (hasEnded(status.state) ? index : [])),
  )
  return found.filter(({ group }) => ended.has(group))
}

/** Where the run is, and where it was when it was launched: this project may have been moved since. */
function foldersOf(workspace: Workspace, run: Run): string[] {
  const own = cloneOf(workspace.project)?.id
  const clones = workspace.store.attempts.of(run.id).flatMap(({ launcher }) => {
    const { clone } = (launcher ?? {}) as { readonly clone?: Clone }
    return clone !== undefined && clone.id === own ? clone.root : []
  })
  const roots = [workspace.project.root, ...clones]
  return [...new Set(roots.map(root => siteOf(workspace, run).there(resolve(root, run.storagePath))))]
}

/** Warns of what groups of these runs, which have just ended, have left running. */
export async function warnOfProcessesLeft(workspace: Workspace, runs: readonly Run[]): Promise<void> {
  if (runs.length === 0) return
  const marked = new GroupProcesses()
  for (const run of runs) {
    if (processesLeft(workspace, run, marked).length === 0) continue
    await sleep(dyingTime)
    const left = processesLeft(workspace, run)
    if (left.length > 0) workspace.warn(`run ${run.id} has left running: ${leftRunning(run, left)}`)
  }
}

/**
 * Ends what groups have left running before they are launched again: two attempts would write into one folder.
 * @param groups their indices
 * @throws OperationError if something cannot be ended
 */
export async function endProcessesLeft(workspace: Workspace, run: Run, groups: readonly number[]): Promise<void> {
  const wanted = new Set(groups)
  const find = (marked = new GroupProcesses()) =>
    processesLeft(workspace, run, marked).filter(({ group }) => wanted.has(group))
  const living = find()
  if (living.length === 0) return
  workspace.warn(`${describeProcesses(run, living)} still ran, and had to end before the retry`)
  const left = await endGroupProcesses(find)
  if (left.length === 0) return
  throw new OperationError(
    `${describeProcesses(run, left)} cannot be ended, and would go on writing beside the retry`,
    `kill -KILL ${left.map(({ pid }) => pid).join(' ')}        if you may end more than this program`,
  )
}

/** What still runs, and how to end it; empty if nothing does. */
export function leftRunning(run: Run, processes: readonly MarkedProcess[]): string {
  if (processes.length === 0) return ''
  const ids = processes.map(({ pid }) => pid).join(' ')
  return `${describeProcesses(run, processes)}${processes.length > mostEnded ? '' : ` (to end it: kill ${ids})`}`
}

/** Such as `process 4711 (sh) of group 3`. */
function describeProcesses({ counts }: Run, processes: readonly MarkedProcess[]): string {
  const of = (group: number) => (totalOf(counts) === 1 ? '' : ` of group ${group}`)
  const names = processes.map(({ pid, name, group }) => `process ${pid} (${name})${of(group)}`)
  return fewOf(names)
}
