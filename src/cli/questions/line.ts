import {
  createPrompt,
  isEnterKey,
  isTabKey,
  makeTheme,
  type Status,
  useEffect,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core'
import { fewOf } from '../../domain/text/names.js'
import { QanatError } from '../../errors.js'
import { completePath } from '../../project/complete-path.js'
import { displayable } from '../../views/format/displayable.js'
import { answerTo } from './form.js'

/** A question whose answer is a line of text. */
export interface LineQuestion {
  readonly message: string
  /** What is known already stands in the line, to be edited or deleted. */
  readonly known?: string | undefined
  /** The answer if nothing is typed and nothing was known; a single blank declines it. */
  readonly offered?: string
  /** The absolute folder where paths start, which Tab completes; undefined if the answer is no path. */
  readonly paths?: string
  /** Throws a QanatError for an answer that is not valid; then the question stays, with the answer to be corrected. */
  readonly check?: (answer: string) => unknown
}

/**
 * The prompt. That of the library offers what is known, and takes it for an empty answer: a value could never be emptied.
 */
const prompt = createPrompt<string, LineQuestion>(({ message, known, offered = '', paths, check }, done) => {
  const [status, setStatus] = useState<Status>('idle')
  const [text, setText] = useState(known ?? '')
  const [problem, setProblem] = useState('')
  const [names, setNames] = useState<readonly string[]>([])
  const theme = makeTheme({})
  const prefix = usePrefix({ status, theme })
  const isOffered = known === undefined && text === ''
  useEffect(line => line.write(known ?? ''), [])
  useKeypress(async (key, line) => {
    if (status !== 'idle') return
    if (isTabKey(key)) {
      const isDefault = isOffered && offered !== ''
      const completed = isDefault || paths === undefined ? null : completePath(paths, text)
      const path = completed?.path ?? (isDefault ? offered : text)
      line.clearLine(0)
      line.write(path)
      setText(path)
      setNames(completed?.names ?? [])
    } else if (isEnterKey(key)) {
      const answer = (isOffered ? offered : text).trim()
      setStatus('loading')
      const found = await problemOf(answer, check)
      setStatus(found === '' ? 'done' : 'idle')
      setProblem(found)
      // Enter has emptied the line.
      if (found === '') setText(answer)
      else line.write(text)
      if (found === '') done(answer)
    } else {
      setText(line.line)
      setProblem('')
      setNames([])
    }
  })
  const shown = status === 'done' ? theme.style.answer(text) : text
  const dimmed = isOffered && offered !== '' && status === 'idle' ? `${theme.style.defaultAnswer(offered)} ` : ''
  const possible = status === 'done' ? '' : theme.style.help(displayable(fewOf(names)))
  const below = problem ? theme.style.error(problem) : possible
  return [`${prefix} ${theme.style.message(message, status)} ${dimmed}${shown}`, below]
})

async function problemOf(answer: string, check: LineQuestion['check']): Promise<string> {
  try {
    await check?.(answer)
    return ''
  } catch (error) {
    if (error instanceof QanatError) return error.message
    throw error
  }
}

/** Asks for a line of text, on stderr, until it is valid. @returns it without blanks around it */
export function askForLine(question: LineQuestion): Promise<string> {
  return answerTo<string>(question.message, (signal, withdrawn) =>
    prompt({ ...question, known: withdrawn ?? question.known }, { output: process.stderr, signal }),
  )
}
