import { inquirer } from '../prompts.js'
import { answerTo } from './form.js'

/** Something that can be chosen, under the name that is shown. */
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
  const at = await answerTo<number>(message, async (signal, withdrawn) => {
    const { prompt } = await inquirer(signal)
    const answer = await prompt<{ at: number }>([
      {
        type: 'select',
        name: 'at',
        message,
        choices: choices.map(({ name }, value) => ({ name, value })),
        default: withdrawn ?? choices.findIndex(({ value }) => value === known),
      },
    ])
    return answer.at
  })
  return choices[at]!.value
}

/** Lets the user choose any of several names. */
export async function chooseNames(
  message: string,
  names: readonly string[],
  known: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return []
  return answerTo<string[]>(message, async (signal, withdrawn = [...known]) => {
    const { prompt } = await inquirer(signal)
    const choices = names.map(name => ({ name, value: name, checked: withdrawn.includes(name) }))
    const { answer } = await prompt<{ answer: string[] }>([{ type: 'checkbox', name: 'answer', message, choices }])
    return answer
  })
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
