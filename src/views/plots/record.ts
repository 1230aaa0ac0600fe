import type { MadeFrom, RunSource } from '../../domain/made-from.js'
import { UserError } from '../../errors.js'
import type { Json } from './json.js'
import { isAsSealed, placeOfSeal } from './seal.js'

// A figure holds its record: the specification with its data, and what it was made from. It is a line of ASCII without `<`, so
// that it can stand in SVG, HTML, PNG and PDF alike, and is found in the same way. A report holds such a line, too.

/** A specification with what it was made from. */
export interface Recorded extends Json {
  readonly usermeta: { readonly qanat: MadeFrom }
}

/** What a file says of itself. */
export interface Embedded extends Pick<MadeFrom, 'command' | 'runs'> {
  readonly kind: 'plot' | 'report'
}

/** The same with a place for the seal of its file. */
export function sealable<Some extends Pick<Recorded, 'usermeta'>>(recorded: Some): Some {
  return { ...recorded, usermeta: { qanat: { ...recorded.usermeta.qanat, seal: placeOfSeal } } }
}

export function recordLine(recorded: Pick<Recorded, 'usermeta'>, kind: Embedded['kind'] = 'plot'): string {
  const json = JSON.stringify(sealable(recorded)).replace(
    /[<>&]|[^\x20-\x7e]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `qanat-${kind}:${json}\n`
}

/** The words of the command in a figure. @param name of its file @throws UserError if it is no figure of ours */
export function commandIn(figure: string, name: string): string[] {
  const embedded = embeddedIn(figure)
  if (embedded?.kind === 'plot') return [...embedded.command]
  throw new UserError(`${name} holds no plot of Qanat`, 'qanat plot NAME -o FILE makes one')
}

/** What a plot or a report says of itself, and whether it is still as it was written; null for any other file. */
export function sealedIn(file: Uint8Array): (Embedded & { readonly isWhole: boolean }) | null {
  const embedded = embeddedIn(Buffer.from(file).toString())
  return embedded && { ...embedded, isWhole: isAsSealed(file) }
}

/** What a plot or a report says of itself; null for any other file, and for a damaged record. */
function embeddedIn(text: string): Embedded | null {
  const [, kind = 'plot', line = text] = /qanat-(plot|report):(\{[^\n]*\})\n/.exec(text) ?? []
  try {
    const { command, runs } = (JSON.parse(line) as Recorded).usermeta.qanat
    const isRead = Array.isArray(command) && command.every(word => typeof word === 'string')
    return isRead && runs.every(isSource) ? { kind: kind as Embedded['kind'], command, runs } : null
  } catch {
    return null
  }
}

function isSource({ id, token, commit, environments, data }: RunSource): boolean {
  const isNamed = typeof id === 'number' && typeof token === 'string' && typeof commit === 'string'
  const isEnvironment = (one: unknown) =>
    typeof one === 'object' && one !== null && 'unknown' in one && Array.isArray(one.unknown)
  return isNamed && Array.isArray(environments) && environments.every(isEnvironment) && Array.isArray(data)
}
