import { displayCommand } from '../domain/text/shell-text.js'

interface DryRunText {
  readonly groupCount: number
  readonly groups: Iterable<{ readonly command: readonly string[] }>
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly commands: readonly (readonly string[])[]
}

/** What would run, a command a line; for a scheduler the files and the command of the submission too. */
export function* dryRunLines({ groupCount, groups, files, commands }: DryRunText): Generator<string> {
  yield `${groupCount === 1 ? '1 group' : `${groupCount} groups`}; nothing is run`
  let index = 0
  for (const { command } of groups) yield `  ${index++}  ${displayCommand(command)}`
  for (const { path, text } of files) yield `\n${path}\n${text.replace(/^/gm, '  ').trimEnd()}`
  for (const command of commands) yield `\n${displayCommand(command)}`
}
