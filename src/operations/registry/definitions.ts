import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { QanatError } from '../../errors.js'
import { datasetToYaml, experimentToYaml, readDatasetFile, readExperimentFile } from '../../project/descriptions.js'
import { documentToYaml, readDocumentFile } from '../../project/document-description.js'
import { atomicWrite, refuseLink } from '../../system/files.js'
import { addDocument } from '../documents/register-document.js'
import type { Workspace } from '../workspace.js'
import { addDataset, addExperiment } from './register.js'
import { schemaReference, writeSchemas } from './schemas.js'

/** Kinds of definitions, in the order in which they can be registered: experiments name datasets, documents experiments. */
const kinds = ['dataset', 'experiment', 'document'] as const
type Kind = (typeof kinds)[number]

function folderOf({ project }: Workspace, kind: Kind): string {
  return join(project.root, '.qanat/definitions', kind)
}

/** What was written. Paths are relative to the project. */
export interface Exported {
  readonly written: readonly string[]
  /** Files of what is not registered any more; they are left for the user to delete. */
  readonly stale: readonly string[]
}

/**
 * Writes what is registered to `.qanat/definitions/`, a file each, where git tracks it and a clone finds it, and brings
 * the schemas up to date that these files refer to.
 * @throws UserError where there is a link in the place of a folder of definitions
 */
export function exportDefinitions(workspace: Workspace): Exported {
  const { store, project } = workspace
  const texts: Record<Kind, Map<string, string>> = {
    dataset: new Map(store.datasets.list().map(dataset => [dataset.name, datasetToYaml(dataset)])),
    experiment: new Map(
      store.experiments.list().map(({ experiment }) => [experiment.name, experimentToYaml(experiment)]),
    ),
    document: new Map(store.documents.list().map(document => [document.name, documentToYaml(document)])),
  }
  const written = writeSchemas(project.root)
  const stale: string[] = []
  for (const kind of kinds) {
    const folder = folderOf(workspace, kind)
    refuseLink(dirname(folder))
    refuseLink(folder)
    for (const [name, text] of texts[kind]) {
      atomicWrite(join(folder, `${name}.yaml`), schemaReference('../../schemas', kind) + text)
      written.push(relative(project.root, join(folder, `${name}.yaml`)))
    }
    const others = namesIn(folder).filter(name => !texts[kind].has(name))
    stale.push(...others.map(name => relative(project.root, join(folder, `${name}.yaml`))))
  }
  return { written, stale }
}

/**
 * Registers what stands in `.qanat/definitions/`. One that cannot be is a warning, and keeps no other from it.
 * @returns how many of each kind
 */
export function registerDefinitions(workspace: Workspace): Readonly<Record<Kind, number>> {
  const add = {
    dataset: (file: string) => addDataset(workspace, readDatasetFile(file)),
    experiment: (file: string) => addExperiment(workspace, readExperimentFile(file)),
    document: (file: string) => addDocument(workspace, readDocumentFile(file)),
  }
  const counts = { dataset: 0, experiment: 0, document: 0 }
  for (const kind of kinds) {
    for (const name of namesIn(folderOf(workspace, kind))) {
      const file = join(folderOf(workspace, kind), `${name}.yaml`)
      try {
        add[kind](file)
        counts[kind]++
      } catch (error) {
        if (!(error instanceof QanatError)) throw error
        workspace.warn(`${relative(workspace.project.root, file)} was not registered: ${error.message}`)
      }
    }
  }
  return counts
}

function namesIn(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  return files.filter(file => file.endsWith('.yaml')).map(file => file.slice(0, -'.yaml'.length))
}
