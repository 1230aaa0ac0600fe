import { isScalar, parseDocument, visit } from 'yaml'
import { documentMetrics } from '../../domain/results/reading/document.js'
import type { ReadMetrics } from '../../domain/results/reading/found.js'

/** The metrics in a document of YAML. @throws Error of the parser */
export function readYaml(text: string, step: string | null): ReadMetrics {
  const document = parseDocument(text, { logLevel: 'error' })
  const [error] = document.errors
  if (error) throw error
  const problems: string[] = []
  // Objects of Python are written as what makes them.
  visit(document, {
    Pair(_, { key, value }) {
      const tag = (value as { tag?: string } | null)?.tag ?? ''
      if (!/python\/object/.test(tag)) return undefined
      problems.push(
        `'${isScalar(key) ? key.value : key}' has the tag ${tag.replace('tag:yaml.org,2002:', '!!')}, and is left out`,
      )
      return visit.REMOVE
    },
  })
  const read = documentMetrics(document.toJS({ maxAliasCount: 100 }), step)
  return { ...read, problems: [...problems, ...read.problems] }
}
