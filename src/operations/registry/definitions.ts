import { dirname, join } from 'node:path'
import { QanatError } from '../../errors.js'
import {
  type DefinitionKind,
  definedNames,
  definitionFile,
  definitionFolder,
  definitionKinds,
} from '../../project/definitions.js'
import { datasetToYaml, experimentToYaml, readDatasetFile, readExperimentFile } from '../../project/descriptions.js'
import { documentToYaml, readDocumentFile } from '../../project/document-description.js'
import { outdatedSchemas, schemaReference } from '../../project/yaml/schemas.js'
import { isEdited, sealed } from '../../project/yaml/seal.js'
import { readText } from '../../project/yaml/yaml-source.js'
import { isFile, refuseLink, writeFiles } from '../../system/files.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { driftSummary, driftsOf, namesOf } from './drift.js'
import { addDataset, addExperiment } from './register.js'
import { addDocument } from './register-document.js'

/** The files that were written. Paths are relative to the project. */
export interface Exported {
  readonly written: readonly string[]
  /** Definitions of things that are no longer registered; the user may delete them. */
  readonly stale: readonly string[]
}

/**
 * Writes everything that is registered to `.qanat/definitions/`, a file each, which git tracks and a clone reads, and
 * updates the schemas that these files refer to. A file that somebody has edited is kept, with a warning if it says
 * something else than what is registered.
 * @throws UserError if a folder of definitions is a link
 */
export function exportDefinitions(workspace: Workspace): Exported {
  const { store } = workspace
  const { root } = workspace.project
  const texts: Record<DefinitionKind, Map<string, string>> = {
    dataset: new Map(store.datasets.list().map(dataset => [dataset.name, datasetToYaml(dataset)])),
    experiment: new Map(
      store.experiments.list().map(({ experiment }) => [experiment.name, experimentToYaml(experiment)]),
    ),
    document: new Map(store.documents.list().map(document => [document.name, documentToYaml(document)])),
  }
  const files = definitionKinds.flatMap(kind => {
    const folder = join(root, definitionFolder(kind))
    refuseLink(dirname(folder))
    refuseLink(folder)
    const reference = schemaReference('../../schemas', kind)
    const ours = [...texts[kind]].filter(([name]) => !isKept(workspace, kind, name))
    return ours.map(([name, text]) => ({
      path: definitionFile(kind, name),
      text: sealed(reference + text, '# Written by qanat export, seal: '),
    }))
  })
  const stale = unregisteredFiles(workspace).map(({ file }) => file)
  return { written: writeFiles(root, [...outdatedSchemas(root), ...files]), stale }
}

/** Definitions of things that are not registered: they were deleted, or came from a colleague. */
export function unregisteredFiles(workspace: Workspace): { kind: DefinitionKind; file: string }[] {
  return definitionKinds.flatMap(kind => {
    const registered = new Set(namesOf(workspace, kind))
    const others = definedNames(workspace.project.root, kind).filter(name => !registered.has(name))
    return others.map(name => ({ kind, file: definitionFile(kind, name) }))
  })
}

/** Whether a definition was edited since it was written. */
function isKept(workspace: Workspace, kind: DefinitionKind, name: string): boolean {
  const file = definitionFile(kind, name)
  const path = absolutePath(workspace, file)
  if (!isFile(path) || !isEdited(readText(path))) return false
  const drift = driftsOf(workspace, kind, name).find(each => each.file === file)
  if (drift) {
    workspace.warn(`${driftSummary(drift)}; it was edited since it was exported, and was kept
  qanat ${kind} update ${name} -f ${file}        registers what it says
  rm ${file} && qanat export        writes what is registered`)
  }
  return true
}

/**
 * Registers the definitions in `.qanat/definitions/`. One that cannot be registered is a warning and stops no other.
 * @returns how many of each kind
 */
export function registerDefinitions(workspace: Workspace): Readonly<Record<DefinitionKind, number>> {
  const { root } = workspace.project
  const add = {
    dataset: (file: string) => addDataset(workspace, readDatasetFile(file)),
    experiment: (file: string) => addExperiment(workspace, readExperimentFile(file)),
    document: (file: string) => addDocument(workspace, readDocumentFile(file)),
  }
  const counts = { dataset: 0, experiment: 0, document: 0 }
  for (const kind of definitionKinds) {
    for (const name of definedNames(root, kind)) {
      const file = definitionFile(kind, name)
      try {
        add[kind](join(root, file))
        counts[kind]++
      } catch (error) {
        if (!(error instanceof QanatError)) throw error
        workspace.warn(`${file} was not registered: ${error.message}`)
      }
    }
  }
  return counts
}
