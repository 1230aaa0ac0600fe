import { lstatSync, readdirSync, readlinkSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isFolder } from '../../system/files.js'
import { provideDvcData, warnOfDvc } from '../imports/dvc-data.js'
import { provideNodeModules } from '../imports/node-modules.js'
import { isInsideCopy, linkNeighbours, linkTo } from './ignored-paths.js'

/** Of a folder with more files, the copy has one link: launches wait for the others. */
const filesAtMost = 2_000

/**
 * Makes or updates the links of a copy: to ignored paths of the tree, or to what stands for them, and beside the copy.
 * @param copy absolute
 * @param links relative to the root of the repository
 * @param warn called if something is in the place of a link, or if data are not those of the commit
 */
export async function linkIgnored(
  gitRoot: string,
  copy: string,
  links: readonly string[],
  warn: (message: string) => void,
): Promise<void> {
  const nodeModules = provideNodeModules(gitRoot, copy, links)
  const data = await provideDvcData(gitRoot, copy)
  warnOfDvc(data, links, warn)
  for (const path of new Set([...links, ...data.places.keys()])) {
    const target = nodeModules.get(path) ?? data.places.get(path) ?? join(gitRoot, path)
    const isFolderOfData = data.folders.includes(path) && isFolder(join(gitRoot, path))
    const files = isFolderOfData ? filesBelow(gitRoot, path) : []
    const isDivided = files.length > 0 && files.length <= filesAtMost
    if (!isDivided && isInsideCopy(copy, path)) dropLinks(gitRoot, copy, path)
    linkTo(isDivided || data.missing.includes(path) ? null : target, copy, path)
    if (isDivided) for (const file of files) linkTo(join(gitRoot, file), copy, file)
  }
  linkNeighbours(gitRoot, dirname(copy), warn)
}

/** Removes our links to files in a folder of a copy, and the folder if nothing else is in it. */
function dropLinks(gitRoot: string, copy: string, path: string): void {
  const folder = join(copy, path)
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const names = readdirSync(folder)
  for (const name of names) {
    const place = join(folder, name)
    if (!lstatSync(place).isSymbolicLink()) dropLinks(gitRoot, copy, join(path, name))
    else if (readlinkSync(place) === join(gitRoot, path, name)) rmSync(place)
  }
  if (names.length > 0 && readdirSync(folder).length === 0) rmdirSync(folder)
}

/** The files of a folder of the tree, relative to it as the folder is; more than are linked if there are more. */
function filesBelow(gitRoot: string, path: string, found: string[] = []): string[] {
  for (const entry of readdirSync(join(gitRoot, path), { withFileTypes: true })) {
    if (found.length > filesAtMost) return found
    if (entry.isDirectory()) filesBelow(gitRoot, join(path, entry.name), found)
    else found.push(join(path, entry.name))
  }
  return found
}
