import { AsyncLocalStorage } from 'node:async_hooks'

/** The answers of a form, each with its question. */
interface Form {
  readonly given: { readonly question: string; readonly answer: unknown }[]
  /** The place of the next question. */
  next: number
  /** The answers to which the user went back, by question. */
  readonly withdrawn: Map<string, unknown>
}

const forms = new AsyncLocalStorage<Form>()

/** The user wants to change the answer before. */
class GoBack extends Error {}

/**
 * Asks questions one after the other; Esc goes back to the one before, whose answer can then be changed.
 * @param ask asks them, see {@link answerTo}; it begins again with the answers so far, and asks the same for the same answers
 */
export async function askForm<Thing>(ask: () => Promise<Thing>): Promise<Thing> {
  const form: Form = { given: [], next: 0, withdrawn: new Map() }
  for (;;) {
    form.next = 0
    try {
      return await forms.run(form, ask)
    } catch (error) {
      if (!(error instanceof GoBack)) throw error
      const last = form.given.pop()
      if (last) form.withdrawn.set(last.question, last.answer)
    }
  }
}

/**
 * The answer to a question of a form, which is asked once. Outside of a form it is only asked.
 * @param ask asks it until the signal aborts it; `withdrawn` is the answer to which the user went back
 */
export async function answerTo<Answer>(
  question: string,
  ask: (signal: AbortSignal, withdrawn: Answer | undefined) => Promise<Answer>,
): Promise<Answer> {
  const form = forms.getStore()
  const back = new AbortController()
  if (!form) return ask(back.signal, undefined)
  const given = form.given[form.next++]
  if (given) return given.answer as Answer
  const onKey = (_: unknown, key: { name?: string } | undefined) => key?.name === 'escape' && back.abort()
  process.stdin.on('keypress', onKey)
  try {
    const answer = await ask(back.signal, form.withdrawn.get(question) as Answer | undefined)
    form.given.push({ question, answer })
    return answer
  } catch (error) {
    throw back.signal.aborted ? new GoBack() : error
  } finally {
    process.stdin.off('keypress', onKey)
  }
}
