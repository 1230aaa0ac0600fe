import { UnwritableDatabaseError } from '../errors.js'
import { explainDatabase } from '../store/database.js'
import type { Store } from '../store/store.js'
import type { Workspace } from './workspace.js'

/** Databases for which a warning has said that they cannot be written. */
const told = new WeakSet<Store>()

/**
 * Finds out what is new and stores it. If the project cannot be written, one warning says that new facts are left out.
 */
export async function asFarAsStored(workspace: Workspace, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    warnOnce(workspace, error)
  }
}

/** Reads metrics and stores them: only in memory, with the same warning, if the project cannot be written. */
export function storingReadings(workspace: Workspace, work: () => void): void {
  try {
    work()
  } catch (error) {
    warnOnce(workspace, error)
    workspace.store.readings.keepInMemory()
    work()
  }
}

/** @throws any other error */
function warnOnce({ store, warn }: Workspace, error: unknown): void {
  const explained = explainDatabase(error)
  if (!(explained instanceof UnwritableDatabaseError)) throw error
  if (told.has(store)) return
  told.add(store)
  warn(`${explained.message}: new metrics are read but not stored, and all other changes are left out`)
}
