import type { Problem } from '../../../src/domain/results/reading/found.js'

/** Problems as texts, behind the line where they begin if it is known: `5: 2 rows are not whole`. */
export function said(problems: readonly Problem[]): string[] {
  return problems.map(({ text, line }) => (line === null ? text : `${line}: ${text}`))
}
