import type { Dataset } from '../../domain/dataset.js'
import type { Document } from '../../domain/document.js'
import type { Experiment } from '../../domain/experiment.js'
import { datasetToYaml, experimentToYaml, readDatasetFile, readExperimentFile } from '../../project/descriptions.js'
import { documentToYaml, readDocumentFile } from '../../project/document-description.js'
import type { Workspace } from '../workspace.js'
import { findDataset, findDocument, findExperiment } from './find-experiment.js'

/** What can be registered, by kind. */
export interface Described {
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

const writers: { readonly [Each in Kind]: (described: Described[Each]) => string } = {
  dataset: datasetToYaml,
  experiment: experimentToYaml,
  document: documentToYaml,
}

const finders: { readonly [Each in Kind]: (workspace: Workspace, name: string) => Described[Each] } = {
  dataset: findDataset,
  experiment: findExperiment,
  document: findDocument,
}

/** Reads a description from a YAML file. @throws UserError with the position of a mistake */
export function readDescription<Each extends Kind>(kind: Each, file: string): Described[Each] {
  return readers[kind](file)
}

/** The YAML that {@link readDescription} reads as the same thing. */
export function descriptionText<Each extends Kind>(kind: Each, described: Described[Each]): string {
  return writers[kind](described)
}

/** The YAML that registers the same thing again. @throws UserError if nothing has that name */
export function descriptionOf(workspace: Workspace, kind: Kind, name: string): string {
  return descriptionText(kind, finders[kind](workspace, name))
}
