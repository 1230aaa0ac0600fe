import { statSync } from 'node:fs'

/** Tells a folder from its copies, wherever it is moved on its file system. */
export interface FolderIdentity {
  readonly inode: string
  /** Each host, and each mount, may give the same file system another one. */
  readonly device: string
}

/** The identity of a folder; null if there is none, or it cannot be looked at. Links are followed. */
export function identifyFolder(path: string): FolderIdentity | null {
  try {
    const { ino, dev } = statSync(path, { bigint: true })
    return { inode: String(ino), device: String(dev) }
  } catch {
    return null
  }
}
