import { isOptionName } from '../../domain/parameters/arguments.js'
import { fewOf, nearest } from '../../domain/text/names.js'
import { rangeSlip } from './range-slip.js'
import type { Registry } from './registry.js'
import { type Piece, takenName } from './scan-line.js'
import { Slip } from './slip.js'

/**
 * Checks a line as a whole: whether it names an experiment, and whether its words were meant as they stand there.
 * @returns the name of the experiment
 * @throws Slip if they were not
 */
export function checkLine(argv: readonly string[], pieces: readonly Piece[], registry: Registry): string {
  const name = checkName(argv, pieces, registry)
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'doubt') throw doubted(pieces, at, piece, name)
    if (piece.kind === 'option' && piece.option.name === 'range_param') checkRange(pieces, at, piece)
  }
  checkSecondName(pieces, name, registry)
  checkParameterFile(pieces, name, registry)
  return name
}

type Of<Kind extends Piece['kind']> = Extract<Piece, { kind: Kind }>

function checkName(argv: readonly string[], pieces: readonly Piece[], registry: Registry): string {
  const { names } = registry
  const at = namePlace(pieces)
  const name = pieces[at]?.words[0]
  if (name === undefined) throw takenName(pieces, registry) ?? withoutName(argv, names)
  if (names.length === 0 || names.includes(name)) return name
  const replaced = (words: readonly string[]) => wordsOf(pieces.toSpliced(at, 1, { kind: 'name', words }))
  const taken = name.startsWith('-') ? takenName(pieces, registry) : null
  if (taken !== null) throw taken
  const near = nearest(name, names)
  if (near !== null) throw new Slip(`no experiment '${name}'. Did you mean ${near}?`, replaced([near]))
  const swapped = pieces.findIndex(({ kind, words }) => kind === 'option' && names.includes(words[1] ?? ''))
  if (swapped >= 0) {
    const [stem, value] = pieces[swapped]!.words as [string, string]
    const others = pieces.with(at, { kind: 'name', words: [value] })
    const meant = wordsOf(others.with(swapped, { kind: 'verbatim', words: [stem, name] }))
    throw new Slip(`no experiment '${name}', and ${stem} takes '${value}' as its value`, meant)
  }
  const later = pieces.findIndex(({ kind, words }) => kind === 'argument' && names.includes(words[0]!))
  if (later >= 0) {
    const [meant] = pieces[later]!.words as [string]
    const words = ['run', 'experiment'].includes(name) ? [meant] : [meant, name]
    const others = pieces.toSpliced(later, 1).with(at, { kind: 'name', words })
    throw new Slip(`no experiment '${name}'; its name comes first: ${meant}`, wordsOf(others))
  }
  return name
}

function withoutName(argv: readonly string[], names: readonly string[]): Slip {
  const known = names.length > 1 ? ` There are ${fewOf(names)}` : ''
  return new Slip(`which experiment?${known}`, [...argv, names.length === 1 ? names[0]! : 'NAME'])
}

/** The error for words that were hardly meant for the experiment, with a line for either case. */
function doubted(pieces: readonly Piece[], at: number, doubt: Of<'doubt'>, name: string): Slip {
  const { message, meant, passable } = doubt
  if (meant === null) return new Slip(message, passedOn(pieces, at))
  const { words, note } = other(pieces, at, name)
  if (passable === null) {
    const written = pieces.toSpliced(at, 1, { kind: 'verbatim', words: meant })
    return new Slip(message, wordsOf(written), { words, note })
  }
  const others = pieces.toSpliced(at, 1)
  const moved = others.toSpliced(namePlace(pieces), 0, { kind: 'verbatim', words: meant })
  // Help is the same, whatever else the line says.
  const line = passable === '--help' ? meant : wordsOf(moved)
  return new Slip(message, line, { words, note: `${note}, as does 'passes: [${passable}]' in its YAML file` })
}

/** `-R` was given something else than a range. */
function checkRange(pieces: readonly Piece[], at: number, { value }: Of<'option'>): void {
  const slip = rangeSlip(String(value))
  if (slip === null) return
  const words = (text: readonly string[]) => wordsOf(pieces.toSpliced(at, 1, { kind: 'verbatim', words: text }))
  throw new Slip(
    slip.message,
    words(slip.meant),
    slip.other && { words: words(slip.other.words), note: slip.other.note },
  )
}

function checkSecondName(pieces: readonly Piece[], name: string, { names }: Registry): void {
  const at = namePlace(pieces) + 1
  const next = pieces[at]
  const [word] = next?.words ?? []
  if (next?.kind !== 'argument' || word === undefined || !names.includes(word)) return
  const message = `a run is of one experiment: '${word}' would be an argument of ${name}`
  throw new Slip(message, wordsOf(pieces.toSpliced(at, 1)), other(pieces, at, name))
}

function checkParameterFile(pieces: readonly Piece[], name: string, registry: Registry): void {
  if (pieces.some(piece => piece.kind === 'option' && piece.option.name === 'param_file')) return
  const at = pieces.findIndex(({ kind, words: [word = ''] }, index) => {
    const isValue = isOptionName(pieces[index - 1]?.words.at(-1) ?? '')
    return kind === 'argument' && !isValue && /\.ya?ml$/i.test(word) && registry.isParameterFile(word)
  })
  if (at < 0) return
  const [file] = pieces[at]!.words as [string]
  const meant = wordsOf(pieces.toSpliced(at, 1, { kind: 'verbatim', words: ['-f', file] }))
  throw new Slip(
    `${file} is a parameter file, and here it would be an argument of ${name}`,
    meant,
    other(pieces, at, name),
  )
}

/** The line in which the words from a piece on are passed to the experiment. */
function other(pieces: readonly Piece[], at: number, name: string) {
  return { words: passedOn(pieces, at), note: `passes it to ${name}` }
}

function passedOn(pieces: readonly Piece[], at: number): string[] {
  const rest = pieces.slice(at)
  const ours = rest.filter(({ kind }) => kind === 'option')
  const others = rest.filter(({ kind }) => kind !== 'option' && kind !== 'end')
  return [...wordsOf(pieces.slice(0, at)), ...wordsOf(ours), '--', ...wordsOf(others)]
}

function namePlace(pieces: readonly Piece[]): number {
  return pieces.findIndex(({ kind }) => kind === 'name')
}

function wordsOf(pieces: readonly Piece[]): string[] {
  return pieces.flatMap(({ words }) => words)
}
