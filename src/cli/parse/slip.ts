import { shortened } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'

/** A line after `qanat run`, and when it is the one that was meant. */
interface Alternative {
  readonly words: readonly string[]
  readonly note: string
}

/** A mistake in a line of `qanat run` for which the line that was probably meant is known. */
export class Slip extends UserError {
  /**
   * @param meant the words after `qanat run`; they may have further mistakes
   * @param other what may have been meant instead
   */
  constructor(
    message: string,
    readonly meant: readonly string[],
    readonly other: Alternative | null = null,
  ) {
    super(message)
  }

  /**
   * The error for the user, whose hint consists of lines to paste.
   * @param corrected gives a line without any mistake
   * @throws UserError for a mistake that cannot be corrected: it has to be known first
   */
  explained(corrected: (words: readonly string[]) => readonly string[]): UserError {
    const lines: string[] = []
    const failures: unknown[] = []
    for (const { words, note } of [{ words: this.meant, note: null }, ...(this.other ? [this.other] : [])]) {
      try {
        lines.push(
          `${displayCommand(['qanat', 'run', ...corrected(words)])}${note === null ? '' : `        (${note})`}`,
        )
      } catch (error) {
        failures.push(error)
      }
    }
    if (lines.length === 0) throw failures[0]
    const shown = lines.filter(line => line.length <= longestLine)
    return new UserError(withoutLongWords(this.message), shown.length > 0 ? shown.join('\n') : null)
  }
}

/** A line to paste that fills a screen helps nobody. */
const longestLine = 1_000

/** Words of the user may be as long as a command line can be. */
function withoutLongWords(message: string): string {
  const text = message.replace(/[^\s'"]{100,}/g, shortened)
  return text.length <= longestLine ? text : `${text.slice(0, longestLine)}…`
}
