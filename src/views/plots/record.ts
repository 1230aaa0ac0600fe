import { UserError } from '../../errors.js'
import type { Json } from './specification.js'

// A figure holds its record: the specification with its data, and the command that makes it again. It is a line of ASCII
// without `<`, so that it can stand in SVG, HTML, PNG and PDF alike, and is found in the same way.

/** A specification with what it was made from. */
export interface Recorded extends Json {
  readonly usermeta: {
    readonly qanat: {
      /** The words after `qanat plot` that make the plot again, with the ids of its runs. */
      readonly command: readonly string[]
      /** Of Qanat. */
      readonly version: string
    }
  }
}

export function recordLine(recorded: Recorded): string {
  const json = JSON.stringify(recorded).replace(
    /[<>&]|[^\x20-\x7e]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `qanat-plot:${json}\n`
}

/** The words of the command in a figure. @param name of its file @throws UserError if it is no figure of ours */
export function commandIn(figure: string, name: string): string[] {
  const [, line = figure] = /qanat-plot:(\{[^\n]*\})\n/.exec(figure) ?? []
  const command = wordsIn(line)
  if (command !== null) return command
  throw new UserError(`${name} holds no plot of Qanat`, 'qanat plot NAME -o FILE makes one')
}

function wordsIn(json: string): string[] | null {
  try {
    const words: unknown = JSON.parse(json).usermeta.qanat.command
    return Array.isArray(words) && words.every(word => typeof word === 'string') ? words : null
  } catch {
    return null
  }
}
