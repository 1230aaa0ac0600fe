import { QanatError, UserError } from '../errors.js'
import type { Workspace } from '../operations/workspace.js'
import type { TextPart } from '../runfolder/part.js'
import { explainDatabase } from '../store/database.js'

/** What a page asks for: the words of its address that vary, and its query. */
export interface Question {
  readonly words: readonly string[]
  readonly query: URLSearchParams
}

type Answer = object | TextPart | { readonly svg: string }

/** What is answered below `/api/`, by forms of addresses, in which NAME and ID stand for the words that vary. */
export type Answers = Readonly<Record<string, (asked: Question) => Answer | Promise<Answer>>>

/** An answer as it is sent. */
export interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string | Uint8Array
  /** Of a part of a file: where it starts, in bytes. */
  readonly start?: number
}

/** Answers a question; what goes wrong is told with what to type, as a command does. @returns null if nobody knows the address */
export async function replyTo(workspace: Workspace, answers: Answers, url: URL): Promise<Reply | null> {
  for (const [form, answer] of Object.entries(answers)) {
    const pattern = form.replaceAll('.', '\\.').replaceAll('NAME', '([^/]+)').replaceAll('ID', '(\\d+)')
    const match = new RegExp(`^/api/${pattern}$`).exec(url.pathname)
    if (!match) continue
    try {
      workspace.store.refuseOther()
      return sent(await answer({ words: match.slice(1).map(decoded), query: url.searchParams }))
    } catch (error) {
      return failure(error)
    }
  }
  return null
}

function sent(answer: Answer): Reply {
  if ('bytes' in answer) return { status: 200, type: 'text/plain', body: answer.bytes, start: answer.start }
  if ('svg' in answer) return { status: 200, type: 'image/svg+xml', body: answer.svg }
  return { status: 200, type: 'application/json', body: JSON.stringify(answer) }
}

/** What a page shows of an error. */
export function failure(thrown: unknown): Reply {
  const error = explainDatabase(thrown)
  const hint = error instanceof QanatError ? error.hint : null
  const body = JSON.stringify({ error: { message: (error as Error).message, hint } })
  return { status: error instanceof UserError ? 400 : 500, type: 'application/json', body }
}

/** A part of an address without its escapes; unchanged if they are wrong. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
