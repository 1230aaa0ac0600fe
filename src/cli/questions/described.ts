import { UserError } from '../../errors.js'
import { type Described, descriptionText, isWhole, readDescription } from '../../operations/registry/descriptions.js'
import { errorText } from '../../views/error.js'
import { confirm, insistOnTerminal } from '../prompts.js'

/** Questions about a thing, and what becomes of the answers. */
interface Questions<Known, Thing extends Known, Saved> {
  /** What the questions start from. */
  readonly known: Known
  readonly ask: (known: Known) => Promise<Thing>
  /** The thing as it is shown at the end. */
  readonly textOf: (thing: Thing) => string
  /** Whether --yes was given: the user need not agree at the end. */
  readonly yes: boolean
  /** Throws a UserError for a thing that is not valid. */
  readonly save: (thing: Thing) => Saved
}

/** Asks until the user agrees and the thing is saved. The questions come again with the answers that were given. */
export async function askAndSave<Known, Thing extends Known, Saved>({
  known,
  ask,
  textOf,
  yes,
  save,
}: Questions<Known, Thing, Saved>): Promise<Saved> {
  process.stderr.write('Enter takes what is in brackets, Tab edits it, Backspace empties it.\n')
  for (let thing = await ask(known); ; thing = await ask(thing)) {
    if (!(await confirm('Is this right? (no: change the answers)', yes, textOf(thing), true))) continue
    try {
      return save(thing)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      process.stderr.write(errorText(error))
    }
  }
}

/** Where a description comes from, and what becomes of it. */
interface Source<Thing, Saved> extends Omit<Questions<Partial<Thing>, Thing, Saved>, 'textOf' | 'known' | 'save'> {
  /** What is to be changed; null for something new. */
  readonly known: Thing | null
  /** A YAML file, which may be only a part if something is known; undefined to ask. */
  readonly file: string | undefined
  /** Whether to ask even with a file, whose description is then known. */
  readonly prompt?: boolean
  /**
   * Throws a UserError for a thing that is not valid.
   * @param file the file that describes the whole of it; null if there is none
   */
  readonly save: (thing: Thing, file: string | null) => Saved
}

/**
 * Saves a description from a file, or asks for it.
 * @throws UserError with the position of a mistake in the file, or if there is no terminal to ask on
 */
export async function saveDescription<Kind extends keyof Described, Saved>(
  kind: Kind,
  { file, prompt = false, ...questions }: Source<Described[Kind], Saved>,
): Promise<Saved> {
  const read = file ? readDescription(kind, file, questions.known) : null
  const save = (thing: Described[Kind]) => questions.save(thing, file && isWhole(kind, file) ? file : null)
  if (read && !prompt) return save(read)
  insistOnTerminal(`give a file: -f ${kind}.yaml`)
  const known = read ?? questions.known ?? {}
  const textOf = (described: Described[Kind]) => descriptionText(kind, described)
  return askAndSave({ ...questions, known, save, textOf })
}

/** Says that something was changed, with its new name, and that a file with only a part of it is not followed. */
export function updatedText(kind: keyof Described, before: string, after: string, file: string | undefined): string {
  const title = `${kind[0]!.toUpperCase()}${kind.slice(1)}`
  return [
    `${title} ${before} updated.`,
    ...(after === before ? [] : [`Its name is ${after} now.`]),
    ...(file && !isWhole(kind, file)
      ? [`Later edits of ${file} are not noticed, since it describes only a part of the ${kind}.`]
      : []),
  ].join(' ')
}
