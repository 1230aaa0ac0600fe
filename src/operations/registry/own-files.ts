import { yamlFiles } from '../../code/project-repository.js'
import { QanatError } from '../../errors.js'
import { type DefinitionKind, definitionKinds } from '../../project/definitions.js'
import { readText } from '../../project/yaml/yaml-source.js'
import { canRead, fileSize } from '../../system/regular-file.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { readDescription } from './descriptions.js'
import { driftOf, namesOf } from './drift.js'

/** In bytes; a file that describes things is never larger. */
const largest = 100_000

/**
 * Finds the YAML files of things that were registered without them, in a clone from exports and after a repair from the folders
 * of runs: files that say the same as what is registered. Where several do, it is not known which one was meant.
 */
export async function findOwnFiles(workspace: Workspace): Promise<void> {
  const { store, project } = workspace
  const files = (await yamlFiles(project.root)).filter(file => !file.startsWith('.qanat/'))
  for (const kind of definitionKinds) {
    const missing = new Set(namesOf(workspace, kind).filter(name => store.definitions.find(kind, name) === null))
    if (missing.size === 0) continue
    const described = files.map(file => ({ file, name: describedName(workspace, kind, file, missing) }))
    for (const name of missing) {
      const about = described.filter(each => each.name === name).map(({ file }) => file)
      const [file, ...others] = about.filter(path => driftOf(workspace, kind, name, path, false) === null)
      if (file !== undefined && others.length === 0) store.definitions.set(kind, name, file)
    }
  }
}

/** The name of the thing that a file describes; null if it describes none of that kind with one of the names. */
function describedName(
  workspace: Workspace,
  kind: DefinitionKind,
  file: string,
  names: ReadonlySet<string>,
): string | null {
  const path = absolutePath(workspace, file)
  try {
    // A link may lead nowhere, or to itself.
    if (!canRead(path) || fileSize(path) > largest) return null
    // There may be thousands of YAML files, of which few are worth parsing.
    const named = readText(path).matchAll(/^[{\s]*["']?name["']?\s*:\s*["']?([\w.-]+)/gm)
    return [...named].some(([, name]) => names.has(name!)) ? readDescription(kind, path, null).name : null
  } catch (error) {
    if (error instanceof QanatError) return null
    throw error
  }
}
