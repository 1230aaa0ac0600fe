import fc from 'fast-check'

/** Stands for a byte that no UTF-8 text has; {@link bytesOf} makes it one. */
const brokenByte = '\ue0ff'

/** Aliases of aliases: a short text that stands for a very long one. */
const laughs = [...Array(9).keys()].map(at => `l${at}: &l${at} [${Array(9).fill(at && `*l${at - 1}`)}]`).join('\n')

/** What is put in the place of a value, or anywhere. */
const oddities: readonly string[] = [
  ...'|null|~|true|no|[]|{}|[1, [2, [3]]]|{a: {b: c}}|- x|a: b|? x|: |# | #'.split('|'),
  ...'-1 0 1e400 .nan -.inf 0x7fffffffffffffff 99999999999999999999999999 1.0e-7 007 2026-01-01'.split(' '),
  ...'*a|&a [*a]|&a {<<: *a}|<<: *a|!!binary aGk=|!!set {a}|!foo bar|!!int x|---|...|%YAML 9.9'.split('|'),
  ...String.raw`' " | >- @ % \ ../../.. /etc/passwd - -- = "\0" "\ud800" "a\nb" "\e[31m"`.split(' '),
  ...['`', '$(touch pwned)', '\t', '\r', '\n\n', '\u0000', '\u0001', '\u001b[2J'],
  ...['\u007f', '\u009b', '\u202e', '\ufeff', '\u2028', '\uffff', '🧪', 'é', 'ﷺ', brokenByte],
  ...'__proto__|constructor|__proto__: {a: 1}|toString: x|hasOwnProperty'.split('|'),
  ...['x'.repeat(70_000), '['.repeat(3000), '{a: '.repeat(500), laughs, '1 '.repeat(3000)],
]

/** Changes a text at a place (a share of its length, from 0 to 1), by an amount. */
type Mutation = (text: string, place: number, oddity: string) => string

const onLines =
  (change: (lines: string[], at: number, oddity: string) => void): Mutation =>
  (text, place, oddity) => {
    const lines = text.split('\n')
    change(lines, Math.floor(place * lines.length), oddity)
    return lines.join('\n')
  }

const onCharacters =
  (length: number, change: (piece: string, oddity: string) => string): Mutation =>
  (text, place, oddity) => {
    const at = Math.floor(place * (text.length + 1))
    return text.slice(0, at) + change(text.slice(at, at + length), oddity) + text.slice(at + length)
  }

const inFiles: readonly Mutation[] = [
  onLines((lines, at) => lines.splice(at, 1)),
  onLines((lines, at) => lines.splice(at, 0, lines[at]!)),
  onLines((lines, at) => lines.splice(at, 2, lines[at + 1] ?? '', lines[at]!)),
  onLines((lines, at) => (lines[at] = `  ${lines[at]}`)),
  onLines((lines, at) => (lines[at] = lines[at]!.replace(/^ +/, '\t'))),
  onLines((lines, at, oddity) => (lines[at] = lines[at]!.replace(/: .*/, `: ${oddity}`))),
  onLines((lines, at, oddity) => (lines[at] = lines[at]!.replace(/[\w-]+:/, `${oddity}:`))),
  onLines((lines, at, oddity) => lines.splice(at, 0, oddity)),
  onCharacters(1, () => ''),
  onCharacters(12, () => ''),
  onCharacters(3, piece => piece.toUpperCase() + piece),
  onCharacters(2, piece => [...piece].reverse().join('')),
  onCharacters(0, (_, oddity) => oddity),
  text => `\ufeff${text}`,
  text => text.replaceAll('\n', '\r\n'),
  (text, place) => text.slice(0, Math.floor(place * text.length)),
  (text, _, oddity) => `${oddity}\n${text}`,
]

const change = fc.record({
  kind: fc.nat(),
  place: fc.double({ min: 0, max: 0.999, noNaN: true }),
  oddity: fc.constantFrom(...oddities),
})

/** A YAML file after one or two accidents. */
export function brokenFile(text: string): fc.Arbitrary<Buffer> {
  return fc.array(change, { minLength: 1, maxLength: 2 }).map(changes => {
    let broken = text
    for (const { kind, place, oddity } of changes) broken = inFiles[kind % inFiles.length]!(broken, place, oddity)
    return bytesOf(broken)
  })
}

/** A command line after one or two accidents: words lost, doubled, swapped, replaced, changed. */
export function brokenLine(line: readonly string[]): fc.Arbitrary<string[]> {
  return fc.array(change, { minLength: 1, maxLength: 2 }).map(changes => {
    const words = [...line]
    for (const { kind, place, oddity } of changes) {
      const at = Math.floor(place * words.length)
      const word = words[at] ?? ''
      // No program can be given a NUL, and a word of a line is text of at most 128 kB.
      const odd = oddity.replaceAll('\0', '').replaceAll(brokenByte, '\ufffd')
      if (kind % 6 === 0) words.splice(at, 1)
      else if (kind % 6 === 1) words.splice(at, 0, word)
      else if (kind % 6 === 2) words.splice(at, 2, words[at + 1] ?? '', word)
      else if (kind % 6 === 3) words[at] = odd
      else words[at] = inFiles[8 + (kind % 5)]!(word, place * 7 - Math.floor(place * 7), odd)
    }
    return words
  })
}

function bytesOf(text: string): Buffer {
  const [first = '', ...others] = text.split(brokenByte)
  return Buffer.concat([Buffer.from(first), ...others.flatMap(piece => [Buffer.from([0xff]), Buffer.from(piece)])])
}
