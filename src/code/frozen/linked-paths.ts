import { dirname, join } from 'node:path'
import { provideDvcData, warnOfDvc } from '../imports/dvc-data.js'
import { provideNodeModules } from '../imports/node-modules.js'
import { linkNeighbours, linkTo } from './ignored-paths.js'

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
    linkTo(data.missing.includes(path) ? null : target, copy, path)
  }
  linkNeighbours(gitRoot, dirname(copy), warn)
}
