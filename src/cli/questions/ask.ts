import { QanatError } from '../../errors.js'
import { guarded } from '../guard-terminal.js'

// Questions go to stderr, so that they are visible when stdout goes to a file.

interface LineQuestion {
  readonly message: string
  /** What Enter takes. */
  readonly known?: string | undefined
  /** The same where nothing is known; a blank declines it. */
  readonly offered?: string
  /** Throws a QanatError for an answer that is not valid; then the question stays, with the answer to be corrected. */
  readonly check?: (answer: string) => unknown
}

/** Asks for a line of text until it is valid. @returns it without blanks around it */
export async function askForLine({ message, known, offered = '', check }: LineQuestion): Promise<string> {
  const { input } = await import('./inquirer.js')
  const question = { message, default: known ?? offered, validate: (text: string) => problemOf(text, check) }
  return (await guarded(() => input(question, { output: process.stderr }))).trim()
}

/** True, or what the error says that the check throws, with its hint. */
async function problemOf(text: string, check: LineQuestion['check']): Promise<true | string> {
  try {
    await check?.(text.trim())
    return true
  } catch (error) {
    if (error instanceof QanatError) return [error.message, ...(error.hint === null ? [] : [error.hint])].join('\n  ')
    throw error
  }
}

interface Choice<Value> {
  readonly name: string
  readonly value: Value
}

/** Lets the user choose one of several. @param known is under the pointer */
export async function chooseOne<Value>(
  message: string,
  choices: readonly Choice<Value>[],
  known?: Value,
): Promise<Value> {
  const { select } = await import('./inquirer.js')
  const question = { message, choices, ...(known !== undefined && { default: known as NoInfer<Value> }) }
  return guarded(() => select<Value>(question, { output: process.stderr }))
}

/** Lets the user choose one of several names. */
export function chooseName(message: string, names: readonly string[], known?: string): Promise<string> {
  return chooseOne(
    message,
    names.map(name => ({ name, value: name })),
    known,
  )
}

/** Lets the user choose any of several names. */
export async function chooseNames(
  message: string,
  names: readonly string[],
  known: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return []
  const { checkbox } = await import('./inquirer.js')
  const choices = names.map(name => ({ name, value: name, checked: known.includes(name) }))
  return guarded(() => checkbox({ message, choices }, { output: process.stderr }))
}

/** What a list holds, in the singular and in the plural, and how one of it is asked for. */
interface ListQuestion<Item> {
  readonly one: string
  readonly many: string
  readonly nameOf: (item: Item) => string
  /** @param known what is changed; null for a new one. @param others the rest of the list */
  readonly ask: (known: Item | null, others: readonly Item[]) => Promise<Item>
}

/** Lets the user add, change and remove things of a list, until it is right. */
export async function askForList<Item>(
  { one, many, nameOf, ask }: ListQuestion<Item>,
  known: readonly Item[],
): Promise<Item[]> {
  const items = [...known]
  for (;;) {
    const each = (verb: 'Change' | 'Remove') =>
      items.map((item, at) => ({ name: `${verb} ${nameOf(item)}`, value: { verb, at } }))
    const { verb, at } = await chooseOne(`${many}: ${items.map(nameOf).join(', ') || 'none'}`, [
      { name: 'Go on', value: { verb: 'Go on', at: 0 } },
      { name: `Add ${one}`, value: { verb: 'Add', at: items.length } },
      ...each('Change'),
      ...each('Remove'),
    ])
    if (verb === 'Go on') return items
    if (verb === 'Remove') items.splice(at, 1)
    else items[at] = await ask(items[at] ?? null, items.toSpliced(at, 1))
  }
}
