import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { newlineVariable } from '../../../src/domain/text/shell-text.js'
import { anyCharacter, cases, someOf } from '../../cases.js'
import { lacks, skips } from '../../skips.js'

const beside = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The shells that job scripts meet: the system's own, which is dash on Debian, and bash. */
export const shells = someOf(['sh', 'bash'])

/** Those that groups on the user's own machine meet: macOS has version 3.2 of bash, which is simulated. */
export const localShells = someOf(['sh', 'bash', beside('macos/userland/bash')])

/** The same two lists with shells that few machines have, for tests of what shells do differently: those of RHEL and of Alpine, and ksh. */
export const moreShells = [
  ...shells,
  ...others('bash', beside('runners/shells/posix-bash')),
  ...others('ksh93', 'ksh93'),
]
export const moreLocalShells = [
  ...localShells,
  ...others('busybox', beside('runners/shells/ash')),
  ...others('ksh93', 'ksh93'),
]

/** A shell that is tried with all cases only, if there is the program that it is. */
function others(program: string, shell: string): string[] {
  return cases(10) < 10 || skips(`job scripts in ${program}`, lacks(program)) ? [] : [shell]
}

/** Any text that can be an argument, often one that a shell would like to evaluate. NUL can be in none. */
export function anyWord(): fc.Arbitrary<string> {
  const hostile = fc.constantFrom(...' \t\n\r\'"\\$`*?[]{}()~#&|;<>!=%-a1/é☃\x01\x7f\x81', '$(id)', '$HOME', '${x}')
  const unicode = fc.string({ unit: anyCharacter })
  const longer = fc.array(hostile, { maxLength: 30 }).map(pieces => pieces.join(''))
  return fc.oneof(unicode, longer).map(text => text.replaceAll('\0', ''))
}

/** The words that a shell makes of each line, taken from its standard input and evaluated as the job script does it. */
export function evaluateLines(shell: string, lines: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const script = `${newlineVariable}='\n'
    while IFS= read -r line; do eval "set -- $line"; printf '%s\\0' "$#" "$@"; done`
  return wordLists(shell, ['-c', script], lines.map(line => `${line}\n`).join(''), environment)
}

/** The words that a shell makes of each text as it stands in a script, over several lines if it has them. */
export function evaluateTexts(shell: string, texts: readonly string[]) {
  const commands = texts.map(text => `set -- ${text}\nprintf '%s\\0' "$#" "$@"\n`)
  return wordLists(shell, [], commands.join(''), {})
}

/** One process for all of them; it prints a count before each list, and ends each word with NUL. */
function wordLists(shell: string, options: readonly string[], input: string, environment: NodeJS.ProcessEnv) {
  // Without a level bash takes a socket as its standard input for a remote login, and reads the user's settings.
  const env = { PATH: process.env.PATH, SHLVL: '1', ...environment }
  const output = execFileSync(shell, options, { input, env, maxBuffer: 1e9 })
  const fields = output.toString('utf8').split('\0').slice(0, -1)
  const lists: string[][] = []
  for (let at = 0; at < fields.length; at += Number(fields[at]) + 1) {
    lists.push(fields.slice(at + 1, at + 1 + Number(fields[at])))
  }
  return lists
}
