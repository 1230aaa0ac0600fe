import { type Dependency, dependencyText } from '../../domain/document.js'

/** Said when a dependency was taken off a document. */
export function removedText(document: string, dependency: Dependency): string {
  return `Document ${document} no longer depends on ${dependencyText(dependency)}.`
}
