import { clashes, type Dependency, type Document, dependencyText } from '../../domain/documents/document.js'
import { UserError } from '../../errors.js'
import { cleanProjectPath } from '../../project/paths.js'
import { documentKind } from '../registry/document-kind.js'
import { findDocument } from '../registry/find-experiment.js'
import { changeDefinition } from '../registry/register.js'
import type { Workspace } from '../workspace.js'

/** Adds a dependency to a document. @throws UserError if the document has it already */
export function addDependency(workspace: Workspace, name: string, dependency: Dependency): Document {
  const document = findDocument(workspace, name)
  const dependencies = [...document.dependencies, dependency]
  const [clash] = clashes(dependencies)
  if (clash) {
    throw new UserError(
      `the document ${name} depends on ${dependencyText(clash)} already`,
      `qanat document update ${name}        changes it`,
    )
  }
  return changeDefinition(workspace, documentKind, name, { ...document, dependencies })
}

/**
 * Removes a dependency from a document.
 * @param runArgsFile as it was typed; empty for the one without a parameter file, null if it was not given
 * @throws UserError if the document has no dependency on that experiment, or several
 */
export function removeDependency(
  workspace: Workspace,
  name: string,
  experiment: string,
  runArgsFile: string | null,
): Dependency {
  const document = findDocument(workspace, name)
  const { root } = workspace.project
  const ofExperiment = document.dependencies.filter(dependency => dependency.experiment === experiment)
  const wanted = runArgsFile ? cleanProjectPath(root, runArgsFile, workspace.cwd) : null
  const found = ofExperiment.filter(dependency => runArgsFile === null || dependency.runArgsFile === wanted)
  const [dependency] = found
  if (!dependency) {
    const texts = document.dependencies.map(dependencyText)
    throw new UserError(
      `the document ${name} does not depend on ${experiment}${wanted === null ? '' : ` with ${wanted}`}`,
      texts.length > 0 ? `it depends on ${texts.join(', ')}` : 'it has no dependencies',
    )
  }
  if (found.length > 1) {
    throw new UserError(
      `the document ${name} depends on ${experiment} ${found.length} times`,
      `add ${found.map(({ runArgsFile: file }) => file ?? "''").join(' or ')}`,
    )
  }
  const dependencies = document.dependencies.filter(other => other !== dependency)
  changeDefinition(workspace, documentKind, name, { ...document, dependencies })
  return dependency
}
