import { relative } from 'node:path'
import { QanatError, UserError } from '../../errors.js'
import { type DefinitionKind, definitionFile, definitionKinds } from '../../project/definitions.js'
import { editMapping } from '../../project/yaml/edit-mapping.js'
import { parseYaml, readText } from '../../project/yaml/yaml-source.js'
import { atomicWrite, isFile, realPath } from '../../system/files.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { type Described, descriptionOf, descriptionText, readDescription } from './descriptions.js'
import { changeDataset, changeExperiment, checkDataset, checkExperiment } from './register.js'
import { changeDocument, checkDocument } from './register-document.js'

/** A file that differs from what is registered about a thing. */
export interface Drift {
  readonly kind: DefinitionKind
  readonly name: string
  /** Relative to the project. */
  readonly file: string
  /** What is different, with the values as YAML data; undefined where one side has none. */
  readonly keys: readonly { readonly key: string; readonly inFile: unknown; readonly registered: unknown }[]
  /** Why the file cannot be registered; null if it can. Without different keys, no side mends that. */
  readonly problem: string | null
  /** Whether it is only a copy that `qanat export` made of a thing with a file of its own. */
  readonly isCopy: boolean
}

/** All files that differ from what is registered. */
export function allDrifts(workspace: Workspace): Drift[] {
  return definitionKinds.flatMap(kind => namesOf(workspace, kind).flatMap(name => driftsOf(workspace, kind, name)))
}

/** The same of one thing; its own file comes first. */
export function driftsOf(workspace: Workspace, kind: DefinitionKind, name: string): Drift[] {
  return filesOf(workspace, kind, name)
    .map((file, at) => driftOf(workspace, kind, name, file, at > 0))
    .filter(drift => drift !== null)
}

/** The names of all things of a kind. */
export function namesOf({ store }: Workspace, kind: DefinitionKind): string[] {
  if (kind === 'dataset') return store.datasets.list().map(({ name }) => name)
  return kind === 'experiment' ? store.experiments.names() : store.documents.names()
}

/** The file from which a thing was registered, then the one that `qanat export` made, as far as they exist. */
export function filesOf(workspace: Workspace, kind: DefinitionKind, name: string): string[] {
  const own = workspace.store.definitions.find(kind, name)
  const files = new Set([...(own === null ? [] : [own]), definitionFile(kind, name)])
  return [...files].filter(file => isFile(absolutePath(workspace, file)))
}

/** Registers what the file says. @throws UserError if that is not possible */
export function takeFile(workspace: Workspace, { kind, name, file }: Drift): void {
  const change = {
    dataset: (path: string) => changeDataset(workspace, name, readDescription('dataset', path, null)),
    experiment: (path: string) => changeExperiment(workspace, name, readDescription('experiment', path, null)),
    document: (path: string) => changeDocument(workspace, name, readDescription('document', path, null)),
  }
  change[kind](typedPath(workspace, file))
}

/** Writes to the file what is registered; its comments stay. @throws UserError if the file is not understood */
export function takeRegistered(workspace: Workspace, { kind, name, file, keys, problem }: Drift): void {
  if (problem !== null && keys.length === 0) {
    throw new UserError(
      `${file} is not understood: ${problem}`,
      `mend it first, or write it anew: qanat ${kind} export ${name} > ${file}`,
    )
  }
  const path = realPath(absolutePath(workspace, file))
  const changes = new Map(keys.map(({ key, registered }) => [key, registered]))
  const said = new Map(keys.map(({ key, inFile }) => [key, inFile]))
  atomicWrite(path, editMapping(readText(path), file, changes, said))
}

/** What is different, on one line. */
export function driftSummary({ kind, name, file, keys, problem }: Drift): string {
  if (problem !== null) return `${kind} ${name}: ${file} cannot be registered: ${problem}`
  return `${kind} ${name}: ${file} differs from what is registered (${keys.map(({ key }) => key).join(', ')})`
}

/** What to type next. */
export function driftHint({ kind, name, isCopy }: Drift): string {
  return isCopy ? 'qanat export' : `qanat ${kind} sync ${name}`
}

/** @returns null if the file says the same, or is about something else by now */
export function driftOf(
  workspace: Workspace,
  kind: DefinitionKind,
  name: string,
  file: string,
  isCopy: boolean,
): Drift | null {
  try {
    const { text, problem } = described(workspace, kind, typedPath(workspace, file))
    const said = dataOf(text)
    // A file may describe one thing first and another one later. What no other thing was registered from has another name.
    if (said.name !== name && workspace.store.definitions.find(kind, String(said.name)) === file) return null
    const registered = dataOf(descriptionOf(workspace, kind, name))
    const keys = [...new Set([...Object.keys(said), ...Object.keys(registered)])]
      .map(key => ({ key, inFile: said[key], registered: registered[key] }))
      .filter(({ inFile, registered: known }) => JSON.stringify(inFile) !== JSON.stringify(known))
    return keys.length > 0 || problem !== null ? { kind, name, file, keys, problem, isCopy } : null
  } catch (error) {
    if (!(error instanceof QanatError)) throw error
    return { kind, name, file, keys: [], problem: error.message, isCopy }
  }
}

/**
 * The text that would be registered from a file. If that is not possible, for example because something that it names
 * was renamed, the text of the file itself, with the reason.
 * @throws UserError if the file is not understood
 */
function described<Each extends DefinitionKind>(
  workspace: Workspace,
  kind: Each,
  path: string,
): { readonly text: string; readonly problem: string | null } {
  const read = readDescription(kind, path, null)
  try {
    return { text: descriptionText(kind, checks[kind]({ ...workspace, warn: () => {} }, read)), problem: null }
  } catch (error) {
    if (!(error instanceof QanatError)) throw error
    return { text: descriptionText(kind, read), problem: error.message }
  }
}

const checks: { readonly [Each in DefinitionKind]: (workspace: Workspace, read: Described[Each]) => Described[Each] } =
  {
    dataset: checkDataset,
    experiment: checkExperiment,
    document: (workspace, document) => checkDocument(workspace, document, document.name),
  }

function dataOf(text: string): Record<string, unknown> {
  return parseYaml(text, '', 'text').value() as Record<string, unknown>
}

/** The path of a file of the project as the user would type it. */
function typedPath(workspace: Workspace, file: string): string {
  return relative(workspace.cwd, absolutePath(workspace, file))
}
