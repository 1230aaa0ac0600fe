import { isOption, isOptionName } from '../../domain/parameters/arguments.js'
import { isOneLetterOff, nearest } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { runnerNames } from '../../runners/index.js'
import { globalOptions } from './globals.js'
import { closedOptions, type NamedOption, named } from './named-options.js'
import { readValue, type Spelled } from './read-value.js'
import type { Registry } from './registry.js'
import { Slip } from './slip.js'

/** Some words of a line of `qanat run`, and what they are. */
export type Piece = { readonly words: readonly string[] } & (
  | { readonly kind: 'name' | 'argument' | 'end' | 'verbatim' }
  | { readonly kind: 'option'; readonly option: NamedOption; readonly value: string | boolean }
  | Doubt
)

/** Words after the name that may be meant for us or for the experiment. */
interface Doubt {
  readonly kind: 'doubt'
  readonly message: string
  /** The words for us; null if they can only be for the experiment. */
  readonly meant: readonly string[] | null
  /** The option, if it stands before the name when it is ours; null for any other. */
  readonly passable: string | null
}

/** Too many words are one letter off a shorter name. */
const shortestNearMiss = 5

/** Options whose value is a text of several words, which needs quotes. */
const quotedOptions = ['group_param', 'range_param', 'values']

/** Scans the words of a line from left to right. */
export class Scan {
  readonly pieces: Piece[] = []
  private at = 0

  /** @param afterName the options that are ours after the name */
  constructor(
    private readonly argv: readonly string[],
    private readonly afterName: readonly NamedOption[],
    private readonly registry: Registry,
  ) {
    while (this.at < argv.length && argv[this.at] !== '--') {
      const piece = this.name === undefined ? this.beforeName(argv[this.at]!) : this.after(this.name, argv[this.at]!)
      this.pieces.push(piece)
      this.at += piece.words.length
    }
    if (this.at === argv.length) return
    this.pieces.push({ kind: 'end', words: ['--'] })
    for (const word of argv.slice(this.at + 1)) {
      this.pieces.push({ kind: this.name === undefined ? 'name' : 'verbatim', words: [word] })
    }
  }

  get name(): string | undefined {
    return this.pieces.find(({ kind }) => kind === 'name')?.words[0]
  }

  private beforeName(word: string): Piece {
    const dashed = withDashes(word)
    if (dashed !== word) throw new Slip(`'${word}' begins with a long dash`, this.replaced([dashed]))
    if (!/^-./.test(word)) return { kind: 'name', words: [word] }
    const spelled = spelledOption(word, named)
    return spelled ? this.option(spelled) : this.unknown(word)
  }

  private after(name: string, word: string): Piece {
    const dashed = withDashes(word)
    if (dashed !== word) return doubt(word, `'${word}' begins with a long dash`, [dashed])
    const spelled = this.spelledAfterName(word)
    if (spelled) return this.option(spelled)
    const parts = unglued(word, named)
    if (parts) return doubt(word, `${word} looks like ${parts.join(' ')}`, parts)
    const misplaced = this.misplaced(name, word)
    if (misplaced) return misplaced
    const { stem } = halves(word)
    const passed = this.registry.passes
    const near = [...this.afterName, ...closedOptions].find(
      option =>
        option.name.length >= shortestNearMiss &&
        isOneLetterOff(`--${option.name}`, stem) &&
        !(closedOptions.includes(option) && passed(name).includes(`--${option.name}`)),
    )
    if (!near) return { kind: 'argument', words: [word] }
    const message = `${stem} is one letter off --${near.name}`
    return doubt(word, message, [`--${near.name}${word.slice(stem.length)}`])
  }

  private spelledAfterName(word: string): Spelled | null {
    if (word.startsWith('--')) return longOption(word, this.afterName)
    // Any other word with text attached to a letter is the experiment's: -truth is not -t ruth.
    const isRunner = word.startsWith('-r') && runnerNames.includes(word.slice(2))
    const isText = /^-[gR]--?[a-z]/i.test(word)
    return isRunner || isText || /^-.$/.test(word) ? shortOption(word, this.afterName) : null
  }

  /** An option that stands before the name only, with its value. */
  private misplaced(name: string, word: string): Piece | null {
    const isValues = /^-V(--?[a-z]|$)/i.test(word)
    const spelled = isValues ? shortOption(word, named) : longOption(underscored(word), closedOptions)
    if (!spelled) return null
    const { option, attached } = spelled
    const plain = isValues ? '-V' : `--${option.name}`
    if (this.registry.passes(name).includes(plain)) return null
    if (option.kind === 'flag' && attached !== undefined) {
      const message = `${plain} takes no value: is ${word} an option of ${name}?`
      return { kind: 'doubt', words: [word], message, meant: null, passable: plain }
    }
    const { words } = this.option(spelled)
    const message = `${plain} belongs before the name of the experiment`
    return { kind: 'doubt', words, message, meant: words, passable: plain }
  }

  /** An option of ours with its value. */
  private option(spelled: Spelled): Piece {
    const following = this.argv[this.at + 1]
    const { value, count } = readValue(spelled, following, (words, replacing) => this.replaced(words, replacing))
    if (count === 2 && typeof value === 'string') this.checkQuotes(spelled, value)
    return { kind: 'option', option: spelled.option, value, words: this.argv.slice(this.at, this.at + count) }
  }

  /** `-g --seed 1` takes only `--seed`: refuses a text of several words without quotes. */
  private checkQuotes({ option, stem }: Spelled, value: string): void {
    if (!quotedOptions.includes(option.name) || !isOptionName(value)) return
    const words = this.unquoted(option)
    if (words.length === 0 || (option.name === 'group_param' && isOption(words[0]!))) return
    const all = [value, ...words]
    const text = option.name === 'group_param' ? displayCommand(all) : all.join(' ')
    const message = `${stem} takes one text, here only ${value}: the words after it need quotes, too`
    // Before the name, the words after the value would be options of the experiment, which cannot stand there.
    const canBeAlone = option.name === 'group_param' && this.name !== undefined
    const alone = { words: this.replaced([`--${option.name}=${value}`], 2), note: `if only ${value} is meant` }
    throw new Slip(message, this.replaced([stem, text], 1 + all.length), canBeAlone ? alone : null)
  }

  /** The words after the next one that probably belong to its text. */
  private unquoted(option: NamedOption): string[] {
    const rest = this.argv.slice(this.at + 2)
    const name = this.name === undefined ? this.nameIn(rest) : -1
    const end = rest.findIndex(
      (word, at) =>
        at === name ||
        word === '--' ||
        spelledOption(word, named) !== null ||
        (option.name === 'values' && isOption(word)),
    )
    const words = end === -1 ? rest : rest.slice(0, end)
    if (option.name !== 'range_param') return words
    // A range has three numbers, of which some may be in one word.
    const enough = words.findIndex(
      (_, at) =>
        words
          .slice(0, at + 1)
          .join(' ')
          .split(' ').length >= 3,
    )
    return enough === -1 ? words : words.slice(0, enough + 1)
  }

  /** An option before the name that is none of ours: it is misspelt, or an option of the experiment. */
  private unknown(word: string): never {
    const parts = unglued(word, named)
    if (parts) throw new Slip(`${word} looks like ${parts.join(' ')}`, this.replaced(parts))
    const { stem } = halves(word)
    const near = stem.length === 2 ? null : nearOption(underscored(stem))
    const rest = this.argv.slice(this.at)
    const at = this.nameIn(rest)
    if (at < 0) this.refuseTaken()
    const [name, between, after] =
      at < 0 ? [this.soleName, rest, []] : [rest[at]!, rest.slice(0, at), rest.slice(at + 1)]
    const before = [...this.argv.slice(0, this.at), name]
    const moved = [...before, ...between, ...after]
    const message = `unknown option ${stem}`
    if (!near) throw new Slip(`${message}: options of the experiment come after its name`, moved)
    const written = this.replaced([near + word.slice(stem.length)])
    throw !isOneLetterOff(near, underscored(stem))
      ? new Slip(message, moved, { words: written, note: `if ${near} is meant` })
      : new Slip(`${message}. Did you mean ${near}?`, written, {
          words: [...before, ...after, '--', ...between],
          note: `if it is an option of ${name}`,
        })
  }

  /** The value of an option before may be the name of the experiment: `--commit iris --rate 1` lacks a message. */
  private refuseTaken(): void {
    const slip = takenName(this.pieces, this.registry, this.argv.slice(this.at))
    if (slip !== null) throw slip
  }

  /** The name to show if none is given. */
  private get soleName(): string {
    const { names } = this.registry
    return names.length === 1 ? names[0]! : 'NAME'
  }

  /** The position of the name of an experiment among words; -1 if there is none. */
  private nameIn(words: readonly string[]): number {
    const { names } = this.registry
    const exact = words.findIndex(word => names.includes(word))
    return exact >= 0 ? exact : words.findIndex(word => !isOption(word) && nearest(word, names) !== null)
  }

  /** The line with other words in place of the current ones. */
  private replaced(words: readonly string[], count = 1): string[] {
    return this.argv.toSpliced(this.at, count, ...words)
  }
}

/**
 * The slip of a line in which an option before the name takes the name of the experiment as its value; null for other lines.
 * @param rest the words behind the pieces
 */
export function takenName(pieces: readonly Piece[], { names }: Registry, rest: readonly string[] = []): Slip | null {
  const taking = pieces.find(({ kind, words }) => kind === 'option' && names.includes(words[1] ?? ''))
  if (taking === undefined) return null
  const [stem, value] = taking.words as [string, string]
  const words = pieces.flatMap(piece => (piece === taking ? [stem, 'VALUE', value] : piece.words))
  return new Slip(`which experiment? ${stem} takes '${value}' as its value`, [...words, ...rest])
}

function doubt(word: string, message: string, meant: readonly string[]): Piece {
  return { kind: 'doubt', words: [word], message, meant, passable: null }
}

/** The option that was probably meant: `--n` is an option of `run` rather than one of every command. */
function nearOption(stem: string): string | null {
  const [own, common] = [false, true].map(isGlobal =>
    named.filter(({ name }) => Object.hasOwn(globalOptions, name) === isGlobal).map(({ name }) => `--${name}`),
  )
  return nearest(stem, own!) ?? nearest(stem, common!)
}

/** Editors and web pages turn two hyphens into one of these dashes. */
function withDashes(word: string): string {
  return word.replace(/^[\u2012-\u2015]+(?=[A-Za-z])/, '--')
}

function underscored(word: string): string {
  const { stem } = halves(word)
  return stem.replaceAll(/(?<=\w)-/g, '_') + word.slice(stem.length)
}

function spelledOption(word: string, options: readonly NamedOption[]): Spelled | null {
  return word.startsWith('--')
    ? longOption(underscored(word), options)
    : /^-./.test(word)
      ? shortOption(word, options)
      : null
}

function halves(word: string): { stem: string; attached: string | undefined } {
  const equals = word.indexOf('=')
  if (equals < 0) return { stem: word, attached: undefined }
  return { stem: word.slice(0, equals), attached: word.slice(equals + 1) }
}

function longOption(word: string, options: readonly NamedOption[]): Spelled | null {
  const { stem, attached } = halves(word)
  const option = options.find(({ name }) => `--${name}` === stem)
  return option ? { option, stem, attached } : null
}

function shortOption(word: string, options: readonly NamedOption[]): Spelled | null {
  const option = options.find(({ char }) => char === word[1])
  if (!option) return null
  const attached = word.length > 2 ? word.slice(2).replace(/^=/, '') : undefined
  return { option, stem: word.slice(0, 2), attached }
}

/** An option and its value that were written without a blank between: a number, or the name of a runner. */
function unglued(word: string, options: readonly NamedOption[]): string[] | null {
  const text = underscored(word)
  for (const { name, kind } of options) {
    const value = text.startsWith(`--${name}`) ? text.slice(name.length + 2) : ''
    const isValue = /^\d+$/.test(value) || (name === 'runner' && runnerNames.includes(value))
    if (isValue && kind === 'value' && name.length >= shortestNearMiss) return [`--${name}`, value]
  }
  return null
}
