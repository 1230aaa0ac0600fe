import { basename, relative } from 'node:path'
import { type Experiment, pathOptionsOf } from '../../domain/experiment.js'
import { exampleArguments } from '../../domain/script-head.js'
import type { ScriptExperiment } from '../../domain/script-yaml.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { draftOf, registerScript, type ScriptDraft } from '../../operations/registry/describe-script.js'
import type { Workspace } from '../../operations/workspace.js'
import { canAsk, insistOnTerminal } from '../prompts.js'
import { askForLine, chooseNames } from './ask.js'
import { checkFreeName } from './checks.js'
import { askForCommand, askForOption } from './experiment.js'

/** Registers a script by what it tells of itself, and by questions about the rest. */
export async function describeScript(
  workspace: Workspace,
  script: string,
  { prompt, yes }: { readonly prompt: boolean; readonly yes: boolean },
): Promise<{ experiment: Experiment; text: string }> {
  const draft = draftOf(workspace, script)
  if (prompt) insistOnTerminal('leave out --prompt')
  const isAsked = prompt || (canAsk() && !yes)
  const wanted = isAsked ? await askAboutScript(workspace, draft, prompt) : surestAnswers(workspace, draft)
  const { experiment, isAlone } = await registerScript(workspace, draft, wanted)
  const { name } = experiment
  const words = [name, ...exampleArguments(draft.head, [wanted.storageOption, wanted.datasetOption])]
  const commit = isAlone ? ['--commit', `Add ${name}`] : []
  const file = relative(workspace.cwd, draft.file)
  return {
    experiment,
    text: `Experiment ${name} registered as ${file} describes it. Next: ${displayCommand(['qanat', 'run', ...commit, ...words])}`,
  }
}

/** What is taken where nobody is asked. A warning says what may be missing. */
function surestAnswers({ store, warn }: Workspace, draft: ScriptDraft): ScriptExperiment {
  const { name, executable, executableCommand, head, file } = draft
  const { storageOption, datasetOption } = head
  if (storageOption === undefined) {
    warn(
      `no option of ${basename(executable)} was found for the folder of its output, so that only QANAT_STORAGE_PATH names it; if there is one, write it into ${basename(file)} as storage_option`,
    )
  }
  const names = datasetOption === '--dataset_path' ? store.datasets.list().map(dataset => dataset.name) : []
  const datasets = names.length === 1 ? names : []
  return { name, executable, executableCommand, datasets, storageOption: storageOption ?? null, datasetOption }
}

/** Asks what a script does not tell of itself. @param isAll whether to ask the rest, too */
async function askAboutScript(
  { store }: Workspace,
  { name: usual, executable, executableCommand, head }: ScriptDraft,
  isAll: boolean,
): Promise<ScriptExperiment> {
  const script = basename(executable)
  const isFree = usual !== '' && store.experiments.find(usual) === null
  const name =
    isFree && !isAll
      ? usual
      : await askForLine({
          message: `Name of the experiment that runs ${script}`,
          known: isFree ? usual : undefined,
          check: text => checkFreeName('experiment', text, null, store.experiments.find(text) !== null),
        })
  const command = isAll ? await askForCommand(executable, executableCommand) : executableCommand
  const storageOption =
    head.storageOption === undefined || isAll
      ? pathOptionsOf(await askForOption('storageOption', script, { storageOption: head.storageOption ?? null }))
          .storageOption
      : head.storageOption
  const names = head.datasetOption === undefined && !isAll ? [] : store.datasets.list().map(dataset => dataset.name)
  const datasets = await chooseNames('Datasets that it reads', names, [])
  const datasetOption =
    datasets.length > 0 && isAll
      ? pathOptionsOf(await askForOption('datasetOption', script, { datasetOption: head.datasetOption ?? null }))
          .datasetOption
      : head.datasetOption
  return { name, executable, executableCommand: command, datasets, storageOption, datasetOption }
}
