import fc from 'fast-check'
import { test } from 'vitest'

/** How many cases of a property are tried: all with ALL_CASES, as `.ci/run` does in most suites; for every change, a tenth of them. */
export function cases(all: number): number {
  return process.env.ALL_CASES ? all : Math.ceil(all / 10)
}

/** All of these with ALL_CASES, else the first of them. */
export function someOf<Each>(all: readonly Each[]): Each[] {
  return all.slice(0, cases(all.length))
}

/** Any character but half of one, as `binary` among the units of fast-check, which takes more than a second to be made. */
export const anyCharacter = fc.nat({ max: 0x10_f7ff }).map(
  number => String.fromCodePoint(number < 0xd800 ? number : number + 0x800),
  character => {
    const code = (character as string).codePointAt(0)!
    if (String.fromCodePoint(code) !== character) throw new Error('these are several characters')
    return code < 0xe000 ? code : code - 0x800
  },
)

/** As `test.each`, for any values of these kinds: `testAny([fc.nat(), fc.nat()])('…', (one, other) => …)`. */
export function testAny<Values extends [unknown, ...unknown[]]>(
  kinds: { [At in keyof Values]: fc.Arbitrary<Values[At]> },
  options: fc.Parameters<Values> = {},
) {
  return (title: string, holds: (...values: Values) => void) =>
    test(title, () => fc.assert(fc.property<Values>(...kinds, holds), options))
}

/** The cells of a table that is written as text: a line a row, `|` between cells. */
export function rowsOf(table: string): string[][] {
  const lines = table.split('\n').filter(line => line.trim() !== '')
  return lines.map(line => line.split('|').map(cell => cell.trim()))
}
