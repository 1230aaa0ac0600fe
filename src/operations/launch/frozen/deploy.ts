import { join, relative } from 'node:path'
import { deployCode } from '../../../code/deployed.js'
import type { FrozenCode } from '../../../code/frozen/frozen-code.js'
import { frozenName, type RunCode } from '../../../code/run-code.js'
import { submodulesOf } from '../../../code/tree-state.js'
import { UserError } from '../../../errors.js'
import { cloneOf } from '../../../project/clone.js'
import type { Site } from '../../../sites/site.js'
import type { Workspace } from '../../workspace.js'

/** Provides a frozen copy of some code at another site, where nothing is shared with the tree. */
export async function deploy({ project, here }: Workspace, site: Site, code: RunCode): Promise<FrozenCode> {
  const [submodule] = await submodulesOf(code.state.gitRoot)
  if (submodule) {
    throw new UserError(`the repository has submodules (${submodule.path}), which no context can have yet`, 'run it here: --context here')
  }
  const folder = join(project.cacheFolder, `${frozenName(code)}@${site.name}`)
  const { machine } = await here.probe()
  const owner = JSON.stringify({ clone: cloneOf(project)!.id, machine: machine.machineId })
  await deployCode(site, { root: site.there(project.root), copy: site.there(folder), owner }, code)
  return { folder: relative(project.root, folder), workingDirectory: join(folder, code.state.prefix), links: [] }
}
