import { UserError } from '../errors.js'
import type { Questions } from '../operations/launch/request.js'
import { chosenResults } from '../operations/project/init-project.js'
import { isTerminal } from '../system/output/terminal.js'
import { displayable } from '../views/format/displayable.js'
import { guarded } from './guard-terminal.js'
import { askForLine } from './questions/ask.js'
import { refuseEmpty } from './questions/checks.js'

/** True if there is a terminal to ask on. */
export function canAsk(): boolean {
  return isTerminal(0) && isTerminal(2)
}

/** Questions are asked only on a terminal. @throws UserError with what to type instead */
export function insistOnTerminal(instead: string, question = ''): void {
  if (!canAsk()) throw new UserError(`there is no terminal to ask on${question && `: ${question}`}`, instead)
}

/**
 * Asks a yes-or-no question.
 * @param text what the question is about, shown above it
 * @param offered the answer if only Enter is pressed
 */
export async function confirm(question: string, yes: boolean, text = '', offered = false): Promise<boolean> {
  if (yes) return true
  insistOnTerminal('add --yes        answers yes', question)
  if (text !== '') process.stderr.write(`${displayable(text)}\n`)
  return yesOrNo(question, offered)
}

async function yesOrNo(message: string, offered: boolean, signal?: AbortSignal): Promise<boolean> {
  const { confirm } = await import('./questions/inquirer.js')
  const output = { output: process.stderr, ...(signal && { signal }) }
  return guarded(() => confirm({ message, default: offered }, output))
}

/**
 * What a launch asks, if there is a terminal to ask on.
 * @param quiet true if --quiet was given: then it asks only what it has to know
 */
export function launchQuestions(yes: boolean, quiet = false): Questions | null {
  if (!canAsk()) return null
  return {
    commit: askForCommit,
    many: groups => confirm(`Launch ${groups.toLocaleString('en-US')} groups?`, yes),
    doubt: yes || quiet ? null : text => confirm('Launch it all the same?', false, text),
  }
}

/** Asks whether to commit a dirty tree. @returns the message; null for no */
async function askForCommit(changes: string): Promise<string | null> {
  process.stderr.write(`The working tree has uncommitted changes:\n${displayable(changes)}\n`)
  if (!(await yesOrNo('Commit all of them now?', false))) return null
  return askForLine({ message: 'Commit message', check: refuseEmpty })
}

/** Asks for the settings of a new project. @param folder its root, absolute */
export async function askForSettings(folder: string, defaults: { resultDir: string; defaultEditor: string }) {
  insistOnTerminal('add --yes to use the defaults')
  const resultDir = await askForLine({
    message: 'Folder for the results of runs',
    known: defaults.resultDir,
    check: text => chosenResults(folder, text),
  })
  const message = 'Editor (empty: $VISUAL or $EDITOR)'
  return { resultDir, defaultEditor: await askForLine({ message, known: defaults.defaultEditor }) }
}

/**
 * Asks whether to go on with work that may continue while the question is there. Ctrl-C at the question is Ctrl-C for the
 * command.
 * @param over withdraws the question
 * @returns null if there is no answer
 */
export async function askMeanwhile(question: string, over: AbortSignal): Promise<boolean | null> {
  try {
    return await yesOrNo(question, true, over)
  } catch (error) {
    if (over.aborted) return null
    if ((error as Error).name !== 'ExitPromptError') throw error
    process.kill(process.pid, 'SIGINT')
    return null
  }
}
