import type { NamedOption } from '../../domain/options/option.js'
import { giveValue, readValue, type Values } from '../../domain/options/read-value.js'
import {
  halves,
  longOption,
  type Spelled,
  shortOption,
  spelledOption,
  underscored,
} from '../../domain/options/spelled.js'
import { isOption, isOptionName } from '../../domain/parameters/arguments.js'
import { isOneLetterOff, nearest, shortened } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { runnerNames } from '../../runners/index.js'
import { globalOptions } from './globals.js'
import { closedOptions, type GivenOptions, lineOptions } from './line-options.js'
import type { Registry } from './registry.js'

/** Too many words are one letter off a shorter name. */
export const shortestNearMiss = 5

/** Options whose value is a text of several words, which needs quotes. */
const quotedOptions = ['group_param', 'range_param', 'values']

/** Reads the words of a line from left to right. */
export class Scan {
  readonly options: Values & GivenOptions = {}
  /** The position of the name; -1 if there is none. */
  nameAt = -1
  /** The positions of the experiment's arguments. */
  readonly argumentsAt: number[] = []
  /** How the option was written of which a text of several words ends at a position. */
  readonly textEnds = new Map<number, string>()
  private at = 0

  /**
   * @param afterName the options that are ours after the name
   * @throws UserError for a line that was hardly meant so
   */
  constructor(
    private readonly argv: readonly string[],
    private readonly afterName: readonly NamedOption[],
    private readonly registry: Registry,
  ) {
    for (; this.at < argv.length && argv[this.at] !== '--'; this.at++) this.read(argv[this.at]!)
    while (++this.at < argv.length) this.place()
  }

  private read(word: string): void {
    const spelled = this.nameAt < 0 ? spelledOption(word, lineOptions) : this.spelledAfterName(word)
    if (spelled) {
      const { value, count } = this.valueOf(spelled)
      giveValue(this.options, spelled.option, value)
      this.at += count - 1
      if (quotedOptions.includes(spelled.option.name)) this.textEnds.set(this.at, spelled.stem)
      return
    }
    if (this.nameAt >= 0) this.refuseDoubtful(word)
    else if (/^-./.test(word)) throw this.unknown(word)
    this.place()
  }

  private place(): void {
    if (this.nameAt < 0) this.nameAt = this.at
    else this.argumentsAt.push(this.at)
  }

  private spelledAfterName(word: string): Spelled | null {
    if (word.startsWith('--')) return longOption(word, this.afterName)
    // Any other word with text attached to a letter is the experiment's: -truth is not -t ruth.
    const isRunner = word.startsWith('-r') && runnerNames.includes(word.slice(2))
    const isText = /^-[gR]--?[a-z]/i.test(word)
    return isRunner || isText || /^-.$/.test(word) ? shortOption(word, this.afterName) : null
  }

  private valueOf(spelled: Spelled) {
    const [value, next] = this.argv.slice(this.at + 1, this.at + 3)
    const read = readValue(spelled, value, lineOptions, (words, count) => this.corrected(words, count))
    const { option, stem } = spelled
    if (read.count === 1 || !quotedOptions.includes(option.name) || !isOptionName(value!)) return read
    const isLast = next === undefined || next === '--' || (this.nameAt < 0 && this.registry.names.includes(next))
    // A group may be a bare flag.
    if (isLast || (option.name === 'group_param' && (this.nameAt < 0 || isOption(next)))) return read
    throw new UserError(
      `${stem} takes one text, here only ${shortened(value!)}: the words after it need quotes, too`,
      `write, for example: ${stem} "${shortened(value!)} ${shortened(next)}"`,
    )
  }

  /** Refuses a word after the name that was probably meant for us. */
  private refuseDoubtful(word: string): void {
    const name = this.argv[this.nameAt]!
    const isValues = /^-V(--?[a-z]|$)/i.test(word)
    const misplaced = isValues ? shortOption(word, lineOptions) : longOption(word, closedOptions)
    const { stem } = halves(word)
    const near = [...this.afterName, ...closedOptions].find(
      option => option.name.length >= shortestNearMiss && isOneLetterOff(`--${option.name}`, underscored(stem)),
    )
    const option = misplaced?.option ?? near
    if (!option) return
    const plain = isValues ? '-V' : `--${option.name}`
    const isClosed = misplaced !== null || closedOptions.includes(option)
    if (isClosed && this.registry.passes(name).includes(plain)) return
    const own = `if it is an option of ${shortened(name)}, write it after --${isClosed ? `, or 'passes: [${plain}]' in its YAML file` : ''}`
    const refusal = (message: string, line: string | null) => new UserError(message, line ? `${line}\n${own}` : own)
    if (!misplaced) {
      const line = this.corrected([plain + word.slice(stem.length)], 1)
      throw refusal(`${shortened(stem)} is one letter off ${plain}`, line)
    }
    const { count } = this.valueOf(misplaced)
    const words = this.argv.slice(this.at, this.at + count)
    const moved = this.argv.toSpliced(this.at, count).toSpliced(this.nameAt, 0, ...words)
    throw refusal(`${plain} belongs before the name of the experiment`, lineOf(moved))
  }

  /** An option before the name that is none of ours: it is misspelt, or an option of the experiment. */
  private unknown(word: string): UserError {
    const { stem } = halves(word)
    const near = stem.length === 2 ? null : nearOption(underscored(stem))
    const rest = this.argv.slice(this.at)
    const at = rest.findIndex(each => this.registry.names.includes(each))
    const message = `unknown option ${shortened(stem)}`
    const moved = (...between: readonly string[]) =>
      at < 0 ? null : lineOf([...this.argv.slice(0, this.at), rest[at]!, ...between])
    const [own, after] = [rest.slice(0, Math.max(at, 0)), rest.slice(at + 1)]
    if (!near) {
      const form = 'qanat run [OPTIONS] NAME [ARGUMENTS OF THE EXPERIMENT]'
      return new UserError(`${message}: options of the experiment come after its name`, moved(...own, ...after) ?? form)
    }
    const line = this.corrected([near + word.slice(stem.length)], 1)
    // After the name, an option that is one letter off is refused, too.
    const passed = isOneLetterOff(near, underscored(stem)) ? moved(...after, '--', ...own) : moved(...own, ...after)
    const note = passed === null ? [] : [`${passed}        (if it is an option of ${rest[at]})`]
    return new UserError(`${message}. Did you mean ${near}?`, [line, ...note].filter(Boolean).join('\n'))
  }

  /** The line to paste with other words in place of the current ones. */
  private corrected(words: readonly string[], count: number): string | null {
    return lineOf(this.argv.toSpliced(this.at, count, ...words))
  }
}

/** The positions of the arguments that do not stand after `--`. */
export function typedAt(argv: readonly string[], argumentsAt: readonly number[]): number[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return argumentsAt.filter(at => at < end)
}

/** A line to paste; null for one that fills a screen, which helps nobody. */
export function lineOf(argv: readonly string[]): string | null {
  const line = displayCommand(['qanat', 'run', ...argv])
  return line.length <= 1_000 ? line : null
}

/** The option that was probably meant: `--n` is an option of `run` rather than one of every command. */
function nearOption(stem: string): string | null {
  const [own, common] = [false, true].map(isGlobal =>
    lineOptions.filter(({ name }) => Object.hasOwn(globalOptions, name) === isGlobal).map(({ name }) => `--${name}`),
  )
  const near = nearest(stem, own!) ?? nearest(stem, common!)
  // Scripts have options such as --rate, two letters off a short one of ours.
  const isShort = near !== null && near.length < shortestNearMiss + '--'.length && near.length === stem.length
  return isShort && !isOneLetterOff(near, stem) ? null : near
}
