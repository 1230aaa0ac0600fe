import { resolveCommit } from '../../code/run-code.js'
import { inspectTree } from '../../code/tree-state.js'
import { clashes, type Dependency, type Document, dependencyText } from '../../domain/documents/document.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { splitWords } from '../../domain/text/words.js'
import { UserError } from '../../errors.js'
import { addDependency } from '../../operations/documents/dependencies.js'
import { resolveContainer } from '../../operations/launch/container.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { absolutePath, type Workspace } from '../../operations/workspace.js'
import { dependencyToYaml, runnerParametersOf, runnerParametersText } from '../../project/document-description.js'
import { readTypedFiles, typedFiles } from '../../project/document-files.js'
import { cleanProjectPath } from '../../project/paths.js'
import { runnerNames } from '../../runners/index.js'
import { isFile } from '../../system/files.js'
import { insistOnTerminal } from '../prompts.js'
import { askForLine, chooseName, chooseOne } from './ask.js'
import { refuseEmpty } from './checks.js'
import { askAndSave } from './described.js'

const allArguments =
  "give all arguments: qanat document add_dependency DOCUMENT EXPERIMENT ARGSFILE FILE… ('' for no ARGSFILE)"

type Known = { readonly [Key in keyof Dependency]?: Dependency[Key] | undefined }

/** Lets the user choose a document. @throws UserError if there is none, or no terminal to ask on */
export async function chooseDocument({ store }: Workspace): Promise<Document> {
  insistOnTerminal(allArguments)
  const documents = store.documents.list()
  if (documents.length === 0) throw new UserError('there is no document yet', 'qanat document new')
  const name = await chooseName(
    'Document',
    documents.map(document => document.name),
  )
  return documents.find(document => document.name === name)!
}

/** Asks for a dependency of a document and saves it. @throws UserError if there is no terminal to ask on */
export async function askAndAdd(
  workspace: Workspace,
  { name, dependencies }: Document,
  known: Known,
  yes: boolean,
): Promise<Document> {
  insistOnTerminal(allArguments)
  if (workspace.store.experiments.names().length === 0) {
    throw new UserError('there is no experiment yet', 'qanat experiment new')
  }
  return askAndSave<Known, Dependency, Document>({
    known,
    ask: start => askForDependency(workspace, start, dependencies),
    textOf: dependencyToYaml,
    yes,
    save: dependency => addDependency(workspace, name, dependency),
  })
}

/**
 * Asks for a dependency of a document, question by question.
 * @param others that the document has; each needs other arguments or another experiment
 */
export async function askForDependency(
  workspace: Workspace,
  known: Known,
  others: readonly Dependency[],
): Promise<Dependency> {
  const experiment = await chooseName('Experiment', workspace.store.experiments.names(), known.experiment)
  const runArgsFile = await askForArgumentsFile(workspace, experiment, known.runArgsFile, others)
  const files = await askForLine({
    message: "Files of the run's folder, separated by commas; also {plot: acc.svg, y: acc}",
    known: known.files && typedFiles({ files: known.files, products: known.products ?? [] }).join(', '),
    check: text => {
      refuseEmpty(text)
      readTypedFiles(splitFiles(text))
    },
  })
  const runner = await chooseName('Runner of a missing run', runnerNames, known.runner ?? 'local')
  const parameters = await askForLine({
    message: 'Its options, such as --submit_template two_cpus --n_threads 4 (empty: none)',
    known: known.runnerParameters && runnerParametersText(known.runnerParameters),
    check: runnerParametersOf,
  })
  const { root } = workspace.project
  const container = await askForLine({
    message: 'Container (empty: none)',
    known: known.container ?? undefined,
    check: text => text === '' || resolveContainer({ ...workspace, cwd: root }, text, false),
  })
  const commit = await askForLine({
    message: 'Commit, tag or branch of the run (empty: what is checked out)',
    known: known.commitSha ?? undefined,
    check: async text => text === '' || resolveCommit(await inspectTree(root), text),
  })
  return {
    experiment,
    runArgsFile,
    runner,
    runnerParameters: runnerParametersOf(parameters),
    container: container || null,
    commitSha: commit || null,
    ...(await askForAction(workspace, experiment, known)),
    ...readTypedFiles(splitFiles(files)),
  }
}

/** Splits at commas that are not in braces. */
function splitFiles(text: string): string[] {
  const words = text.match(/\{[^}]*\}?|[^,{]+/g) ?? []
  return words.map(word => word.trim()).filter(word => word !== '')
}

async function askForArgumentsFile(
  workspace: Workspace,
  experiment: string,
  known: string | null | undefined,
  others: readonly Dependency[],
): Promise<string | null> {
  const { root } = workspace.project
  const pathOf = (text: string) => (text === '' ? null : cleanProjectPath(root, text, root))
  const answer = await askForLine({
    message: 'Parameter file of the run, its path from the root of the project (empty: none)',
    known: known ?? undefined,
    check: text => {
      const runArgsFile = pathOf(text)
      if (runArgsFile !== null && !isFile(absolutePath(workspace, runArgsFile))) {
        throw new UserError(`the parameter file does not exist: ${runArgsFile}`)
      }
      const wanted = { experiment, runArgsFile }
      if (clashes([...others, wanted]).length > 0) {
        throw new UserError(`the document depends on ${dependencyText(wanted)} already`)
      }
    },
  })
  return pathOf(answer)
}

async function askForAction(
  workspace: Workspace,
  experiment: string,
  known: Known,
): Promise<Pick<Dependency, 'action' | 'actionArguments'>> {
  const { actions } = findExperiment(workspace, experiment)
  if (actions.length === 0) return { action: null, actionArguments: [] }
  const choices = [{ name: 'none', value: null }, ...actions.map(({ name }) => ({ name, value: name }))]
  const action = await chooseOne<string | null>('Action before the files are copied', choices, known.action ?? null)
  if (action === null) return { action, actionArguments: [] }
  const words = await askForLine({
    message: `Arguments of ${action} (empty: none)`,
    known: known.actionArguments && displayCommand(known.actionArguments),
    check: splitWords,
  })
  return { action, actionArguments: splitWords(words) }
}
