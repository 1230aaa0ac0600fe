import { takeGlobals } from '../parse/globals.js'
import type { Candidate, Given, Kind } from './kinds.js'
import type { ArgumentShape, CommandShape, OptionShape, Surface } from './shapes.js'

/** What can be completed at the cursor. */
export interface Wanted {
  /** Candidates known without a lookup: commands, options, fixed values. */
  readonly candidates: readonly Candidate[]
  readonly kind: Kind | null
  /** The beginning of the word, which is kept: `--runner=`. */
  readonly prefix: string
  readonly typed: string
  readonly given: Given
}

interface Line {
  readonly given: Record<string, string[]>
  /** The option whose value is the next word. */
  readonly awaiting: OptionShape | null
  readonly position: number
  /** After a bare `--`. */
  readonly verbatim: boolean
}

/** What can replace the last of the words, which may be empty. The words do not include the name of the program. */
export function wantedAt(surface: Surface, words: readonly string[]): Wanted {
  const typed = words.at(-1) ?? ''
  const { rest: before } = takeGlobals(words.slice(0, -1))
  const isContext = before.length === 1 && before[0] === '--context'
  if (isContext) return { ...nothing, typed, kind: 'contexts' }
  const { commands, shortNames } = surface
  const called = [before.slice(0, 2).join(' '), before[0] ?? ''].find(
    name => Object.hasOwn(commands, name) || Object.hasOwn(shortNames, name),
  )
  if (called === undefined) return { ...nothing, typed, candidates: commandWords(surface, before) }
  const shape = commands[shortNames[called] ?? called]!
  const line = readLine(shape, before.slice(called.split(' ').length))
  return wantedOf(shape, line, typed)
}

const nothing: Wanted = { candidates: [], kind: null, prefix: '', typed: '', given: {} }

function commandWords({ commands, shortNames, topics }: Surface, before: readonly string[]): Candidate[] {
  const path = before[0] === 'help' ? before.slice(1) : before
  const all = Object.entries(commands).map(([value, { summary }]) => ({ value, description: summary }))
  if (path.length === 0) {
    return [
      ...all.filter(({ value }) => !value.includes(' ') && !(value in topics)),
      ...Object.entries(shortNames).map(([value, name]) => ({ value, description: commands[name]!.summary })),
      ...Object.entries(topics).map(([value, description]) => ({ value, description })),
    ].sort((one, other) => (one.value < other.value ? -1 : 1))
  }
  if (path.length > 1) return []
  const topic = `${path[0]} `
  return all
    .filter(({ value }) => value.startsWith(topic))
    .map(({ value, description }) => ({ value: value.slice(topic.length), description }))
}

function readLine(shape: CommandShape, words: readonly string[]): Line {
  const given: Line['given'] = {}
  const give = (name: string, ...values: string[]) => {
    given[name] = [...(given[name] ?? []), ...values]
  }
  let awaiting: OptionShape | null = null
  let position = 0
  let verbatim = false
  for (const word of words) {
    const option: OptionShape | null = awaiting
    awaiting = null
    const spelled = verbatim ? null : spelledOption(shape, word, position)
    if (option?.takes === 'value') give(option.name, word)
    else if (option && /^(true|false)$/i.test(word)) give(option.name)
    else if (spelled) {
      give(spelled.option.name, ...spelled.values)
      if (spelled.values.length === 0 && spelled.option.takes !== 'nothing') awaiting = spelled.option
    } else if (word === '--' && !verbatim) verbatim = true
    else if (verbatim || !/^-./.test(word)) give(argumentAt(shape, position++)?.name ?? '', word)
  }
  return { given, awaiting, position, verbatim }
}

/** The option that a word names at that position, with the value in the same word, if any. */
function spelledOption({ options }: CommandShape, word: string, position: number) {
  const possible = options.filter(({ leads }) => !leads || position === 0)
  const [, stem, attached] = /^--(\w[\w-]*)(?:=(.*))?$/s.exec(word) ?? []
  if (stem !== undefined) {
    const option = possible.find(({ name }) => name === stem.replaceAll('-', '_'))
    return option ? { option, values: attached === undefined ? [] : [attached] } : null
  }
  const [, char, rest = ''] = /^-(\w)=?(.*)$/s.exec(word) ?? []
  const option = char === undefined ? undefined : possible.find(candidate => candidate.char === char)
  return option ? { option, values: rest === '' ? [] : [rest] } : null
}

function argumentAt(shape: CommandShape, position: number): ArgumentShape | null {
  return shape.arguments[position] ?? (shape.repeatsLast ? (shape.arguments.at(-1) ?? null) : null)
}

function wantedOf(shape: CommandShape, line: Line, typed: string): Wanted {
  const { given, awaiting, position, verbatim } = line
  if (awaiting?.takes === 'value') return { ...valuesOf(awaiting), typed, given }
  const prefix = /^--[^=]+=/.exec(typed)?.[0] ?? ''
  const attached = verbatim || prefix === '' ? null : spelledOption(shape, typed, position)
  if (attached) return { ...valuesOf(attached.option), prefix, typed: typed.slice(prefix.length), given }
  const argument = argumentAt(shape, position)
  const values = argument ? valuesOf(argument) : nothing
  const options = !verbatim && (typed.startsWith('-') || !argument) ? possibleOptions(shape, line, typed) : []
  return { ...values, candidates: [...values.candidates, ...options], typed, given }
}

function valuesOf({ values = [], completes }: ArgumentShape): Wanted {
  return { ...nothing, candidates: values.map(value => ({ value, description: '' })), kind: completes ?? null }
}

/** The options that can still be given, with hyphens instead of underscores if they were typed so. */
function possibleOptions({ options }: CommandShape, { given, position }: Line, typed: string): Candidate[] {
  const isHyphenated = /^--\w.*-/.test(typed)
  const excluded = options.filter(({ name }) => name in given).flatMap(({ excludes }) => excludes)
  return options
    .filter(({ name, repeats }) => (repeats || !(name in given)) && !excluded.includes(name))
    .filter(({ leads }) => !leads || position === 0)
    .filter(({ excludes }) => !excludes.some(name => name in given))
    .map(({ name, description }) => ({ value: `--${isHyphenated ? name.replaceAll('_', '-') : name}`, description }))
}
