import { Chalk, type ChalkInstance } from 'chalk'

/** How to format text for one stream. */
export interface Style {
  readonly colour: ChalkInstance
  /** The symbol and a space if symbols are on, otherwise nothing. */
  symbol(symbol: string): string
  /** Width of the terminal; null in a pipe, where no line is cut. */
  readonly columns: number | null
}

let hasSymbols = true

/** Leaves out symbols from now on, as the setting `emoji: false` asks. */
export function leaveOutSymbols(): void {
  hasSymbols = false
}

/** Colour and symbols only on a terminal that can show them; `NO_COLOR` turns both off. */
export function styleOf(stream: NodeJS.WriteStream): Style {
  const fancy = Boolean(stream.isTTY) && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
  return {
    colour: new Chalk({ level: fancy ? 1 : 0 }),
    symbol: symbol => (fancy && hasSymbols ? `${symbol} ` : ''),
    columns: stream.isTTY ? (stream.columns ?? 80) : null,
  }
}

/** For files: without colours and symbols. */
export const plainStyle: Style = { colour: new Chalk({ level: 0 }), symbol: () => '', columns: null }
