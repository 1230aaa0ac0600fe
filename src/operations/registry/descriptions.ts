import type { Dataset } from '../../domain/dataset.js'
import type { Document } from '../../domain/document.js'
import type { Experiment } from '../../domain/experiment.js'
import { orElse, UserError } from '../../errors.js'
import { datasetToYaml, experimentToYaml, readDatasetFile, readExperimentFile } from '../../project/descriptions.js'
import { documentToYaml, readDocumentFile } from '../../project/document-description.js'
import { isMapping } from '../../project/yaml/schema.js'
import { readYaml } from '../../project/yaml/yaml-source.js'
import type { Workspace } from '../workspace.js'
import { findDataset, findDocument, findExperiment } from './find-experiment.js'

/** What can be registered, by kind. */
export interface Described {
  readonly dataset: Dataset
  readonly experiment: Experiment
  readonly document: Document
}

type Kind = keyof Described

const readers: { readonly [Each in Kind]: (file: string, known: Described[Each] | null) => Described[Each] } = {
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

/** What a file has to name to describe the whole of a thing. */
const needed: Readonly<Record<Kind, readonly string[]>> = {
  dataset: ['name', 'path'],
  experiment: ['name', 'executable'],
  document: ['name', 'path', 'compile_script'],
}

/** Whether a file describes the whole of a thing, and not only what is to be changed. */
export function isWhole(kind: Kind, file: string): boolean {
  const value = readYaml(file, 'text').value()
  return isMapping(value) && needed[kind].every(key => Object.hasOwn(value, key))
}

/**
 * Reads a description from a YAML file.
 * @param known what a file that is only a part of a description changes; null if it has to be whole
 * @throws UserError with the position of a mistake
 */
export function readDescription<Each extends Kind>(
  kind: Each,
  file: string,
  known: Described[Each] | null,
): Described[Each] {
  refuseOther(kind, file)
  return readers[kind](file, known && isWhole(kind, file) ? null : known)
}

/** Refuses the script or the data themselves, whose description is wanted. */
function refuseOther(kind: Kind, file: string): void {
  if (!/\.(?!ya?ml$|json$)\w+$/i.test(file) || isMappingIn(file)) return
  throw new UserError(
    `${file} describes no ${kind}: give a YAML file with ${needed[kind].join(', ').replace(/, (?=\w+$)/, ' and ')}`,
    `qanat ${kind} new        asks for them`,
  )
}

function isMappingIn(file: string): boolean {
  return orElse(() => isMapping(readYaml(file, 'text').value()), false)
}

/** The YAML that {@link readDescription} reads as the same thing. */
export function descriptionText<Each extends Kind>(kind: Each, described: Described[Each]): string {
  return writers[kind](described)
}

/** The YAML that registers the same thing again. @throws UserError if nothing has that name */
export function descriptionOf(workspace: Workspace, kind: Kind, name: string): string {
  return descriptionText(kind, finders[kind](workspace, name))
}
