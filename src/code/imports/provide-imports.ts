import type { Site } from '../../sites/site.js'
import type { GroupCommand, Launchers } from './interpreter.js'
import { settleLaunchers } from './launchers.js'
import { copiedPackages } from './node-modules.js'
import { hasPython, providePython } from './python-imports.js'

/** How groups in a frozen copy find code and environments. */
interface Imports extends Launchers {
  /** Whether the folder for PYTHONPATH was made. */
  readonly hasPython: boolean
}

/**
 * Makes what lets the groups in a frozen copy import its code, and no code of the live tree, and lets launchers use the
 * environment of the tree without changing it.
 * @param links ignored paths that the copy links to, relative to the root of the repository
 * @returns sentences that tell, among others, which code will come from elsewhere all the same
 */
export async function provideImports(
  site: Site,
  command: GroupCommand,
  links: readonly string[],
  interruption: AbortSignal,
): Promise<Imports> {
  const python = hasPython(command.copy) ? providePython(command, links) : null
  const settled = await settleLaunchers(site, command, interruption)
  const sentences = [...(python ?? []), ...copiedPackages(command, links), ...settled.sentences]
  return { ...settled, hasPython: python !== null, sentences }
}
