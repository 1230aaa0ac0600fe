import * as v from 'valibot'
import { usualIgnores } from '../domain/code-used.js'
import { type Action, type Experiment, manifests, passable, severalRuns, usualManifest } from '../domain/experiment.js'
import { checkName } from '../domain/text/names.js'
import { readResults, resultKeys, resultsData } from './result-schema.js'
import { formerNames, tags, toYaml, unique, was } from './yaml/common.js'
import { namedOption, pathOption } from './yaml/path-options.js'
import {
  check,
  checkYaml,
  completed,
  filledText,
  isMapping,
  key,
  mapping,
  nameText,
  optionalText,
  readLater,
  shellWords,
  texts,
  withoutPosition,
} from './yaml/schema.js'
import type { YamlPath, YamlSource } from './yaml/yaml-source.js'

const EXPERIMENT_HINT = 'an experiment needs name and executable; see: qanat experiment new --help'
const ACTION_HINT = 'an action needs name and executable; see: qanat experiment new --help'

const command = key(
  'The command that runs the script. Empty: the script is executed directly.',
  v.nullish(shellWords(), ''),
  { examples: ['python3 -u', 'conda run -n training python'] },
)

/** A pattern of files, as in .gitignore. */
const pattern = v.pipe(filledText(), v.regex(/^(?!!)/, 'a pattern that does not begin with !'))

const actionKeys = {
  description: key('What it does.', optionalText()),
  executable: key(
    'The script, relative to the project. It gets --storage_path of the run or the group, or the option that storage_option names.',
    filledText(),
    { examples: ['experiments/train/plot.py'] },
  ),
  executable_command: command,
  storage_option: key(
    'The option that passes the folder of the run or the group to the script. none: the script reads the variable QANAT_STORAGE_PATH.',
    pathOption('storageOption'),
    { examples: ['--run'] },
  ),
  runs: key(
    'How it takes several runs. several: its storage_option with the folder of each. manifest: --manifest with a JSON file that lists them. Without this key, it takes one run or group.',
    v.nullish(v.picklist(severalRuns, `one of ${severalRuns.join(', ')}`)),
  ),
  uses: key(
    'Patterns, as in .gitignore, of the files that its script imports and reads. If one of them changes, what the action has made for documents is stale.',
    texts(pattern),
    { examples: [['/figures/**', 'style.mplstyle']] },
  ),
}

/** An action as a mapping. */
export const actionSchema = mapping({
  name: key('The name of the action.', nameText(), { examples: ['plot'] }),
  ...actionKeys,
})

/** An action under its name, as in `{plot: {executable: plot.py}}`. */
const namedAction = v.pipe(
  v.record(
    nameText(),
    key(
      'An action, under its name.',
      mapping({
        name: key('The name of the action, if it differs from the key.', v.nullish(nameText())),
        ...actionKeys,
      }),
    ),
  ),
  v.entries(1),
)

/** The file of an experiment. */
export const experimentSchema = key(
  'A named executable, for: qanat experiment new -f',
  mapping({
    name: key('The name to run it by.', nameText()),
    description: key('What it does.', optionalText()),
    path: key('The folder of its code, relative to the project.', optionalText(), {
      examples: ['experiments/train'],
    }),
    executable: key(
      'The script, relative to the project. After a command that ends in -m: a Python module, such as pkg.train. Python also runs a folder with a __main__.py.',
      filledText(),
      { examples: ['experiments/train/train.py'] },
    ),
    executable_command: command,
    tags,
    datasets: key(
      'Names of the datasets that it reads, each passed as --dataset_path, or as dataset_option names it.',
      texts(nameText()),
      { examples: [['iris']] },
    ),
    storage_option: key(
      'The option that passes the folder of the group to the script. One that ends with = is joined to the folder. none: the script reads the variable QANAT_STORAGE_PATH.',
      pathOption('storageOption'),
      { examples: ['--output_dir', 'hydra.run.dir='] },
    ),
    dataset_option: key(
      'The option that passes the path of each dataset. none: the script knows the paths itself.',
      pathOption('datasetOption'),
      { examples: ['--data', 'data.root='] },
    ),
    actions: key(
      'Scripts that work on a finished run: qanat action ACTION RUN.',
      v.nullish(v.array(readLater(v.union([namedAction, actionSchema])), 'a list of actions'), []),
    ),
    ...resultKeys,
    passes: key(
      'Options of Qanat that the script has, too: after the name of the experiment, they are passed to the script.',
      texts(v.picklist(passable, `one of ${passable.join(', ')}`)),
      { examples: [['--json']] },
    ),
    uses: key(
      'Patterns, as in .gitignore, of files outside its path that matter to it. Empty: all files that git tracks.',
      texts(pattern),
      { examples: [['lib/**', '/settings.toml']] },
    ),
    ignores: key(
      `Patterns, as in .gitignore, of files that do not matter to it. Without this key: ${usualIgnores.join(' ')}.`,
      v.nullish(texts(pattern)),
      { examples: [['*.md', 'notebooks/**']] },
    ),
    manifest: key(
      'What is recorded of the files that its groups leave. size: sizes and times. hash: a hash of each file, too.',
      v.nullish(v.picklist(manifests, `one of ${manifests.join(', ')}`), usualManifest),
      { examples: ['hash'] },
    ),
    was,
  }),
  { title: 'Experiment' },
)

/**
 * Reads the definition of an experiment. Throws a UserError with the position of a mistake.
 * @param known what holds for keys that are not in the file; null if nothing does
 */
export function readExperiment(source: YamlSource, known: Experiment | null = null): Experiment {
  const value = completed(source, known && experimentToYaml(known))
  const given = checkYaml(source, experimentSchema, value, { hint: EXPERIMENT_HINT })
  source.at(['name'], () => checkName('experiment', given.name))
  for (const [index, name] of given.datasets.entries()) {
    source.at(['datasets', index], () => checkName('dataset', name))
  }
  return {
    name: given.name,
    ...formerNames(given.was),
    description: given.description,
    path: given.path,
    executable: given.executable,
    executableCommand: given.executable_command,
    tags: unique(given.tags),
    datasets: unique(given.datasets),
    actions: readActions(source, given.actions),
    results: readResults(source, given),
    passes: unique(given.passes),
    uses: unique(given.uses),
    ignores: given.ignores ? unique(given.ignores) : null,
    manifest: given.manifest,
    ...namedOption('storageOption', given.storage_option),
    ...namedOption('datasetOption', given.dataset_option),
  }
}

/** Checks one item of `uses` or `ignores` that was typed. @throws UserError without a position */
export function checkPattern(text: string): void {
  check(pattern, text, withoutPosition)
}

/** The YAML that readExperiment reads as the same experiment. */
export function experimentToYaml(experiment: Experiment): string {
  const { executableCommand, actions, results, passes, uses, ignores, manifest, ...same } = experiment
  const { storageOption, datasetOption } = experiment
  return toYaml({
    name: same.name,
    ...(same.was && { was: same.was }),
    description: same.description,
    path: same.path,
    executable: same.executable,
    executable_command: executableCommand,
    tags: same.tags,
    datasets: same.datasets,
    ...(storageOption !== undefined && { storage_option: storageOption }),
    ...(datasetOption !== undefined && { dataset_option: datasetOption }),
    actions: actions.map(action => ({
      [action.name]: {
        name: action.name,
        description: action.description,
        executable: action.executable,
        executable_command: action.executableCommand,
        ...(action.storageOption !== undefined && { storage_option: action.storageOption }),
        ...(action.runs && { runs: action.runs }),
        ...(action.uses && { uses: action.uses }),
      },
    })),
    ...resultsData(results),
    ...(passes.length > 0 && { passes }),
    ...(uses.length > 0 && { uses }),
    ...(ignores !== null && { ignores }),
    ...(manifest !== usualManifest && { manifest }),
  })
}

function readActions(source: YamlSource, given: readonly unknown[]): Action[] {
  const actions = given.map((value, index) => readAction(source, ['actions', index], value))
  for (const [index, { name }] of actions.entries()) {
    if (actions.findIndex(other => other.name === name) === index) continue
    throw source.fail(['actions', index], `a second action with the name ${name}`, ACTION_HINT)
  }
  return actions
}

/** An action is a mapping, or `{name: mapping}`, whose key is the name if the mapping has none. */
function readAction(source: YamlSource, path: YamlPath, value: unknown): Action {
  const [label, wrapped, ...others] = isMapping(value) ? Object.entries(value).flat() : []
  if (typeof label === 'string' && isMapping(wrapped) && others.length === 0) {
    return readPlainAction(source, [...path, label], { ...wrapped, name: wrapped.name ?? label })
  }
  return readPlainAction(source, path, value)
}

function readPlainAction(source: YamlSource, path: YamlPath, value: unknown): Action {
  const given = checkYaml(source, actionSchema, value, { path, hint: ACTION_HINT })
  source.at([...path, 'name'], () => checkName('action', given.name))
  const { executable_command: executableCommand, storage_option, runs, uses, ...same } = given
  const option = namedOption('storageOption', storage_option)
  if (option.storageOption !== undefined && runs && (runs === 'manifest' || option.storageOption === null)) {
    throw source.fail(
      [...path, 'storage_option'],
      runs === 'manifest'
        ? 'runs: manifest names the folders in a file, and leaves no use for storage_option'
        : 'the folders of several runs need an option',
      ACTION_HINT,
    )
  }
  return {
    ...{ ...same, executableCommand, ...option },
    ...(runs && { runs }),
    ...(uses.length > 0 && { uses: unique(uses) }),
  }
}
