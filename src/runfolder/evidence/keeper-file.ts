import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { identify, type ProcessIdentity } from '../../system/process-identity.js'
import { holdFile, keeperFile, poolPlan, slotsFile } from '../layout.js'

/** The keeper of the pool of an attempt, as recorded by itself; null if it did not get that far. */
export function readKeeper(storagePath: string, attempt: number): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(`${storagePath}/${keeperFile(attempt)}`, 'utf8')) as ProcessIdentity
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whether the plan of the pool of an attempt is there. */
export function hasPlan(storagePath: string, attempt: number): boolean {
  return existsSync(`${storagePath}/${poolPlan(attempt)}`)
}

/** How many slots the pool of an attempt has now; null if that was not changed. */
export function readSlots(storagePath: string, attempt: number): number | null {
  const path = `${storagePath}/${slotsFile(attempt)}`
  return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : null
}

/** Positions of those groups that were claimed for a pool: see pool.sh. @param indices the groups of the attempt @param wanted some of them */
export function claimedPositions(
  storagePath: string,
  groupCount: number,
  indices: readonly number[],
  wanted: ReadonlySet<number>,
): number[] {
  return indices.flatMap((index, position) =>
    wanted.has(index) && existsSync(`${groupFolder(storagePath, groupCount, index)}/stdout.txt`) ? position : [],
  )
}

/** Whether a slot of the pool of an attempt waits for a free GPU. */
export function waitsForGpu(storagePath: string, attempt: number): boolean {
  const pool = dirname(`${storagePath}/${keeperFile(attempt)}`)
  return existsSync(pool) && readdirSync(pool).some(name => name.startsWith('waits_'))
}

/** Lets the pool of a local run start no more groups, until what is returned is called, or this process has ended. */
export function holdStarts(storagePath: string): () => void {
  const path = `${storagePath}/${holdFile}`
  writeFileSync(`${path}.new`, JSON.stringify(identify(process.pid)))
  renameSync(`${path}.new`, path)
  return () => rmSync(path, { force: true })
}
