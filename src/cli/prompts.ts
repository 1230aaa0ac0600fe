import type { Dataset } from '../domain/dataset.js'
import type { Document } from '../domain/document.js'
import type { Experiment } from '../domain/experiment.js'
import { checkName, type NamedKind } from '../domain/text/names.js'
import { splitWords } from '../domain/text/words.js'
import { QanatError, UserError } from '../errors.js'
import { chosenResults } from '../operations/project/init-project.js'
import { displayable } from '../views/format/displayable.js'

/** True if there is a terminal to ask on. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY)
}

/** Asks only on a terminal. @throws UserError with what to type instead */
function insistOnTerminal(instead: string): void {
  if (!canAsk()) throw new UserError('there is no terminal to ask on', instead)
}

/** Asks a yes-or-no question; `yes` is true if --yes was given. */
export async function confirm(question: string, yes: boolean): Promise<boolean> {
  if (yes) return true
  insistOnTerminal('add --yes')
  const { prompt } = await inquirer()
  const { answer } = await prompt<{ answer: boolean }>([
    { type: 'confirm', name: 'answer', message: question, default: false },
  ])
  return answer
}

/** Asks whether to commit a dirty tree. @returns the message; null for no */
export async function askForCommit(changes: string): Promise<string | null> {
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

/** Asks for a dataset, question by question; `known` has the current values. */
export async function askForDataset(known: Partial<Dataset>): Promise<Dataset> {
  insistOnTerminal('give a file: -f dataset.yaml')
  const { prompt } = await inquirer()
  const answers = await prompt<Record<'name' | 'description' | 'path' | 'tags', string>>([
    { type: 'input', name: 'name', message: 'Name', default: known.name, validate: text => isName('dataset', text) },
    { type: 'input', name: 'description', message: 'Description', default: known.description },
    { type: 'input', name: 'path', message: 'Path', default: known.path, validate: filled },
    { type: 'input', name: 'tags', message: 'Tags, separated by commas', default: known.tags?.join(', ') },
  ])
  return { ...answers, tags: commaList(answers.tags) }
}

/** Asks for an experiment, question by question; its actions are kept. */
export async function askForExperiment(known: Partial<Experiment>, datasets: readonly string[]): Promise<Experiment> {
  insistOnTerminal('give a file: -f experiment.yaml')
  const { prompt } = await inquirer()
  const answers = await prompt<
    Record<'name' | 'description' | 'path' | 'executable' | 'executableCommand' | 'tags', string> & {
      datasets?: string[]
    }
  >([
    { type: 'input', name: 'name', message: 'Name', default: known.name, validate: text => isName('experiment', text) },
    { type: 'input', name: 'description', message: 'Description', default: known.description },
    { type: 'input', name: 'path', message: 'Folder of its code', default: known.path },
    { type: 'input', name: 'executable', message: 'Executable', default: known.executable, validate: filled },
    {
      type: 'input',
      name: 'executableCommand',
      message: 'Command that runs it (python3, bash, …; empty: none)',
      default: known.executableCommand,
      validate: isCommand,
    },
    { type: 'input', name: 'tags', message: 'Tags, separated by commas', default: known.tags?.join(', ') },
    {
      type: 'checkbox',
      name: 'datasets',
      message: 'Datasets that it reads',
      choices: datasets.map(name => ({ name, value: name, checked: known.datasets?.includes(name) ?? false })),
      when: datasets.length > 0,
    },
  ])
  return { ...answers, tags: commaList(answers.tags), datasets: answers.datasets ?? [], actions: known.actions ?? [] }
}

/** Asks for a document, question by question; its dependencies are kept. */
export async function askForDocument(known: Partial<Document>): Promise<Document> {
  insistOnTerminal('give a file: -f document.yaml')
  const { prompt } = await inquirer()
  const answers = await prompt<Record<keyof Omit<Document, 'tags' | 'dependencies'> | 'tags', string>>([
    { type: 'input', name: 'name', message: 'Name', default: known.name, validate: text => isName('document', text) },
    { type: 'input', name: 'description', message: 'Description', default: known.description },
    { type: 'input', name: 'path', message: 'Folder', default: known.path, validate: filled },
    { type: 'input', name: 'compileScript', message: 'Compile script', default: known.compileScript, validate: filled },
    {
      type: 'input',
      name: 'compileScriptCommand',
      message: 'Command that runs it (bash, make, …; empty: none)',
      default: known.compileScriptCommand,
      validate: isCommand,
    },
    { type: 'input', name: 'viewScript', message: 'Script or file to view it', default: known.viewScript },
    {
      type: 'input',
      name: 'viewScriptCommand',
      message: 'Command that opens it (xdg-open, on macOS open, …; empty: none)',
      default: known.viewScriptCommand,
      validate: isCommand,
    },
    { type: 'input', name: 'tags', message: 'Tags, separated by commas', default: known.tags?.join(', ') },
  ])
  return { ...answers, tags: commaList(answers.tags), dependencies: known.dependencies ?? [] }
}

/** Asks for a line of text; `known` can be edited. */
export async function askForText(message: string, known: string): Promise<string> {
  const { prompt } = await inquirer()
  const { text } = await prompt<{ text: string }>([
    { type: 'input', name: 'text', message, default: known, prefill: 'editable' },
  ])
  return text
}

/** Questions go to stderr, so that they are visible when stdout goes to a file. */
async function inquirer() {
  const { createPromptModule } = await import('inquirer')
  return { prompt: createPromptModule({ output: process.stderr }) }
}

function commaList(text: string): string[] {
  return [...new Set(text.split(',').map(word => word.trim()))].filter(word => word !== '')
}

function filled(text: string): true | string {
  return text.trim() !== '' || 'this cannot be empty'
}

function isName(kind: NamedKind, text: string): true | string {
  return saysNothing(() => checkName(kind, text))
}

function isCommand(text: string): true | string {
  return saysNothing(() => splitWords(text))
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
