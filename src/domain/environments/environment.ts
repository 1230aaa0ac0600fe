import { fewInSentence } from '../text/names.js'

/** Kinds of facts about the software that groups use outside of a container. */
export const softwareKinds = ['interpreter', 'module', 'package', 'conda', 'npm', 'r'] as const

/** Kinds of facts about the machine. */
export const machineKinds = ['system', 'cpu', 'gpu'] as const

/** What a fact of an environment is about, in the order in which they are shown. */
export const factKinds = [...softwareKinds, 'container', 'lock', ...machineKinds] as const

/**
 * What is said of a record itself: `look` says that the interpreter is the one that the command of the group named, since it
 * was not seen while it ran; the name of an `unknown` is `interpreter`, `packages`, or that of one package.
 */
const remarkKinds = ['look', 'unknown'] as const

export type FactKind = (typeof factKinds)[number] | (typeof remarkKinds)[number]

/** Kinds that may be missing because the interpreter is not known. */
const ofInterpreter: readonly FactKind[] = ['interpreter', 'package', 'conda', 'npm', 'r']

/** One fact of an environment: the package `numpy` is `1.26.4`, the `kernel` of the system is `Linux 6.1`. */
export interface EnvironmentFact {
  readonly kind: FactKind
  readonly name: string
  /** Empty if only the name is known. */
  readonly value: string
}

/** The environment in which groups ran on a host. */
export interface Environment {
  /** Sorted, and none twice. */
  readonly facts: readonly EnvironmentFact[]
  /** Whether it was not all found in time, so that what is missing here may have been there. */
  readonly isPartial: boolean
}

/**
 * Reads the text that environment.sh writes, or {@link environmentText}. A line that is not a fact is left out: the last one
 * was cut off if there was no more time.
 * @returns the facts, and the last line: null if it does not say how the search ended
 */
export function readFacts(text: string): { facts: EnvironmentFact[]; ending: 'end' | 'partial' | null } {
  const lines = text.split('\n')
  const last = lines.at(-2)
  const ending = last === 'end' || last === 'partial' ? last : null
  const found = new Set<string>()
  const facts = lines.slice(0, -1).flatMap((line): EnvironmentFact[] => {
    const [kind, written, value, ...more] = line.split('\t')
    if (!isKind(kind) || !written || value === undefined || more.length > 0) return []
    const name = kind === 'package' ? packageName(written) : written
    // The interpreter imports the one that comes first on its path.
    if (kind === 'package' && found.has(name)) return []
    if (kind === 'package') found.add(name)
    return [{ kind, name, value }]
  })
  return { facts, ending }
}

function isKind(word: string | undefined): word is FactKind {
  return ([...factKinds, ...remarkKinds] as readonly (string | undefined)[]).includes(word)
}

/** The name of a Python package as the package index writes it: folders write it in different ways. */
function packageName(folder: string): string {
  return folder.toLowerCase().replace(/[-_.]+/g, '-')
}

/** Sorts facts, and leaves out those that are there twice. */
export function environmentOf(facts: readonly EnvironmentFact[], isPartial: boolean): Environment {
  const lines = new Map(facts.map(fact => [lineOf(fact), fact]))
  return { facts: [...lines.keys()].sort().map(line => lines.get(line)!), isPartial }
}

/** An environment as normalised text: the same environment gives the same text. */
export function environmentText({ facts, isPartial }: Environment): string {
  return [...facts.map(lineOf), isPartial ? 'partial' : 'end', ''].join('\n')
}

function lineOf({ kind, name, value }: EnvironmentFact): string {
  return `${kind}\t${name}\t${value}`
}

/** Reads the text that {@link environmentText} has made. */
export function readEnvironment(text: string): Environment {
  const { facts, ending } = readFacts(text)
  return { facts, isPartial: ending !== 'end' }
}

/** The facts of one kind by their names, several values of a name in one text. */
export function factsOf({ facts }: Environment, kind: FactKind): Map<string, string> {
  const found = new Map<string, string>()
  for (const { name, value, ...fact } of facts) {
    if (fact.kind === kind) found.set(name, found.has(name) ? `${found.get(name)}, ${value}` : value)
  }
  return found
}

/** Whether facts of a kind that are missing in an environment may have been there. */
export function isSurelyWhole({ facts, isPartial }: Environment, kind: FactKind): boolean {
  if (isPartial) return false
  const unknown = facts.filter(fact => fact.kind === 'unknown').map(({ name }) => name)
  return !ofInterpreter.includes(kind) || !(unknown.includes('interpreter') || unknown.includes('packages'))
}

/** What is not known of an environment, in words: `the interpreter (behind sh)`. */
export function unknownParts({ facts, isPartial }: Environment): string[] {
  const named = facts
    .filter(({ kind }) => kind === 'unknown')
    .map(({ name, value }) => `${name === 'interpreter' || name === 'packages' ? 'the ' : ''}${name} (${value})`)
  return [...named, ...(isPartial ? ['what was not found in five seconds'] : [])]
}

/**
 * What a screen says of parts that are not known, beside an environment or instead of saying that two are the same:
 * `not known: the interpreter (behind sh)`. Nothing if all is known.
 */
export function notKnown(parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`not known: ${fewInSentence(parts)}`]
}

/** An environment without packages that do not count in comparisons. @param ignored their names, in any way of writing */
export function without(environment: Environment, ignored: readonly string[]): Environment {
  if (ignored.length === 0) return environment
  const names = new Set(ignored.map(packageName))
  const kinds: readonly FactKind[] = ['package', 'conda', 'npm', 'r', 'unknown']
  const facts = environment.facts.filter(({ kind, name }) => !kinds.includes(kind) || !names.has(packageName(name)))
  return { ...environment, facts }
}
