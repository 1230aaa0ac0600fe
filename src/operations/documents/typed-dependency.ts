import type { Dependency } from '../../domain/documents/document.js'
import { splitWords } from '../../domain/text/words.js'
import { runnerParametersOf } from '../../project/document-description.js'
import { readTypedFiles } from '../../project/document-files.js'
import { cleanProjectPath } from '../../project/paths.js'
import type { Workspace } from '../workspace.js'

/** A dependency of a document, as it was typed; undefined is what was not. */
interface Typed {
  readonly experiment: string | undefined
  /** Relative to the current folder; empty for a run without arguments. */
  readonly runArgsFile: string | undefined
  /** Paths, and products in braces. */
  readonly files: readonly string[]
  readonly runner: string
  /** Options as on the command line. */
  readonly runnerParameters: string
  readonly container: string | undefined
  readonly commitSha: string | undefined
  readonly action: string | undefined
  /** Quoted as for a shell. */
  readonly actionArguments: string
}

/** A dependency of which the experiment, the parameter file or the files may be missing. */
export type PartOfDependency = Omit<Dependency, 'experiment' | 'runArgsFile'> & {
  readonly [Key in 'experiment' | 'runArgsFile']: Dependency[Key] | undefined
}

/** Reads what was typed. @throws UserError for what is not valid by itself */
export function readTyped(workspace: Workspace, typed: Typed): PartOfDependency {
  const { root } = workspace.project
  const { experiment, runArgsFile, runner, container = null, commitSha = null, action = null } = typed
  return {
    experiment,
    runArgsFile: runArgsFile === '' ? null : runArgsFile && cleanProjectPath(root, runArgsFile, workspace.cwd),
    runner,
    runnerParameters: runnerParametersOf(typed.runnerParameters),
    container,
    commitSha,
    action,
    actionArguments: splitWords(typed.actionArguments),
    ...readTypedFiles(typed.files),
  }
}

/** Whether nothing is missing. */
export function isWhole(part: PartOfDependency): part is Dependency {
  return part.experiment !== undefined && part.runArgsFile !== undefined && part.files.length + part.products.length > 0
}
