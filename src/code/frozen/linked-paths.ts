import { lstatSync, readdirSync, readlinkSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isFolder } from '../../system/files.js'
import { provideDvcData, warnOfDvc } from '../imports/dvc-data.js'
import { provideNodeModules } from '../imports/node-modules.js'
import { isInsideCopy, linkNeighbours, linkTo } from './ignored-paths.js'

/** Of a folder of the tree with more files, the copy has one link: launches wait for the others. */
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
    const isMissing = data.missing.includes(path)
    const isOfCommit = data.places.has(path)
    const root = isOfCommit ? data.folder : gitRoot
    const isFolderOfData = data.folders.includes(path) && !isMissing && isFolder(join(root, path))
    // Those of the commit are links already, of which no other launch may find what a script has left among them.
    const most = isOfCommit ? Number.POSITIVE_INFINITY : filesAtMost
    const files = isFolderOfData ? filesBelow(root, path, most) : []
    const isDivided = files.length > 0 && files.length <= most
    const wanted = new Map(isDivided ? files.map(file => [file, join(root, file)]) : [])
    if (isInsideCopy(copy, path)) dropLinks([gitRoot, data.folder], copy, path, wanted)
    const target = nodeModules.get(path) ?? data.places.get(path) ?? join(gitRoot, path)
    linkTo(isDivided || isMissing ? null : target, copy, path)
    for (const [file, place] of wanted) linkTo(place, copy, file)
  }
  linkNeighbours(gitRoot, dirname(copy), warn)
}

/**
 * Removes our links to files in a folder of a copy, and the folder if nothing else is in it.
 * @param roots to whose files our links lead, absolute
 * @param wanted the links that stay, by their paths
 */
function dropLinks(roots: readonly string[], copy: string, path: string, wanted: ReadonlyMap<string, string>): void {
  const folder = join(copy, path)
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const names = readdirSync(folder)
  for (const name of names) {
    const [place, file] = [join(folder, name), join(path, name)]
    if (!lstatSync(place).isSymbolicLink()) {
      dropLinks(roots, copy, file, wanted)
      continue
    }
    const target = readlinkSync(place)
    if (wanted.get(file) !== target && roots.some(root => target === join(root, file))) rmSync(place)
  }
  if (names.length > 0 && readdirSync(folder).length === 0) rmdirSync(folder)
}

/** The files of a folder, relative to the root as the folder is; a few more than `most` if there are more. */
function filesBelow(root: string, path: string, most: number, found: string[] = []): string[] {
  for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
    if (found.length > most) return found
    if (entry.isDirectory()) filesBelow(root, join(path, entry.name), most, found)
    else found.push(join(path, entry.name))
  }
  return found
}
