import { UserError } from '../../errors.js'
import { readGiven } from '../../operations/registry/given-file.js'
import type { Kind, Registered } from '../../operations/registry/kind.js'
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
  readonly save: (thing: Thing) => Saved | Promise<Saved>
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
      return await save(thing)
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
   * @param file the file that says the same; null if there is none
   */
  readonly save: (thing: Thing, file: string | null) => Saved | Promise<Saved>
}

/**
 * Saves a description from a file, or asks for it.
 * @throws UserError with the position of a mistake in the file, or if there is no terminal to ask on
 */
export async function saveDescription<Thing extends Registered, Saved>(
  kind: Kind<Thing>,
  { file, prompt = false, ...questions }: Source<Thing, Saved>,
): Promise<Saved> {
  const read = file ? readGiven(kind, file, questions.known) : null
  if (read && !prompt) return questions.save(read, file!)
  insistOnTerminal(`give a file: -f ${kind.name}.yaml`)
  const known = read ?? questions.known ?? {}
  const saysSame = (thing: Thing) => read !== null && kind.toYaml(read) === kind.toYaml(thing)
  const save = (thing: Thing) => questions.save(thing, saysSame(thing) ? file! : null)
  return askAndSave({ ...questions, known, save, textOf: kind.toYaml })
}
