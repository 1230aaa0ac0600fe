import { type Dependency, dependencyText } from '../../domain/document.js'

/** The message after a dependency was removed from a document. */
export function removedText(document: string, dependency: Dependency): string {
  return `Document ${document} no longer depends on ${dependencyText(dependency)}.`
}
