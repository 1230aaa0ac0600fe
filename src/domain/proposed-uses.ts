import { type CodeDefinition, codeCounter } from './code-used.js'

/**
 * Patterns for `uses` by which all of these files count as code: folders where that is enough, otherwise the files. A file
 * in the folder of the experiment needs none.
 * @param files relative to the project, at least one of which is the executable
 */
export function proposedUses(definition: CodeDefinition, files: readonly string[]): string[] {
  const { own } = definition
  const inFolders = files.filter(file => file.includes('/') && !own.some(place => isIn(file, place)))
  const folders = [...new Set(inFolders.map(file => file.slice(0, file.lastIndexOf('/'))))]
  const outermost = folders.filter(folder => !folders.some(other => other !== folder && isIn(folder, other)))
  const patterns = outermost.map(folder => `/${literal(folder)}/**`).sort()
  // Some pattern there has to be: without any, the whole repository counts.
  const counts = codeCounter({ ...definition, uses: ['/.qanat', ...patterns] })
  const others = files.filter(file => !counts(file)).map(file => `/${literal(file)}`)
  const proposed = [...patterns, ...others]
  return proposed.length > 0 ? proposed : own.slice(0, 1).map(file => `/${literal(file)}`)
}

function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

/** Characters that stand for others in a pattern, so that they stand for themselves. */
function literal(path: string): string {
  return path.replace(/[*?[]/g, '[$&]')
}
