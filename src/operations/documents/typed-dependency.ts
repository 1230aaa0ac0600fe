import type { StoredDocument } from '../../domain/document.js'
import { splitWords } from '../../domain/text/words.js'
import { fileOfRun } from '../../project/document-description.js'
import { cleanProjectPath } from '../../project/paths.js'
import { findDocument } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'
import { addDependency } from './register-document.js'

/** A dependency of a document, as it was typed. */
export interface TypedDependency {
  readonly experiment: string
  /** Relative to the current folder. */
  readonly runArgsFile: string | undefined
  readonly runner: string
  readonly submitTemplate: string | undefined
  readonly slots: string | undefined
  readonly container: string | undefined
  readonly gpu: boolean
  readonly commitSha: string | undefined
  readonly action: string | undefined
  /** Quoted as for a shell. */
  readonly actionArguments: string
  readonly files: readonly string[]
}

/** Adds a dependency to a document, and returns the document. @throws UserError if it is not valid, or there already */
export function addTypedDependency(workspace: Workspace, name: string, typed: TypedDependency): StoredDocument {
  const { runArgsFile, submitTemplate = null, slots = null, gpu } = typed
  const { root } = workspace.project
  addDependency(workspace, name, {
    experiment: typed.experiment,
    runArgsFile: runArgsFile === undefined ? null : cleanProjectPath(root, runArgsFile, workspace.cwd),
    runner: typed.runner,
    runnerParameters: { submitTemplate, slots, gpu },
    container: typed.container ?? null,
    commitSha: typed.commitSha ?? null,
    action: typed.action ?? null,
    actionArguments: splitWords(typed.actionArguments),
    files: typed.files.map(fileOfRun),
  })
  return findDocument(workspace, name)
}
