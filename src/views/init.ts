import { displayCommand } from '../domain/text/shell-text.js'
import type { ExistingProject } from '../operations/project/existing-project.js'
import type { NewProject } from '../operations/project/init-project.js'

/** A step of a session. */
export interface DemoStep {
  /** What is typed after `qanat`. */
  readonly line: string
  readonly does: string
  /** Whether its output is shown. */
  readonly isShown?: boolean
  /** Its exit code, if that is not 0. */
  readonly code?: number
}

/** A folder with `~` for the home folder. @param home empty if it is not known */
function homely(folder: string, home: string): string {
  const isBelow = home !== '' && (folder === home || folder.startsWith(`${home}/`))
  return isBelow ? `~${folder.slice(home.length)}` : folder
}

/** The message after a project was made. */
export function newProjectText(folder: string, { commit, results, isInside }: NewProject, home: string): string {
  const shown = `${homely(results, home)}/`
  const width = Math.max(18, shown.length)
  return `Qanat project in ${homely(folder, home)}
  ${'.qanat/config.yaml'.padEnd(width)}   settings and submit templates, tracked by git
  ${'.qanat/database.db'.padEnd(width)}   experiments, datasets, runs
  ${shown.padEnd(width)}   output of runs, ${isInside ? 'ignored by git' : 'outside the project'}
Committed as ${commit}. Next: qanat experiment new`
}

/** The message if there is a project already. A clone of a project lacks only its database. */
export function existingText({ root, adopted, completed }: ExistingProject, home: string): string {
  const folder = homely(root, home)
  if (adopted) {
    return `Qanat project in ${folder}, with the settings of the older program and a new database.
The results in ${homely(adopted.results, home)}/ stay as they are; new runs get higher ids.
Committed .qanat/config.yaml, which git ignored, as ${adopted.commit}. Next: qanat experiment new`
  }
  if (!completed) return `${folder} is already a Qanat project; nothing was changed. Next: qanat status`
  const counts = Object.entries(completed.registered)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
  const about = completed.hasRuns
    ? "there are folders of runs, which 'qanat doctor --repair' adds to it"
    : 'runs stay in the clone that launched them'
  const head = `Qanat project in ${folder}, with a new database: ${about}.`
  if (counts.length === 0) return `${head}\nNext: qanat experiment new`
  return `${head}\nRegistered: ${counts.join(', ')}. Next: qanat experiment list`
}

/** A step as it is typed, and what it does. @param at its number, from 0 */
export function demoLine({ line, does }: DemoStep, at: number, count: number): string {
  return `${at + 1}/${count}  qanat ${line.padEnd(38)}  ${does}`
}

/** What can be tried after the demo. @param program the words that start Qanat where `qanat` does not; null where it does */
export function demoEnd(folder: string, program: readonly string[] | null): string {
  return `
The project stays in ${folder}. Try there:
  ${displayCommand(['cd', folder])}${program === null ? '' : `\n  alias qanat=${displayCommand([displayCommand(program)])}`}
  qanat run_explore classify_iris     browse runs and their output
  qanat view --open                   the same in the browser
  qanat help                          commands and topics
Your own script, in its git repository:
  qanat init
  qanat experiment new train.py`
}
