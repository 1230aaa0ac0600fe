import { createContext, Script } from 'node:vm'
import type { Row } from '../../domain/results/reading/shapes.js'
import { typedValue } from '../../domain/results/reading/values.js'

/** A regular expression can need longer than anybody waits. This is how long one may search one output, in milliseconds. */
const timeLimit = 1_000

/** No line with a metric is longer; in longer ones, only this beginning is searched. */
const longestLine = 2_000

/** Only a program of its own can be stopped; it shares no object with ours. */
const search = new Script(`
  const expression = new RegExp(pattern)
  const found = []
  for (const line of text.split(/[\\r\\n]/)) {
    const groups = expression.exec(line.slice(0, ${longestLine}))?.groups
    if (groups) found.push({ ...groups })
  }
  JSON.stringify(found)
`)

/**
 * What the named groups of a regular expression find in the lines of an output; each line with a match is a step.
 * @returns null if the search takes longer than a second
 */
export function searchOutput(text: string, pattern: string): Row[] | null {
  const context = createContext({ text, pattern })
  let found: Record<string, string>[]
  try {
    found = JSON.parse(search.runInContext(context, { timeout: timeLimit }) as string)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null
    throw error
  }
  return found.map(groups =>
    Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, typedValue(value)])),
  )
}
