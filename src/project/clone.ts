import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Attempt } from '../domain/runs/launch.js'
import { atomicWrite } from '../system/files.js'
import { identifyFolder } from '../system/folders/identity.js'
import { identify, type Life, lifeOf, type ProcessIdentity } from '../system/process-identity.js'
import { readRegular } from '../system/regular-file.js'
import type { Project } from './find-project.js'

/**
 * A project on a disk, as `.qanat/clone.json` and each attempt that it launches record it. The file lies beside the database,
 * not in it: the runs of a project stay its own when its database is lost and rebuilt from their folders.
 */
export interface Clone {
  readonly id: string
  /** Absolute, without links. */
  readonly root: string
  /** Of the root. Hosts do not agree on the device of a network file system, so that it is not recorded. */
  readonly inode: string
}

/** What an attempt records of its launch: this program, which may still be running, and this clone. */
export function launcherOf({ root }: Pick<Project, 'root'>): object {
  return { ...identify(process.pid), clone: claimClone(root) }
}

/** The same once this program, which may still be running, has given the launch up. */
export function formerLauncherOf({ root }: Pick<Project, 'root'>): object {
  return { clone: claimClone(root) }
}

/** Whether the program that {@link launcherOf} recorded is still running, and launches. */
export function lifeOfLauncher(launcher: unknown): Life {
  const { pid } = launcher as Partial<ProcessIdentity>
  return pid === undefined ? 'dead' : lifeOf(launcher as ProcessIdentity)
}

/** The root of the project that launched an attempt, if that is another one: its processes and jobs are not ours. */
export function foreignRoot(attempt: Attempt, own: Clone | null): string | null {
  const { clone } = (attempt.launcher ?? {}) as { readonly clone?: Clone }
  return clone === undefined || clone.id === own?.id ? null : clone.root
}

/**
 * The record of this clone; null if there is none, or if it came along with a copy. It is ours if the recorded root leads
 * here (also through a link or another mount, and after the project was restored there), or if this folder has its inode
 * (the project was moved by a rename).
 *
 * Anything else is a copy, even if nothing is at the recorded root any more: the original may have been moved, or be on a
 * disk that is not mounted now, and then a copy that took over its id would cancel its jobs. So a project that was moved to
 * another disk is a copy, too, unless a link at its former place leads here, without which its jobs do not find their files
 * either.
 */
export function cloneOf({ root }: Pick<Project, 'root'>): Clone | null {
  const text = readRegular(recordOf(root))
  const recorded = text === null ? null : parse(text)
  return recorded !== null && isHere(recorded, root) ? recorded : null
}

/**
 * The record of this clone, for an attempt that it launches; made, or brought up to date, where need be. Only this writes it,
 * in the transaction that stores the attempt, so that never two commands do so at the same time.
 */
export function claimClone(root: string): Clone {
  const known = cloneOf({ root })
  const inode = identifyFolder(root)?.inode ?? ''
  if (known?.root === root && known.inode === inode) return known
  const clone = { id: known?.id ?? randomUUID(), root, inode }
  atomicWrite(recordOf(root), `${JSON.stringify(clone)}\n`)
  return clone
}

function recordOf(root: string): string {
  return join(root, '.qanat', 'clone.json')
}

/** Null for a text that was cut off. */
function parse(text: string): Clone | null {
  try {
    return JSON.parse(text) as Clone
  } catch {
    return null
  }
}

function isHere(recorded: Clone, root: string): boolean {
  if (recorded.root === root) return true
  const [here, there] = [identifyFolder(root), identifyFolder(recorded.root)]
  if (here?.inode === there?.inode && here?.device === there?.device) return true
  // The same inode on two disks tells nothing: the roots of all disks of a kind have the same one.
  return here?.inode === recorded.inode && there?.inode !== recorded.inode
}
