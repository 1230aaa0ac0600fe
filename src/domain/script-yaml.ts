import type { Experiment } from './experiment.js'
import { yamlString } from './text/yaml-text.js'

/** An experiment of which only its script is known. */
export type ScriptExperiment = Pick<Experiment, 'name' | 'executable' | 'executableCommand' | 'datasets'> & {
  readonly storageOption: string | null
  /** Undefined if it is not known. */
  readonly datasetOption: string | null | undefined
}

/** The YAML file of an experiment, with comments that say what may be added. @param reference the line by which editors find its schema */
export function scriptYaml(experiment: ScriptExperiment, reference: string): string {
  const { name, executable, executableCommand, datasets, storageOption, datasetOption } = experiment
  const script = executable.replace(/^.*\//, '')
  const isRead = datasets.length > 0
  const optional = (isUsed: boolean, line: string) => `${isUsed ? '' : '# '}${line}`
  const lines = [
    `# Written by qanat experiment new, from what ${script} says of itself. All keys: .qanat/schemas/experiment.json`,
    `name: ${yamlString(name)}`,
    `executable: ${yamlString(executable)}`,
    ...(executableCommand === '' ? [] : [`executable_command: ${yamlString(executableCommand)}`]),
    '',
    storageOption === null
      ? '# Only the variable QANAT_STORAGE_PATH names the folder for its output. If it has an option for it, write that instead of none.'
      : '# The option behind which it gets the folder for its output: a new one for each group of a run.',
    `storage_option: ${storageOption === null ? 'none' : yamlString(storageOption)}`,
    '',
    '# The data that it reads, by the names of qanat dataset list, and the option behind which it gets the path of each.',
    optional(isRead, `datasets: [${isRead ? datasets.map(yamlString).join(', ') : 'iris'}]`),
    optional(
      isRead && datasetOption !== undefined,
      `dataset_option: ${datasetOption === null ? 'none' : yamlString(datasetOption ?? '--dataset_path')}`,
    ),
    '',
    '# Which metrics of metrics.json are good if they are high (max) or low (min).',
    '# best: {accuracy: max, loss: min}',
  ]
  return `${reference}${lines.join('\n')}\n`
}
