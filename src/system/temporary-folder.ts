import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OperationError } from '../errors.js'

/** Does work with a folder of its own, which is removed afterwards. @throws OperationError if none can be made */
export async function inTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = makeTemporaryFolder('qanat-')
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes a temporary folder that stays. @param prefix of its name @throws OperationError that names TMPDIR if it cannot be made */
export function makeTemporaryFolder(prefix: string): string {
  const place = tmpdir()
  try {
    return mkdtempSync(join(place, prefix))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') throw error
    const reason = code === 'ENOENT' || code === 'ENOTDIR' ? 'there is no such folder' : 'nothing can be made there'
    throw new OperationError(
      `no temporary folder can be made in ${place}: ${reason}`,
      'name another folder: export TMPDIR=/tmp',
    )
  }
}
