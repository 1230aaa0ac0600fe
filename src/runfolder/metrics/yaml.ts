import { isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { documentMetrics } from '../../domain/results/reading/document.js'
import type { Problem, ReadMetrics } from '../../domain/results/reading/found.js'

/** The metrics in a document of YAML. @throws Error of the parser */
export function readYaml(text: string, step: string | null): ReadMetrics {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { logLevel: 'error', lineCounter })
  const [error] = document.errors
  if (error) throw error
  const problems: Problem[] = []
  // Objects of Python are written as what makes them.
  visit(document, {
    Pair(_, { key, value }) {
      const tag = (value as { tag?: string } | null)?.tag ?? ''
      if (!/python\/object/.test(tag)) return undefined
      const name = isScalar(key) ? key.value : key
      const range = isScalar(key) ? key.range : null
      problems.push({
        text: `'${name}' has the tag ${tag.replace('tag:yaml.org,2002:', '!!')}, and is left out`,
        line: range ? lineCounter.linePos(range[0]).line : null,
      })
      return visit.REMOVE
    },
  })
  const read = documentMetrics(document.toJS({ maxAliasCount: 100 }), step)
  return { ...read, problems: [...problems, ...read.problems] }
}
