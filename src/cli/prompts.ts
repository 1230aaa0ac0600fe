import { QanatError, UserError } from '../errors.js'
import type { Questions } from '../operations/launch/launch-run.js'
import { chosenResults } from '../operations/project/init-project.js'
import { displayable } from '../views/format/displayable.js'
import { answerTo } from './questions/form.js'

/** True if there is a terminal to ask on. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY)
}

/** Questions are asked only on a terminal. @throws UserError with what to type instead */
export function insistOnTerminal(instead: string): void {
  if (!canAsk()) throw new UserError('there is no terminal to ask on', instead)
}

/**
 * Asks a yes-or-no question.
 * @param yes true if --yes was given
 * @param text what the question is about, shown above it
 * @param offered the answer if only Enter is pressed
 */
export async function confirm(question: string, yes: boolean, text = '', offered = false): Promise<boolean> {
  if (yes) return true
  insistOnTerminal('add --yes')
  if (text !== '') process.stderr.write(`${displayable(text)}\n`)
  return answerTo<boolean>(question, async (signal, withdrawn = offered) => {
    const { prompt } = await inquirer(signal)
    const { answer } = await prompt<{ answer: boolean }>([
      { type: 'confirm', name: 'answer', message: question, default: withdrawn },
    ])
    return answer
  })
}

/** What a launch asks, if there is a terminal to ask on. @param yes true if --yes was given */
export function launchQuestions(yes: boolean): Questions | null {
  if (!canAsk()) return null
  return {
    commit: askForCommit,
    many: groups => confirm(`Launch ${groups.toLocaleString('en-US')} groups?`, yes),
  }
}

/** Asks whether to commit a dirty tree. @returns the message; null for no */
async function askForCommit(changes: string): Promise<string | null> {
  process.stderr.write(`The working tree has uncommitted changes:\n${displayable(changes)}\n`)
  const { prompt } = await inquirer()
  const { wanted } = await prompt<{ wanted: boolean }>([
    { type: 'confirm', name: 'wanted', message: 'Commit all of them now?', default: false },
  ])
  if (!wanted) return null
  const { message } = await prompt<{ message: string }>([
    { type: 'input', name: 'message', message: 'Commit message', validate: filled },
  ])
  return message
}

/** Asks for the settings of a new project. @param folder its root, absolute */
export async function askForSettings(folder: string, defaults: { resultDir: string; defaultEditor: string }) {
  insistOnTerminal('add --yes to use the defaults')
  const { prompt } = await inquirer()
  return prompt<{ resultDir: string; defaultEditor: string }>([
    {
      type: 'input',
      name: 'resultDir',
      message: 'Folder for the results of runs',
      default: defaults.resultDir,
      validate: text => saysNothing(() => chosenResults(folder, text)),
    },
    {
      type: 'input',
      name: 'defaultEditor',
      message: 'Editor (empty: $VISUAL or $EDITOR)',
      default: defaults.defaultEditor,
    },
  ])
}

/**
 * Asks whether to go on with work that continues while the question is there. Ctrl-C at the question is Ctrl-C for the
 * command.
 * @param over withdraws the question
 * @returns null if there is no answer
 */
export async function askMeanwhile(question: string, over: AbortSignal): Promise<boolean | null> {
  const { prompt } = await inquirer(over)
  try {
    const { answer } = await prompt<{ answer: boolean }>([
      { type: 'confirm', name: 'answer', message: question, default: true },
    ])
    return answer
  } catch (error) {
    if (over.aborted) return null
    if ((error as Error).name !== 'ExitPromptError') throw error
    process.kill(process.pid, 'SIGINT')
    return null
  }
}

/** Questions go to stderr, so that they are visible when stdout goes to a file. @param signal withdraws them */
export async function inquirer(signal?: AbortSignal) {
  const { createPromptModule } = await import('inquirer')
  return { prompt: createPromptModule({ output: process.stderr, ...(signal && { signal }) }) }
}

function filled(text: string): true | string {
  return text.trim() !== '' || 'this cannot be empty'
}

/** True, or the message of the error that the check throws. */
function saysNothing(check: () => unknown): true | string {
  try {
    check()
    return true
  } catch (error) {
    if (error instanceof QanatError) return error.message
    throw error
  }
}
