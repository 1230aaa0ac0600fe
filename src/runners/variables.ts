import { expandableWord } from '../domain/text/shell-text.js'
import { exportLines, recordedLine } from '../runfolder/secrets/variables.js'

/** Variables that each group has for itself. */
const ofGroup = ['QANAT_GROUP_INDEX', 'QANAT_STORAGE_PATH', 'QANAT_SCRATCH']
const named = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g

/** The variables that a value names, as `$NAME` or `${NAME}`. */
function namesIn(value: string): string[] {
  return [...value.matchAll(named)].map(([, plain, braced]) => (plain ?? braced)!)
}

/** The variables of a template whose values name those of each group, directly or by others before them. */
function variablesOfGroups(env: Readonly<Record<string, string>>): Set<string> {
  const found = new Set(ofGroup)
  for (const [name, value] of Object.entries(env)) if (namesIn(value).some(each => found.has(each))) found.add(name)
  for (const name of ofGroup) found.delete(name)
  return found
}

/** Whether variables of a template differ from group to group. */
export function differByGroup(env: Readonly<Record<string, string>>): boolean {
  return variablesOfGroups(env).size > 0
}

/** Shell lines that set them for a group; empty without any. */
export function groupVariableLines(env: Readonly<Record<string, string>>): string {
  return [...variablesOfGroups(env)].map(name => expandingLine(name, env[name]!)).join('\n')
}

/**
 * Shell lines that export the variables of a launch: our own, then those of its template, in whose values `$NAME`, `${NAME}` and a
 * leading `~` are expanded where the groups run. A value may name earlier ones, and itself: `PATH: ~/bin:$PATH`. Any other name that
 * is not set there lets every group fail with a word, since a script would take what is left of the value for a path.
 */
export function variableLines(own: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>): string[] {
  const perGroup = variablesOfGroups(env)
  const known = new Set([...Object.keys(own), ...ofGroup])
  const lines = exportLines(Object.entries(own))
  for (const [name, value] of Object.entries(env)) {
    if (Object.hasOwn(own, name)) continue
    const needed = new Set(namesIn(value).filter(each => each !== name && !known.has(each)))
    for (const each of needed) lines.push(`[ -n "\${${each}+1}" ] || qanat_unset="$qanat_unset ${each}"`)
    known.add(name)
    if (!isExpanded(value)) lines.push(...exportLines([[name, value]]))
    else lines.push(...(perGroup.has(name) ? [] : [expandingLine(name, value)]), recordedLine(name, value))
  }
  return lines
}

function isExpanded(value: string): boolean {
  return namesIn(value).length > 0 || value.startsWith('~')
}

/** Not all shells expand a tilde in a word of `export`. */
function expandingLine(name: string, value: string): string {
  return `${name}=${expandableWord(value)}; export ${name}`
}
