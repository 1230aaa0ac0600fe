/** No number is longer, whatever is written around it. */
const longest = 100

/** A value as it is written in a table without types: a number, true or false, or text. Null for an empty one. */
export function typedValue(text: string): number | boolean | string | null {
  // Most cells are numbers, and an expression takes several times as long. Number() reads what is in no table, too: 0x1f.
  const second = text.charCodeAt(1) | 32
  if (beginsNumber(text) && !(second >= 97 && second <= 122)) {
    const number = Number(text)
    if (Number.isFinite(number)) return number
  }
  const word = text.trim()
  if (word === '') return null
  const number = numberIn(word) ?? (isWrapped(word) ? numberIn(unwrapped(word)) : null)
  if (number !== null) return number
  return /^(true|false)$/i.test(word) ? word.toLowerCase() === 'true' : text
}

/** Whether a text begins with a digit, a dot or a sign, of which there is none in front of most texts. */
export function beginsNumber(text: string): boolean {
  const code = text.charCodeAt(0)
  return (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 43
}

/** A number in the spellings of programs; null for another text. */
function numberIn(word: string): number | null {
  if (!beginsNumber(word)) return notFinite(word)
  if (/^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(word)) {
    const number = Number(word)
    // 45e6123 is a commit: programs write no number that is too large for a double.
    return Number.isFinite(number) || !/e/i.test(word) ? number : null
  }
  // Fortran has another letter for numbers of double precision.
  if (/^[-+]?\d*\.\d+d[-+]?\d{1,3}$/i.test(word)) return Number(word.replace(/d/i, 'e'))
  return notFinite(word)
}

/** NaN or infinity in the words of Python, C, R and JavaScript; null for another text. */
export function notFinite(word: string): number | null {
  if (word.length > longest || !/^[-+ni]/i.test(word)) return null
  const [, sign, name] = /^([-+]?)(?:(nan)(?:\([a-z\d]*\))?|inf|infinity)$/i.exec(word) ?? []
  if (sign === undefined) return null
  if (name !== undefined) return Number.NaN
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

const color = /\x1b\[[\d;]*m/g

function isWrapped(word: string): boolean {
  return word.length <= longest && (word.includes('\x1b') || /[,;\])]$/.test(word))
}

/** A text without colours, the punctuation behind it, and the name of a type around it: `0.4` in `np.float64(0.4),`. */
function unwrapped(word: string): string {
  const bare = word.replace(color, '').replace(/[,;\]]+$/, '')
  const [, inside] = /^(?:(?:np|numpy)\.\w+|tensor|Array)\(([^,()]+)(?:,.*)?\)?$/.exec(bare) ?? []
  return inside?.trim() ?? bare.replace(/[,;\])]+$/, '')
}

/** Whether a text is a number for people, such as `95.2%` or, in JSON, `0.5`. Longer whole numbers are ids. */
export function looksLikeNumber(text: string): boolean {
  return (
    text.length <= longest && /^[^\p{L}\p{N}_]*\d{1,15}(?:[.,]\d{0,18})?(?:e[-+]?\d+)?[^\p{L}\p{N}_]*$/iu.test(text)
  )
}

/** The words that stand for a missing value in a table, as pandas knows them. */
const missing = new Set(['NA', 'N/A', 'n/a', '#N/A', '<NA>', 'None', 'NULL', 'null'])

/** Takes the words for missing values out of a column, unless it has other texts: `NA` may be a country there. */
export function withoutMissing<Value>(cells: readonly Value[]): readonly (Value | null)[] {
  let areMissing = false
  // Not by some(), which takes several times as long: there may be a million cells.
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]
    if (typeof cell !== 'string') continue
    if (!missing.has(cell.trim())) return cells
    areMissing = true
  }
  return areMissing ? cells.map(cell => (typeof cell === 'string' ? null : cell)) : cells
}
