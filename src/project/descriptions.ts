import * as v from 'valibot'
import { stringify } from 'yaml'
import type { Dataset } from '../domain/dataset.js'
import type { Action, Experiment } from '../domain/experiment.js'
import { checkName } from '../domain/text/names.js'
import { checkYaml, filledText, isMapping, mapping, optionalText, shellWords, texts } from './schema.js'
import { readYaml, type YamlPath, type YamlSource } from './yaml-source.js'

const EXPERIMENT_HINT = 'an experiment needs name and executable; see: qanat experiment new --help'
const ACTION_HINT = 'an action needs name and executable; see: qanat experiment new --help'
const DATASET_HINT = 'a dataset needs name and path; see: qanat dataset new --help'

/** Reads the file of `experiment new -f`. Throws a UserError with the position of whatever is wrong in it. */
export function readExperimentFile(file: string): Experiment {
  const source = readYaml(file, 'text')
  const schema = mapping({
    name: filledText(),
    description: optionalText(),
    path: optionalText(),
    executable: filledText(),
    executable_command: v.nullish(shellWords(), ''),
    tags: texts(),
    datasets: texts(),
    actions: v.nullish(v.array(v.unknown(), 'a list of actions'), []),
  })
  const given = checkYaml(source, schema, source.value(), { hint: EXPERIMENT_HINT })
  source.at(['name'], () => checkName('experiment', given.name))
  for (const [index, name] of given.datasets.entries()) {
    source.at(['datasets', index], () => checkName('dataset', name))
  }
  return {
    name: given.name,
    description: given.description,
    path: given.path,
    executable: given.executable,
    executableCommand: given.executable_command,
    tags: unique(given.tags),
    datasets: unique(given.datasets),
    actions: readActions(source, given.actions),
  }
}

/** Reads the file of `dataset new -f`. Throws a UserError with the position of whatever is wrong in it. */
export function readDatasetFile(file: string): Dataset {
  const source = readYaml(file, 'text')
  const schema = mapping({ name: filledText(), description: optionalText(), path: filledText(), tags: texts() })
  const given = checkYaml(source, schema, source.value(), { hint: DATASET_HINT })
  source.at(['name'], () => checkName('dataset', given.name))
  return { ...given, tags: unique(given.tags) }
}

/** The YAML that readExperimentFile reads back as the same experiment. */
export function experimentToYaml(experiment: Experiment): string {
  const { executableCommand, actions, ...same } = experiment
  return toYaml({
    name: same.name,
    description: same.description,
    path: same.path,
    executable: same.executable,
    executable_command: executableCommand,
    tags: same.tags,
    datasets: same.datasets,
    actions: actions.map(action => ({
      [action.name]: {
        name: action.name,
        description: action.description,
        executable: action.executable,
        executable_command: action.executableCommand,
      },
    })),
  })
}

/** The YAML that readDatasetFile reads back as the same dataset. */
export function datasetToYaml({ name, description, path, tags }: Dataset): string {
  return toYaml({ name, description, path, tags })
}

function readActions(source: YamlSource, given: readonly unknown[]): Action[] {
  const actions = given.map((value, index) => readAction(source, ['actions', index], value))
  for (const [index, { name }] of actions.entries()) {
    if (actions.findIndex(other => other.name === name) === index) continue
    throw source.fail(['actions', index], `a second action with the name ${name}`, ACTION_HINT)
  }
  return actions
}

/** An action is a mapping, or `{name: mapping}`, whose key is the name where the mapping has none. */
function readAction(source: YamlSource, path: YamlPath, value: unknown): Action {
  const [label, wrapped, ...others] = isMapping(value) ? Object.entries(value).flat() : []
  if (typeof label === 'string' && isMapping(wrapped) && others.length === 0) {
    return readPlainAction(source, [...path, label], { ...wrapped, name: wrapped.name ?? label })
  }
  return readPlainAction(source, path, value)
}

function readPlainAction(source: YamlSource, path: YamlPath, value: unknown): Action {
  const schema = mapping({
    name: filledText(),
    description: optionalText(),
    executable: filledText(),
    executable_command: v.nullish(shellWords(), ''),
  })
  const given = checkYaml(source, schema, value, { path, hint: ACTION_HINT })
  source.at([...path, 'name'], () => checkName('action', given.name))
  const { executable_command: executableCommand, ...same } = given
  return { ...same, executableCommand }
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
}
