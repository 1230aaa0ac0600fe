import type { Attempt } from '../../domain/runs/launch.js'
import type { Run } from '../../domain/runs/run.js'
import { OperationError } from '../../errors.js'
import { hasDatabase, projectAt } from '../../project/find-project.js'
import { readSupervisor } from '../../runfolder/evidence/supervisor-file.js'
import { supervisorLog } from '../../runfolder/layout.js'
import { readVariables } from '../../runfolder/secrets/variables.js'
import { Store } from '../../store/store.js'
import { realPath } from '../../system/files.js'
import { identifyFolder } from '../../system/folders/identity.js'
import { identify, lifeOf, openFilesOf, type ProcessIdentity, thisMachine } from '../../system/process-identity.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** The program that launches an attempt, and its project, whose root and inode earlier versions did not record. */
interface Launcher extends ProcessIdentity {
  readonly project?: { readonly root?: string; readonly inode: string }
}

/** This program as the launcher of an attempt. */
export function thisLauncher({ project: { root } }: Workspace): Launcher | null {
  const program = identify(process.pid)
  return program && { ...program, project: { root, inode: identifyFolder(root).inode } }
}

/**
 * The root of the project that launched an attempt, if this one is a copy of it. Null if this one counts as that project: it
 * is where the attempt was launched, or no project that knows the run is there any more. Another inode or device alone makes no
 * copy: a project gets them when it is restored, when its disk is mounted again, and when it is moved to another disk.
 */
export function originalOf(workspace: Workspace, run: Run, attempt: Attempt): string | null {
  const { store } = workspace
  const launcher = (attempt.launcher ?? {}) as Partial<Launcher>
  const isQueue = workspace.findRunner(run.runner).kind.evidence === 'queue'
  // Processes of an earlier boot are dead wherever they lived.
  if (!isQueue && launcher.bootId !== thisMachine().bootId) return null
  const root = launcher.project?.root ?? rootInSettings(workspace, run, attempt)
  if (root === null || root === workspace.project.root) return null
  const project = projectAt(root, [])
  const unlessMoved = () => (isQueue ? null : movedOriginal(workspace, run, attempt))
  if (!hasDatabase(project)) return unlessMoved()
  const [here, there] = [identifyFolder(workspace.project.root), identifyFolder(root)]
  // The same folder may be seen at several paths.
  if (here.inode === there.inode && here.device === there.device) return null
  // After a project was moved, another one may be made where it was.
  if (!mayKnowRun(project.databaseFile, store.runs.token(run.id))) return unlessMoved()
  // After a project was moved, a copy of it may be made where it was.
  const wasHere = here.inode === launcher.project?.inode && there.inode !== launcher.project.inode
  return wasHere ? null : root
}

/** Whether a project knows a run, also a deleted one. If its database cannot be read now, it may, and its jobs are left alone. */
function mayKnowRun(databaseFile: string, token: string): boolean {
  try {
    const store = Store.openForReading(databaseFile)
    try {
      return store.runs.places().some(place => place.token === token)
    } finally {
      store.close()
    }
  } catch {
    return true
  }
}

/**
 * The root of the project that launched an attempt, if it was moved and the supervisor still runs there; null if that is this
 * project, or is not known.
 */
function movedOriginal(workspace: Workspace, { storagePath }: Run, { attempt }: Attempt): string | null {
  const supervisor = readSupervisor(absolutePath(workspace, storagePath), attempt)
  if (supervisor === null || lifeOf(supervisor) !== 'lives') return null
  const end = `/${storagePath}/${supervisorLog}`
  const log = openFilesOf(supervisor.pid).find(path => path.endsWith(end))
  const root = log?.slice(0, -end.length)
  return root === undefined || root === realPath(workspace.project.root) || !hasDatabase(projectAt(root, []))
    ? null
    : root
}

/** The root of the project as the job script of an attempt has it. */
function rootInSettings(workspace: Workspace, { storagePath }: Run, { attempt }: Attempt): string | null {
  const variables = readVariables(absolutePath(workspace, storagePath), attempt, ['QANAT_PROJECT'])
  return typeof variables === 'string' ? null : variables.QANAT_PROJECT!
}

/** The error about a run that belongs to the original of this project. @param command to type there */
export function copiedError(
  { id }: Run,
  original: string,
  command: 'cancel' | 'logs' | 'retry' | 'wait',
): OperationError {
  return new OperationError(
    `run ${id} belongs to the project in ${original}: this project counts as a copy of it, and leaves the processes and jobs of the run alone`,
    `qanat run_${command} ${id}        in ${original}
${giveUpCommand(id)}`,
  )
}

/** @throws OperationError if all launches of a run, which is not over, were made by the project that this one is a copy of */
export function refuseCopied(
  run: Run,
  attempts: readonly Attempt[],
  copied: ReadonlyMap<number, string>,
  command: 'logs' | 'retry' | 'wait',
): void {
  const [original] = copied.values()
  if (original !== undefined && copied.size === attempts.length) throw copiedError(run, original, command)
}

/** What to type if a copied run should be over in the copy. */
export function giveUpCommand(id: number): string {
  return `qanat run_cancel ${id} --give_up        counts its open groups as lost, only in this copy`
}
