import { distance } from 'fastest-levenshtein'
import { nearest } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { type GivenOptions, type RunOption, runOptions } from './run-options.js'

export interface SplitLine {
  /** Our options as separate words with their long names, each single one once: `--runner slurm --wait`. */
  readonly ours: string[]
  /** The same, read. A parser of options cannot tell all of them from `ours`: in `-g "-f 3"` the value looks like one. */
  readonly options: GivenOptions
  readonly name: string | undefined
  readonly experimentArguments: string[]
}

/** An option as it stands on the line, with the value that is written in the same word, if any. */
interface Spelled {
  readonly option: RunOption
  /** The option as the user wrote it, without a value. */
  readonly stem: string
  readonly attached: string | undefined
}

type Given = Record<string, string | string[] | true>

/** Shorter names of ours are too near to everything. */
const SHORTEST_NEAR_MISS = 5

/**
 * Splits `qanat run …` into our options, the experiment's name and its arguments. Before the name every option is ours;
 * after it only those of the older program; after the first `--` none.
 * @param runners the names that `-r` takes when they are attached to it after the name, as in `-rslurm`.
 * @throws UserError for an unknown option before the name, a near miss after it, a missing or impossible value.
 */
export function splitLine(argv: readonly string[], runners: readonly string[]): SplitLine {
  const afterName = runOptions.filter(option => option.afterName)
  // Many scripts have a --gpu of their own: after the name it is ours only where a container is asked for.
  const withoutGpu = afterName.filter(option => option.name !== 'gpu')
  const line = scan(argv, runners, withoutGpu)
  if (line.options.container !== undefined) return scan(argv, runners, afterName)
  if (line.options.gpu) {
    throw new UserError('--gpu works only together with --container', 'qanat run --container IMAGE --gpu NAME')
  }
  return line
}

function scan(argv: readonly string[], runners: readonly string[], afterName: readonly RunOption[]): SplitLine {
  const given: Given = {}
  const experimentArguments: string[] = []
  let name: string | undefined
  let at = 0
  while (at < argv.length && argv[at] !== '--') {
    const word = argv[at++]!
    const spelled = name === undefined ? spelledBeforeName(word) : spelledAfterName(word, runners, afterName)
    if (spelled) at += record(given, spelled, argv[at])
    else if (name === undefined) name = word
    else experimentArguments.push(word)
  }
  const verbatim = argv.slice(at + 1)
  name ??= verbatim.shift()
  return {
    ours: Object.entries(given).flatMap(([option, value]) => wordsOf(`--${option}`, value)),
    options: given as GivenOptions,
    name,
    experimentArguments: [...experimentArguments, ...verbatim],
  }
}

function wordsOf(option: string, value: string | string[] | true): string[] {
  return value === true ? [option] : [value].flat().flatMap(text => [option, text])
}

function spelledBeforeName(word: string): Spelled | null {
  if (!/^-./.test(word)) return null
  const { stem, attached } = halves(word)
  const underscored = stem.replaceAll(/(?<=\w)-/g, '_')
  const spelled = word.startsWith('--') ? longOption(underscored, attached, runOptions) : shortOption(word, runOptions)
  if (spelled) return spelled
  throw new UserError(`unknown option ${stem}`, `${nearestTo(stem)}; options of the experiment come after its name`)
}

function spelledAfterName(word: string, runners: readonly string[], ours: readonly RunOption[]): Spelled | null {
  if (/^-[^-]/.test(word)) {
    const isRunner = word.startsWith('-r') && runners.includes(word.slice(2))
    return isRunner || word.length === 2 ? shortOption(word, ours) : null
  }
  if (!word.startsWith('--')) return null
  const { stem, attached } = halves(word)
  const near = ours.find(({ name }) => name.length >= SHORTEST_NEAR_MISS && distance(`--${name}`, stem) === 1)
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

function longOption(stem: string, attached: string | undefined, options: readonly RunOption[]): Spelled | null {
  const option = options.find(({ name }) => `--${name}` === stem)
  return option ? { option, stem, attached } : null
}

function shortOption(word: string, options: readonly RunOption[]): Spelled | null {
  const option = options.find(({ char }) => char === word[1])
  if (!option) return null
  const attached = word.length > 2 ? word.slice(2).replace(/^=/, '') : undefined
  return { option, stem: word.slice(0, 2), attached }
}

function nearestTo(stem: string): string {
  const chars = runOptions.flatMap(option => ('char' in option ? `-${option.char}` : []))
  if (stem.length === 2) return `the short ones are ${chars.join(' ')}`
  const names = runOptions.map(({ name }) => `--${name}`)
  const meant = nearest(stem, names)
  return meant ? `did you mean ${meant}?` : 'qanat run --help        shows them'
}

/** Adds an option to what was given and tells how many of the following words (none or one) it took as its value. */
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
  throw new UserError(`${stem} names a runner, not "${value}"`, `a range of parameters is given with -R: -R "${value}"`)
}
