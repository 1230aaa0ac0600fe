import { fewOf } from '../domain/text/names.js'
import { UserError } from '../errors.js'
import type { Store } from '../store/store.js'

interface Argument {
  readonly name: string
  readonly description?: string
  readonly completes?: string
  readonly shown?: string
}

/** The first argument that a line lacks, by the error of oclif about it; null for other errors. */
export function missingOf(error: unknown): Argument | null {
  const isOurs = error instanceof Error && 'args' in error && error.message.startsWith('Missing ')
  return isOurs ? (error.args as readonly Argument[])[0]! : null
}

interface Known {
  readonly question: string
  readonly example: string | null
}

/**
 * The error about a line without an argument: the question that it leaves open, with what there is to choose from.
 * @param store null outside of a project, or if its database cannot be read
 */
export function missingArgument(missing: Argument, example: string | null, store: Store | null): UserError {
  const known = knownFor(missing, example, store)
  const help = 'add --help to see the arguments and options of the command'
  return new UserError(known.question, known.example === null ? help : `for example: ${known.example}\n${help}`)
}

function knownFor(
  { name, description, completes = '', shown = '' }: Argument,
  example: string | null,
  store: Store | null,
): Known {
  if (/^(datasets|documents)$/.test(completes)) {
    const names = store === null ? [] : namesIn(store, completes)
    return { question: `which ${completes.slice(0, -1)}?${choice(names)}`, example: withName(example, names) }
  }
  if (completes === 'experiments' || shown.startsWith('EXPERIMENT')) {
    const names = store?.experiments.names() ?? []
    return { question: `which experiment?${choice(names)}`, example: withName(example, names) }
  }
  if (name === 'name' && /runs|groups/.test(completes)) {
    const last = store?.runs.last(null)?.id ?? null
    const question = last === null ? 'which run?' : `which run? The last one is ${last}`
    return { question, example: last === null ? example : (example?.replace(/ \d+/, ` ${last}`) ?? null) }
  }
  return { question: `${shown || name.toUpperCase()} is missing: ${description}`, example }
}

function namesIn(store: Store, kind: string): string[] {
  return kind === 'datasets' ? store.datasets.list().map(({ name }) => name) : store.documents.names()
}

function choice(names: readonly string[]): string {
  return names.length > 1 ? ` There are ${fewOf(names)}` : ''
}

/** The example with a name of this project in place of its own. */
function withName(example: string | null, [name]: readonly string[]): string | null {
  return name === undefined ? example : (example?.replace(/^(\S+ (?:[a-z_]+ )+)[a-z][\w.-]+/, `$1${name}`) ?? null)
}
