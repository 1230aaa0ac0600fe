import { displayCommand } from '../domain/text/shell-text.js'
import type { DryRun } from '../operations/launch/dry-run.js'

/** What would be submitted to a scheduler; empty without one. */
interface Submission {
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly commands: readonly (readonly string[])[]
}

/** The commands that would run, one a line; for a scheduler also the files and the command of the submission. */
export function* dryRunLines(dryRun: Pick<DryRun, 'groupCount' | 'groups'> & Submission): Generator<string> {
  const { groupCount, groups, files, commands } = dryRun
  yield `${groupCount === 1 ? '1 group' : `${groupCount} groups`}; nothing is run`
  let index = 0
  for (const { command } of groups) yield `  ${index++}  ${displayCommand(command)}`
  for (const { path, text } of files) yield `\n${path}\n${text.replace(/^/gm, '  ').trimEnd()}`
  for (const command of commands) yield `\n${displayCommand(command)}`
}
