/** What is between the cells of a table; a blank stands for any blanks and tabs. */
export type Delimiter = ',' | '\t' | ';' | ' '

/** The lines of a table as lists of cells, without empty lines. */
export interface Records {
  /** Each list may be overwritten by the next one. */
  readonly cells: Generator<string[], undefined>
  /** Where the last one begins. */
  readonly place: () => number
  /** Lines that are not read since a quote before them has no end; known once all are read. */
  readonly unclosed: () => number
}

/** The cells of each line from a place on. Lines end with \n, \r\n or \r, each of them as it likes. */
export function recordsOf(text: string, delimiter: Delimiter, start = 0): Records {
  let unclosed = 0
  let place = start
  return { cells: cellsOfLines(), place: () => place, unclosed: () => unclosed }

  function* cellsOfLines(): Generator<string[], undefined> {
    const [newline, carriage, quote] = ['\n', '\r', '"'].map(mark => placesOf(text, mark))
    const endOfLine = (from: number) => Math.min(newline!(from), carriage!(from))
    const split = delimiter === ' ' ? atBlanks(text) : atDelimiter(text, delimiter)
    const cells: string[] = []
    for (let begin = start; begin < text.length; ) {
      const end = endOfLine(begin)
      place = begin
      if (quote!(begin) < end) {
        begin = quotedInto(cells, text, begin, delimiter, endOfLine)
        if (begin < 0) {
          unclosed = text
            .slice(end)
            .trimEnd()
            .split(/\r\n?|\n/).length
          return
        }
        yield cells
      } else {
        if (end > begin) {
          split(cells, begin, end)
          yield cells
        }
        begin = end + 1
      }
    }
  }
}

/** A function that finds the first place of a mark from a place on, if the places ascend; the end of the text if there is none. */
function placesOf(text: string, mark: string): (from: number) => number {
  let known = -1
  return from => {
    if (known < from) {
      known = text.indexOf(mark, from)
      if (known < 0) known = text.length
    }
    return known
  }
}

/** Splits a line into cells, without a new list: there may be 100,000 lines. */
type Split = (cells: string[], begin: number, end: number) => void

function atBlanks(text: string): Split {
  return (cells, begin, end) => {
    cells.length = 0
    const line = text.slice(begin, end).trim()
    // Not all at once: there may be more than a call has room for.
    for (const word of line.split(/[ \t]+/)) cells.push(word)
  }
}

/** For lines that ascend. */
function atDelimiter(text: string, delimiter: Delimiter): Split {
  const next = placesOf(text, delimiter)
  return (cells, begin, end) => {
    let [count, from] = [0, begin]
    for (let at = next(from); at < end; at = next(from)) {
      cells[count++] = text.slice(from, at)
      from = at + 1
    }
    cells[count++] = text.slice(from, end)
    if (cells.length !== count) cells.length = count
  }
}

/**
 * Reads a line with quotes, in which a cell may have delimiters and ends of lines. Quotes that do not surround a cell are part
 * of it.
 * @returns the place behind it; -1 if a quote has no end
 */
function quotedInto(
  cells: string[],
  text: string,
  start: number,
  delimiter: Delimiter,
  endOfLine: (from: number) => number,
): number {
  let [count, at] = [0, start]
  for (;;) {
    const close = text[at] === '"' ? closingQuote(text, at) : at
    if (close < 0) return -1
    const quoted = text.slice(at + 1, close).replaceAll('""', '"')
    const behind = close === at ? at : close + 1
    const lineEnd = endOfLine(behind)
    const found = text.slice(behind, lineEnd).indexOf(delimiter)
    const end = found < 0 ? lineEnd : behind + found
    const rest = text.slice(behind, end)
    cells[count++] = behind === at ? rest : rest === '' ? quoted : `"${quoted}"${rest}`
    at = end + 1
    if (end === lineEnd) break
  }
  cells.length = count
  return at
}

/** The place of the quote that ends the one at a place; two of them stand for one in the text. -1 if there is none. */
function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

/** The line of a place in a text, counted from 1. */
export function lineAt(text: string, place: number): number {
  let line = 1
  for (const _ of text.slice(0, place).matchAll(/\r\n?|\n/g)) line++
  return line
}
