import { homedir } from 'node:os'

/** A folder as a person names it. */
function homely(folder: string): string {
  const home = homedir()
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}

/** Said when a project was made. */
export function newProjectText(folder: string, resultDir: string, commit: string): string {
  const width = Math.max(18, resultDir.length + 1)
  return `Qanat project in ${homely(folder)}
  ${'.qanat/config.yaml'.padEnd(width)}   settings and submit templates, tracked by git
  ${'.qanat/database.db'.padEnd(width)}   experiments, datasets, runs
  ${`${resultDir}/`.padEnd(width)}   output of runs, ignored by git
Committed as ${commit}. Next: qanat experiment new`
}

/** Said where a project was already. */
export function existingText(folder: string): string {
  return `There is a Qanat project already in ${homely(folder)}; nothing was changed. Next: qanat status`
}

/**
 * Said in a clone, which has everything but the database.
 * @param hasRuns whether there are folders of runs that a former database knew
 */
export function cloneText(folder: string, registered: Readonly<Record<string, number>>, hasRuns: boolean): string {
  const counts = Object.entries(registered)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
  const about = hasRuns
    ? "there are folders of runs, which 'qanat doctor --repair' takes in"
    : 'runs stay with the clone that made them'
  const head = `Qanat project in ${homely(folder)}, with a new database: ${about}.`
  if (counts.length === 0) return `${head}\nNext: qanat experiment new`
  return `${head}\nRegistered from .qanat/definitions: ${counts.join(', ')}. Next: qanat experiment list`
}
