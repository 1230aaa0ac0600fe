import { isOneLetterOff, nearest } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { runnerNames } from '../../runners/index.js'
import type { Option } from './option.js'
import { type GivenOptions, runOptions } from './run-options.js'

export interface SplitLine {
  readonly options: GivenOptions
  readonly name: string | undefined
  readonly experimentArguments: string[]
}

type NamedOption = Option & { readonly name: string }

/** An option as it was typed, with the value in the same word, if any. */
interface Spelled {
  readonly option: NamedOption
  /** The option as the user wrote it, without a value. */
  readonly stem: string
  readonly attached: string | undefined
}

type Given = Record<string, string | string[] | true>

/** Shorter names are one letter off too many words. */
const shortestNearMiss = 5

const allOptions: readonly NamedOption[] = Object.entries(runOptions).map(([name, option]) => ({ name, ...option }))
const olderOptions = allOptions.filter(option => !option.beforeName)

/**
 * Splits `qanat run …` into our options, the experiment's name and its arguments. Before the name every option is ours;
 * after it only those of the older program; after the first `--` none.
 * @throws UserError for an unknown option before the name, a near miss after it, a missing or impossible value.
 */
export function splitLine(argv: readonly string[]): SplitLine {
  // Many scripts have an option --gpu: after the name it is ours only if a container is asked for.
  const withoutGpu = olderOptions.filter(option => option.name !== 'gpu')
  const line = scan(argv, withoutGpu)
  if (line.options.container !== undefined) return scan(argv, olderOptions)
  if (line.options.gpu) {
    throw new UserError('--gpu works only together with --container', 'qanat run --container IMAGE --gpu NAME')
  }
  return line
}

/** @param afterName the options that are ours after the name */
function scan(argv: readonly string[], afterName: readonly NamedOption[]): SplitLine {
  const given: Given = {}
  const experimentArguments: string[] = []
  let name: string | undefined
  let at = 0
  while (at < argv.length && argv[at] !== '--') {
    const word = argv[at++]!
    const spelled = name === undefined ? spelledBeforeName(word) : spelledAfterName(word, afterName)
    if (spelled) at += record(given, spelled, argv[at])
    else if (name === undefined) name = word
    else experimentArguments.push(word)
  }
  const verbatim = argv.slice(at + 1)
  name ??= verbatim.shift()
  return {
    options: given as GivenOptions,
    name,
    experimentArguments: [...experimentArguments, ...verbatim],
  }
}

function spelledBeforeName(word: string): Spelled | null {
  if (!/^-./.test(word)) return null
  const { stem, attached } = halves(word)
  const underscored = stem.replaceAll(/(?<=\w)-/g, '_')
  const spelled = word.startsWith('--') ? longOption(underscored, attached, allOptions) : shortOption(word, allOptions)
  if (spelled) return spelled
  throw new UserError(`unknown option ${stem}`, `${nearestTo(stem)}; options of the experiment come after its name`)
}

function spelledAfterName(word: string, ours: readonly NamedOption[]): Spelled | null {
  if (/^-[^-]/.test(word)) {
    // Any other word with text attached to a letter is the experiment's: -truth is not -t ruth.
    const isRunner = word.startsWith('-r') && runnerNames.includes(word.slice(2))
    return isRunner || word.length === 2 ? shortOption(word, ours) : null
  }
  if (!word.startsWith('--')) return null
  const { stem, attached } = halves(word)
  const near = ours.find(({ name }) => name.length >= shortestNearMiss && isOneLetterOff(`--${name}`, stem))
  if (near) {
    const hint = `write --${near.name}, or put it after -- to pass it to the experiment`
    throw new UserError(`${stem} is one letter off --${near.name}`, hint)
  }
  return longOption(stem, attached, ours)
}

function halves(word: string): { stem: string; attached: string | undefined } {
  const equals = word.indexOf('=')
  if (equals < 0) return { stem: word, attached: undefined }
  return { stem: word.slice(0, equals), attached: word.slice(equals + 1) }
}

function longOption(stem: string, attached: string | undefined, options: readonly NamedOption[]): Spelled | null {
  const option = options.find(({ name }) => `--${name}` === stem)
  return option ? { option, stem, attached } : null
}

function shortOption(word: string, options: readonly NamedOption[]): Spelled | null {
  const option = options.find(({ char }) => char === word[1])
  if (!option) return null
  const attached = word.length > 2 ? word.slice(2).replace(/^=/, '') : undefined
  return { option, stem: word.slice(0, 2), attached }
}

function nearestTo(stem: string): string {
  const chars = allOptions.flatMap(({ char }) => (char ? `-${char}` : []))
  if (stem.length === 2) return `the short options are ${chars.join(' ')}`
  const names = allOptions.map(({ name }) => `--${name}`)
  const meant = nearest(stem, names)
  return meant ? `did you mean ${meant}?` : 'qanat run --help        shows them'
}

/** Records an option. @returns how many of the following words (none or one) it took as its value */
function record(given: Given, { option, stem, attached }: Spelled, following: string | undefined): 0 | 1 {
  if (option.kind === 'flag') {
    if (attached !== undefined) throw new UserError(`${stem} takes no value`, `write ${stem} alone`)
    given[option.name] = true
    return 0
  }
  if (option.kind === 'switch') {
    const wanted = truth(attached ?? following)
    if (attached !== undefined && wanted === null) throw new UserError(`${stem} takes True or False, not '${attached}'`)
    if (wanted === false) delete given[option.name]
    else given[option.name] = true
    return attached === undefined && wanted !== null ? 1 : 0
  }
  const value = attached ?? following
  if (value === undefined) throw new UserError(`${stem} needs a value`, `write ${stem} VALUE`)
  if (option.name === 'runner') checkRunner(stem, value)
  if (option.choices && !option.choices.includes(value)) {
    throw new UserError(`${stem} ${value}: unknown value`, `use one of ${option.choices.join(', ')}`)
  }
  given[option.name] = option.kind === 'list' ? [...earlierValues(given[option.name]), value] : value
  return attached === undefined ? 1 : 0
}

function earlierValues(values: Given[string] | undefined): string[] {
  return Array.isArray(values) ? values : []
}

function truth(word: string | undefined): boolean | null {
  if (/^true$/i.test(word ?? '')) return true
  return /^false$/i.test(word ?? '') ? false : null
}

function checkRunner(stem: string, value: string): void {
  if (!/^-|\s/.test(value)) return
  throw new UserError(
    `${stem} takes the name of a runner, not "${value}"`,
    `for a range of parameters use -R "${value}"`,
  )
}
