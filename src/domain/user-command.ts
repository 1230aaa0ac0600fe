import { programOf } from './runs/run-plan.js'
import { expandableWord, quoteWord } from './text/shell-text.js'

/**
 * The command that calls a script of the user's here: `~` and `$VAR` of its command expand, the arguments stay as they are.
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
