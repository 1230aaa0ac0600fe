import { halves, underscored } from '../../domain/options/spelled.js'
import { type Doubt, isNear } from '../../domain/parameters/slips.js'
import { shortened } from '../../domain/text/names.js'
import type { OddWords } from '../../operations/launch/request.js'
import { closedOptions, laterOptions, olderOptions } from './line-options.js'
import type { Registry } from './registry.js'
import { lineOf, type Scan, shortestNearMiss, typedAt } from './scan-line.js'

/** What looks odd among the arguments of an experiment. What stands after a bare `--` was meant so. */
export function oddWords(
  argv: readonly string[],
  { nameAt, argumentsAt, textEnds }: Scan,
  registry: Registry,
): OddWords {
  const typed = typedAt(argv, argumentsAt)
  const passes = typed.length === 0 ? [] : registry.passes(argv[nameAt]!)
  return {
    forgotten: forgottenIn(argv, typed, textEnds),
    nearOurs: typed.flatMap(at => nearOurs(argv, at).filter(({ meant }) => !passes.includes(meant))),
  }
}

/** @param textEnds by the position of each text of -g and -R, how that option was written */
function forgottenIn(
  argv: readonly string[],
  typed: readonly number[],
  textEnds: ReadonlyMap<number, string>,
): Doubt[] {
  const options = new Map(textEnds)
  const found: number[] = []
  for (const at of typed) {
    const option = options.get(at - 1)
    if (option === undefined || !isLikeText(argv[at]!, argv[at - 1]!)) continue
    found.push(at)
    options.set(at, option)
  }
  const line = lineOf(argv.flatMap((word, at) => (found.includes(at) ? [options.get(at)!, word] : [word])))
  return found.slice(0, 1).map(at => ({
    text: `'${shortened(argv[at]!)}' goes to the script as one word, since no ${options.get(at)} stands before it`,
    line,
  }))
}

/** Whether a word is a text of several words like the one before it: `--sigma 2` or, after `lr=1 b=2`, `lr=2 b=3`. */
function isLikeText(word: string, before: string): boolean {
  if (/^--?[a-z]\S*\s/i.test(word)) return true
  const nameOf = (text: string) => /^(\w[\w.@-]*=)\S*(\s|$)/.exec(text)?.[1]
  return nameOf(word) !== undefined && nameOf(word) === nameOf(before)
}

/** Only one letter off is refused before. An option of ours that came later belongs to the script after the name, but was it meant so? */
function nearOurs(argv: readonly string[], at: number): OddWords['nearOurs'][number][] {
  const { stem, attached } = halves(argv[at]!)
  if (!stem.startsWith('--')) return []
  const near = [...olderOptions, ...closedOptions].find(
    ({ name }) => name.length >= shortestNearMiss && isNear(`--${name}`, underscored(stem)),
  )
  const later = laterOptions.find(({ name }) => `--${name}` === underscored(stem))
  if (later) {
    const line = later.kind === 'flag' ? lineOf([argv[at]!, ...argv.toSpliced(at, 1)]) : null
    return [{ given: stem, meant: `--${later.name}`, line }]
  }
  if (!near) return []
  const meant = `--${near.name}`
  const word = attached === undefined ? meant : `${meant}=${attached}`
  return [{ given: stem, meant, line: olderOptions.includes(near) ? lineOf(argv.with(at, word)) : null }]
}
