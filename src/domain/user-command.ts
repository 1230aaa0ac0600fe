import { programOf } from './runs/run-plan.js'
import { expandableWord, quoteWord } from './text/shell-text.js'

/**
 * The command that calls a user's script on this machine: `~` and `$VAR` in its command are expanded, arguments are not.
 * @param args byte for byte
 */
export function userCommand(
  script: { readonly executable: string; readonly executableCommand: string },
  args: readonly string[],
): string[] {
  const { executableCommand, executable } = programOf(script)
  const command = [...executableCommand.map(expandableWord), quoteWord(executable)].join(' ')
  return ['sh', '-c', `${command} "$@"`, 'sh', ...args]
}
