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
  // A shell that waited would end by Ctrl-C itself, however the script takes it.
  return ['sh', '-c', `exec ${command} "$@"`, 'sh', ...args]
}

/** The command that runs a makefile, whose path follows; null for any other script. */
export function makeCommand(script: string): string | null {
  return /(^|\/)(GNUmakefile|[Mm]akefile|[^/]+\.mk)$/.test(script) ? 'make -f' : null
}

/** The commands of scripts, by the end of their names. */
const commands: Readonly<Record<string, string>> = {
  ...{ sh: 'bash', bash: 'bash', zsh: 'zsh', py: 'python3', R: 'Rscript', r: 'Rscript', jl: 'julia' },
  ...{ js: 'node', mjs: 'node', cjs: 'node', pl: 'perl', rb: 'ruby', lua: 'lua' },
}

/** The command that usually runs a script with that name; empty if there is none. */
export function usualCommand(script: string): string {
  const [, kind = ''] = /\.(\w+)$/.exec(script) ?? []
  return makeCommand(script) ?? (Object.hasOwn(commands, kind) ? commands[kind]! : '')
}
