import { join, relative } from 'node:path'
import { deployCode } from '../../../code/deployed.js'
import type { FrozenCode } from '../../../code/frozen/frozen-code.js'
import type { RunCode } from '../../../code/run-code.js'
import { cloneOf } from '../../../project/clone.js'
import type { Workspace } from '../../workspace.js'
import { type FrozenFor, preparationThere } from './prepare-there.js'

/**
 * Provides a frozen copy of some code at another site, where nothing is shared with the tree, and prepares it once.
 * @param folder where the copy would be here, absolute
 * @param interruption ends the preparation, also there
 */
export async function deploy(
  workspace: Workspace,
  launch: FrozenFor,
  code: RunCode,
  folder: string,
  interruption: AbortSignal,
): Promise<FrozenCode> {
  const { project, here } = workspace
  const { site } = launch.runner
  const prepare = preparationThere(workspace, launch)
  const { machine } = await here.probe()
  const owner = JSON.stringify({ clone: cloneOf(project)!.id, machine: machine.machineId })
  const place = { root: site.there(project.root), copy: site.there(folder), owner, cache: project.cacheFolder }
  await deployCode(site, place, code)
  const workingDirectory = join(folder, code.state.prefix)
  interruption.throwIfAborted()
  await prepare({ folder, workingDirectory, code }, interruption)
  interruption.throwIfAborted()
  return { folder: relative(project.root, folder), workingDirectory, links: [] }
}
