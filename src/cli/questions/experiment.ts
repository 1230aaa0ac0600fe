import { basename, join } from 'node:path'
import { type Action, type Experiment, type PathOptions, pathOptionsOf } from '../../domain/experiment.js'
import { nothingExpected } from '../../domain/results/metrics.js'
import { splitWords } from '../../domain/text/words.js'
import { usualCommand } from '../../domain/user-command.js'
import { headOf } from '../../operations/registry/describe-script.js'
import { folderIn } from '../../operations/registry/document-kind.js'
import { experimentKind } from '../../operations/registry/kinds.js'
import { executableIn, scriptFile } from '../../operations/registry/script-file.js'
import { absolutePath, type Workspace } from '../../operations/workspace.js'
import { checkPathOption, namedOption } from '../../project/yaml/path-options.js'
import { isFile } from '../../system/files.js'
import { experimentJson } from '../../views/json.js'
import { experimentArgument } from '../arguments.js'
import type { CommandKind } from '../registry/commands.js'
import { askForLine, askForList, chooseNames } from './ask.js'
import { checkFreeName, commaList, refuseEmpty } from './checks.js'
import { askForMadeFrom } from './made-from.js'
import { askForResults } from './results.js'

const noDataset = '  There is no dataset yet. If it reads data: qanat dataset new, then qanat experiment update\n'

/** Asks for an experiment, question by question. @param former its name if it is registered already */
async function askForExperiment(
  workspace: Workspace,
  known: Partial<Experiment>,
  former: string | null,
): Promise<Experiment> {
  const { experiments, datasets } = workspace.store
  const name = await askForLine({
    message: 'Name',
    known: known.name,
    check: text => checkFreeName('experiment', text, former, experiments.find(text) !== null),
  })
  const description = await askForLine({ message: 'Description', known: known.description })
  const path = await askForLine({
    message: 'Folder of its code',
    known: known.path,
    check: text => text === '' || folderIn(workspace, text, name),
  })
  const usual = join(path, 'execute.sh')
  const executable = await askForScript(workspace, name, known.executable, usual)
  const executableCommand = await askForCommand(executable, known.executableCommand ?? commandOf(workspace, executable))
  const isNew = known.executable === undefined
  const told = isNew ? headOf(workspace, { path, executable, executableCommand }) : known
  const storage = await askForOption('storageOption', 'it', told)
  const tags = await askForLine({ message: 'Tags, separated by commas', known: known.tags?.join(', ') })
  const names = datasets.list().map(dataset => dataset.name)
  if (names.length === 0) process.stderr.write(noDataset)
  const read = await chooseNames('Datasets that it reads', names, known.datasets ?? [])
  const dataset =
    read.length > 0
      ? await askForOption('datasetOption', 'it', told)
      : namedOption('datasetOption', pathOptionsOf(known).datasetOption)
  const actions = await askForList(
    {
      one: 'an action',
      many: 'Actions',
      nameOf: action => action.name,
      ask: (action, others) => askForAction(workspace, action, others),
    },
    known.actions ?? [],
  )
  const results = await askForResults(known.results ?? nothingExpected)
  return {
    name,
    ...(known.was && { was: known.was }),
    description,
    path,
    executable,
    executableCommand,
    tags: commaList(tags),
    datasets: read,
    ...storage,
    ...dataset,
    actions,
    results,
    passes: known.passes ?? [],
    ...(await askForMadeFrom(known)),
  }
}

/** Experiments, as commands show them and ask about them. */
export const experiments: CommandKind<Experiment> = {
  kind: experimentKind,
  argument: experimentArgument,
  ask: askForExperiment,
  json: (_, experiment) => experimentJson(experiment),
  next: ({ name }) => `run ${name}`,
  topic: 'experiment-file',
  example: 'summary_iris',
}

/** Asks for an action, whose name none of the others may have. */
async function askForAction(workspace: Workspace, known: Action | null, others: readonly Action[]): Promise<Action> {
  const names = others.map(other => other.name)
  const name = await askForLine({
    message: 'Name of the action',
    known: known?.name,
    check: text => checkFreeName('action', text, null, names.includes(text)),
  })
  const description = await askForLine({ message: 'Description of the action', known: known?.description })
  const executable = await askForScript(workspace, name, known?.executable, '')
  const command = known?.executableCommand ?? commandOf(workspace, executable)
  const executableCommand = await askForCommand(executable, command)
  return { ...known, name, description, executable, executableCommand }
}

function askForScript(workspace: Workspace, owner: string, known: string | undefined, usual: string): Promise<string> {
  return askForLine({
    message: 'Executable (its path from the root of the project)',
    known,
    offered: usual !== '' && isFile(absolutePath(workspace, usual)) ? usual : '',
    check: text => {
      refuseEmpty(text)
      executableIn(workspace, { executable: text, executableCommand: commandOf(workspace, text) ?? '' }, owner)
    },
  })
}

/** The command of what is no script, but a module or a folder of Python. */
function commandOf(workspace: Workspace, executable: string): string | undefined {
  if (isFile(absolutePath(workspace, executable))) return undefined
  const isThere = (executableCommand: string) => scriptFile(workspace, { executable, executableCommand }) !== null
  return ['python3 -m', 'python3'].find(isThere)
}

const paths = { storageOption: 'the folder for its results', datasetOption: 'the path of each dataset' }

/**
 * Asks for the option before a path, which may be the usual one, another one or none.
 * @param told what is known, of the experiment or of its script
 */
export async function askForOption<Name extends keyof PathOptions>(
  name: Name,
  script: string,
  told: { readonly [Each in Name]?: PathOptions[Each] | undefined },
): Promise<Partial<Pick<PathOptions, Name>>> {
  const known = pathOptionsOf(told)[name] ?? 'none'
  const message = `Option by which ${script} gets ${paths[name]}, or none`
  return namedOption(name, await askForLine({ message, known, check: text => checkPathOption(name, text) }))
}

/** Asks for the command of a script; what is usual for its kind is offered. */
export function askForCommand(script: string, known: string | undefined): Promise<string> {
  return askForLine({
    message: `Command that runs ${basename(script)}, or a blank for none`,
    known,
    offered: usualCommand(script),
    check: splitWords,
  })
}
