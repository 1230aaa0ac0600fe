import type { Dataset } from '../../domain/dataset.js'
import type { Document } from '../../domain/document.js'
import type { Experiment } from '../../domain/experiment.js'
import { datasetToYaml, experimentToYaml, readDatasetFile, readExperimentFile } from '../../project/descriptions.js'
import { documentToYaml, readDocumentFile } from '../../project/document-description.js'
import type { Workspace } from '../workspace.js'
import { findDataset, findDocument, findExperiment } from './find-experiment.js'

/** What can be registered, by kind. */
interface Described {
  readonly dataset: Dataset
  readonly experiment: Experiment
  readonly document: Document
}

type Kind = keyof Described

const readers: { readonly [Each in Kind]: (file: string) => Described[Each] } = {
  dataset: readDatasetFile,
  experiment: readExperimentFile,
  document: readDocumentFile,
}

const writers: Readonly<Record<Kind, (workspace: Workspace, name: string) => string>> = {
  dataset: (workspace, name) => datasetToYaml(findDataset(workspace, name)),
  experiment: (workspace, name) => experimentToYaml(findExperiment(workspace, name)),
  document: (workspace, name) => documentToYaml(findDocument(workspace, name)),
}

/**
 * Reads a description from a YAML file, or without a file asks for it.
 * @throws UserError with the position of a mistake in the file
 */
export async function describedBy<Each extends Kind>(
  kind: Each,
  file: string | undefined,
  ask: () => Promise<Described[Each]>,
): Promise<Described[Each]> {
  return file ? readers[kind](file) : ask()
}

/** The YAML that registers the same thing again. @throws UserError if nothing has that name */
export function descriptionOf(workspace: Workspace, kind: Kind, name: string): string {
  return writers[kind](workspace, name)
}
