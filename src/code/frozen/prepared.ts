import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { UserError } from '../../errors.js'
import { digestOfFile } from '../../system/digest.js'
import { isFile } from '../../system/files.js'
import { type HereOptions, runHere } from '../../system/programs.js'
import { inTemporaryFolder } from '../../system/temporary-folder.js'
import { openGit } from '../git.js'
import type { RunCode } from '../run-code.js'
import { hasEnvironments, isEnvironment } from './build-signs.js'
import { dropOwn, madeInCopy, readOwned, writeOwned } from './own-mark.js'
import { clone, stateInCopy } from './own-paths.js'

/** What a copy is prepared by, and for. */
interface Preparation {
  readonly prepare: readonly string[]
  /** Files and patterns, relative to the project. */
  readonly prepareInputs: readonly string[]
}

/**
 * A text that differs if commands, or what they are for, differ.
 * @param folder of the project in a copy, absolute
 * @throws UserError if an input matches nothing
 */
export async function preparationKey(folder: string, preparation: Preparation, code: RunCode): Promise<string> {
  const git = openGit(folder)
  return keyOf(preparation, code, async input => {
    const tracked = await git.run('ls-files', '--stage', '-z', '--', `:(glob)${input}`)
    if (tracked !== '') return tracked
    return isFile(join(folder, input)) ? digestOfFile(join(folder, input)) : ''
  })
}

/** The same for a copy on another machine, which has the files of its commit. */
export function preparationKeyThere(preparation: Preparation, code: RunCode): Promise<string> {
  const { git, prefix } = code.state
  return inTemporaryFolder(async folder => {
    const index = join(folder, 'index')
    if (preparation.prepareInputs.length > 0)
      await git.runWithIndex(index, 'read-tree', code.patch?.commit ?? code.commit)
    return keyOf(preparation, code, input =>
      git.runWithIndex(index, 'ls-files', '--full-name', '--stage', '-z', '--', `:(top,glob)${prefix}${input}`),
    )
  })
}

/** @param contentOf what tells the content of an input, such as the blobs of git; empty for nothing */
async function keyOf(
  { prepare, prepareInputs }: Preparation,
  { commit, patch }: RunCode,
  contentOf: (input: string) => Promise<string>,
): Promise<string> {
  const contents: string[] = []
  for (const input of prepareInputs) {
    const content = await contentOf(input)
    if (content === '')
      throw new UserError(
        `prepare_inputs: nothing in the commit matches ${input}`,
        "qanat config edit        corrects it; '**' stands for any folders",
      )
    contents.push(content)
  }
  return createHash('sha256')
    .update(JSON.stringify([prepare, contents.length > 0 ? contents : (patch?.tree ?? commit)]))
    .digest('hex')
}

/** The key for which a copy is prepared; null if it is not, or not to the end. */
export function preparedFor(copy: string): string | null {
  const { prepared } = readOwned(copy)
  return prepared !== null && 'key' in prepared ? prepared.key : null
}

/** Removes what an earlier preparation has made, or has left when it was interrupted, with the builds that it may have changed. */
export async function dropPreparation(copy: string): Promise<void> {
  const { builds, prepared } = readOwned(copy)
  if (prepared === null) return
  await dropOwn(copy)
  writeOwned(copy, { builds, prepared: null })
}

/** What an interrupted preparation has left counts as what scripts have made: they may have written there since. */
export function forgetPreparation(copy: string): void {
  writeOwned(copy, { builds: readOwned(copy).builds, prepared: null })
}

/** Notes that a preparation begins, and what was there before. */
export async function beginPreparation(copy: string): Promise<void> {
  const before = await madeInCopy(copy)
  writeOwned(copy, { builds: readOwned(copy).builds, prepared: { before } })
}

/** Runs the shell lines of a preparation. @param log absolute path of a file for their output, which they are given @returns their exit code */
export async function runPreparation(lines: string, log: string, options: HereOptions): Promise<number> {
  return (await runHere(['sh', '-c', lines, 'sh', log], options)).code
}

/** Notes what the commands have made in a copy. */
export async function endPreparation(copy: string, key: string): Promise<void> {
  const { builds, prepared } = readOwned(copy)
  const before = prepared !== null && 'before' in prepared ? prepared.before : []
  const paths = (await madeInCopy(copy)).filter(path => path in builds || !before.includes(path))
  const made = Object.fromEntries(paths.map(path => [path, stateInCopy(copy, path)]))
  writeOwned(copy, { builds, prepared: { key, made } })
}

/**
 * Clones what a preparation has made from another copy for the same inputs, if it is still as it was made.
 * @param copies absolute
 * @returns false if there is no such copy; environments and builds of CMake contain their own path, and are made again
 */
export async function takePreparation(copy: string, key: string, copies: readonly string[]): Promise<boolean> {
  for (const other of copies) {
    const { prepared } = readOwned(other)
    if (other === copy || prepared === null || !('key' in prepared) || prepared.key !== key) continue
    const paths = Object.entries(prepared.made)
    const isAsMade = paths.every(([path, state]) => {
      const place = join(other, path)
      return state !== null && state === stateInCopy(other, path) && !isEnvironment(place) && !hasEnvironments(place)
    })
    if (!isAsMade) continue
    let isWhole = true
    for (const [path] of paths) isWhole = (await clone(join(other, path), copy, path, [])) && isWhole
    return isWhole
  }
  return false
}
