import * as v from 'valibot'
import {
  clashes,
  type Dependency,
  type Document,
  dependencyData,
  dependencyText,
  documentData,
  type LaunchOptions,
  launchOptions,
} from '../domain/documents/document.js'
import { readOptions } from '../domain/options/read-value.js'
import { readCount } from '../domain/options/run-options.js'
import { endCauses } from '../domain/runs/run.js'
import { readWords } from '../domain/runs/run-filter.js'
import { checkName } from '../domain/text/names.js'
import { displayCommand } from '../domain/text/shell-text.js'
import { splitWords } from '../domain/text/words.js'
import { makeCommand } from '../domain/user-command.js'
import { UserError } from '../errors.js'
import { fileList, readFiles } from './document-files.js'
import { formerNames, tags, toYaml, unique, was } from './yaml/common.js'
import {
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
} from './yaml/schema.js'
import type { YamlPath, YamlSource } from './yaml/yaml-source.js'

const DOCUMENT_HINT = 'a document needs name, path and compile_script; see: qanat document new --help'
const DEPENDENCY_HINT = 'a dependency needs experiment_name and files; see: qanat document new --help'

const optionalFilledText = () => v.nullish(filledText(), null)

const WHOLE_NUMBER = /^[1-9]\d*$/

function wholeNumber() {
  return v.pipe(
    v.string(),
    v.regex(WHOLE_NUMBER, 'a whole number above 0'),
    v.metadata({ type: ['integer', 'string'], minimum: 1 }),
  )
}

const runnerKeys = {
  submit_template: key('The submit template.', optionalFilledText(), { examples: ['two_cpus'] }),
  n_threads: key('At most this many groups at a time.', v.nullish(wholeNumber(), null)),
  gpu: key(
    'Whether the GPUs are available in the container.',
    v.nullish(v.picklist(['true', 'false'], 'true or false'), null),
  ),
} satisfies Readonly<Record<keyof typeof launchOptions, v.GenericSchema>>

/** Its keys may have the dashes of the options, as in the older program. */
const runnerParameters = mapping({
  ...runnerKeys,
  '--submit_template': runnerKeys.submit_template,
  '--n_threads': runnerKeys.n_threads,
  '--gpu': runnerKeys.gpu,
})

const actionWords = () =>
  v.nullish(v.union([shellWords(), v.array(v.string('text'))], 'words, or a list of them'), null)

const runnerWords = v.pipe(
  v.string(),
  v.metadata({
    type: 'string',
    pattern: `^\\s*(--(${Object.keys(launchOptions).join('|')})\\b.*)?$`,
    patternErrorMessage: 'options such as --submit_template two_cpus --n_threads 4',
  }),
)

/** A dependency: the files of a run of one experiment that a document needs. */
export const dependencySchema = mapping({
  experiment_name: key('The experiment.', nameText()),
  run_args_file: key('The parameter file of the run.', optionalFilledText(), { examples: ['grid.yaml'] }),
  runner: key('The runner of a launch.', v.nullish(filledText(), 'local')),
  runner_params: key(
    'Options of a launch: a mapping, or as on the command line.',
    v.nullish(readLater(v.union([runnerParameters, runnerWords])), null),
    { examples: [{ submit_template: 'two_cpus', n_threads: 4 }, '--submit_template two_cpus'] },
  ),
  container: key('The container that the groups run in.', optionalFilledText(), {
    examples: ['image.sif', 'python:3.12'],
  }),
  commit_sha: key('The commit of the run. Empty: the one that is checked out.', optionalFilledText()),
  action_name: key('The action to run before the files are copied.', optionalFilledText(), {
    examples: ['plot'],
  }),
  action_args: key('Arguments of the action: text quoted as for a shell, or a list.', actionWords(), {
    examples: ['--bins 20'],
  }),
  action_params: key('Another word for action_args, which the older program used.', actionWords()),
  files: key(
    "Files of the run that the document uses, relative to the run's folder; or a table, a plot or a report of the run.",
    fileList(),
    { examples: [['group_0/figure.png'], [{ compare: 'table.tex', over: 'seed' }]] },
  ),
  missing: key('Causes for which groups may be missing. Without it, all have to finish.', texts(), {
    examples: [['oom', 'timeout']],
  }),
})

/** The file of a document. */
export const documentSchema = key(
  'A paper, report or site that depends on results of experiments, for: qanat document new -f',
  mapping({
    name: key('The name to compile it by.', nameText()),
    description: key('What it is.', optionalText()),
    path: key('Its folder, relative to the project. Files of runs are copied to exports/ inside it.', filledText(), {
      examples: ['papers/iris'],
    }),
    compile_script: key('The script that compiles it, called in its folder.', filledText(), { examples: ['main.tex'] }),
    compile_script_command: key(
      'The command that runs the compile script. Empty: the script is executed directly. Missing: the same, but make -f for a makefile.',
      v.nullish(shellWords()),
      { examples: ['latexmk -pdf'] },
    ),
    view_script: key('The script or file that shows it, called in its folder.', optionalText(), {
      examples: ['main.pdf'],
    }),
    view_script_command: key(
      'The command that runs the view script. Empty: the script is executed directly.',
      v.nullish(shellWords(), ''),
      {
        examples: ['xdg-open', 'open'],
      },
    ),
    tags,
    experiment_dependencies: key(
      'The runs that it needs. Missing ones are launched when the document is compiled.',
      v.nullish(v.array(readLater(dependencySchema), 'a list of dependencies'), []),
    ),
    was,
  }),
  { title: 'Document' },
)

/**
 * Reads the definition of a document. Throws a UserError with the position of a mistake.
 * @param known what holds for keys that are not in the file; null if nothing does
 */
export function readDocument(source: YamlSource, known: Document | null = null): Document {
  const value = completed(source, known && documentToYaml(known))
  const given = checkYaml(source, documentSchema, value, { hint: DOCUMENT_HINT })
  source.at(['name'], () => checkName('document', given.name))
  const dependencies = given.experiment_dependencies.map((value, index) =>
    readDependency(source, ['experiment_dependencies', index], value),
  )
  for (const clash of clashes(dependencies)) {
    const path = ['experiment_dependencies', dependencies.indexOf(clash)]
    throw source.fail(
      path,
      `a second dependency on ${dependencyText(clash)}`,
      'each needs a folder of its own, named after the parameter file',
    )
  }
  return {
    name: given.name,
    ...formerNames(given.was),
    description: given.description,
    path: given.path,
    compileScript: given.compile_script,
    compileScriptCommand: given.compile_script_command ?? makeCommand(given.compile_script) ?? '',
    viewScript: given.view_script,
    viewScriptCommand: given.view_script_command,
    tags: unique(given.tags),
    dependencies,
  }
}

function readDependency(source: YamlSource, path: YamlPath, value: unknown): Dependency {
  const given = checkYaml(source, dependencySchema, value, { path, hint: DEPENDENCY_HINT })
  source.at([...path, 'experiment_name'], () => checkName('experiment', given.experiment_name))
  refuseBoth(source, path, given, 'action_args', 'action_params')
  const actionArguments = given.action_args ?? given.action_params ?? []
  return {
    experiment: given.experiment_name,
    runArgsFile: given.run_args_file,
    runner: given.runner,
    runnerParameters: readRunnerParameters(source, [...path, 'runner_params'], given.runner_params),
    container: given.container,
    commitSha: given.commit_sha,
    action: given.action_name,
    actionArguments: typeof actionArguments === 'string' ? splitWords(actionArguments) : actionArguments,
    ...readMissing(source, [...path, 'missing'], given.missing),
    ...readFiles(source, [...path, 'files'], given.files, DEPENDENCY_HINT),
  }
}

function readMissing(source: YamlSource, path: YamlPath, causes: readonly string[]): Pick<Dependency, 'missing'> {
  return causes.length === 0 ? {} : { missing: source.at(path, () => readWords('cause', causes, endCauses)) }
}

/** A mapping, or options as on the command line (`--submit_template two_cpus`), which the older program took. */
function readRunnerParameters(source: YamlSource, path: YamlPath, value: unknown): LaunchOptions {
  if (typeof value === 'string') return source.at(path, () => runnerParametersOf(value))
  const given: Readonly<Record<string, unknown>> = checkYaml(
    source,
    runnerParameters,
    isMapping(value) ? value : (value ?? {}),
    { path },
  )
  const words = Object.keys(runnerKeys).flatMap(name => {
    refuseBoth(source, path, given, name, `--${name}`)
    const value = given[name] ?? given[`--${name}`] ?? null
    return value === null ? [] : [`--${name}=${value}`]
  })
  return readOptions(words, launchOptions)!
}

/** Options of a launch as on the command line. @throws UserError for any others */
export function runnerParametersOf(text: string): LaunchOptions {
  const given = readOptions(splitWords(text), launchOptions)
  if (given === null) {
    const names = Object.keys(launchOptions).map(name => `--${name}`)
    throw new UserError(`'${text}' is not understood as options of a launch`, `the options are ${names.join(' ')}`)
  }
  if (given.n_threads !== undefined) readCount('n_threads', given.n_threads)
  return given
}

/** The same options as text, which {@link runnerParametersOf} reads. */
export function runnerParametersText(given: LaunchOptions): string {
  const words = Object.entries(given).flatMap(([name, value = true]) =>
    value === true ? [`--${name}`] : [`--${name}`, value],
  )
  return displayCommand(words)
}

/** @throws UserError if a key is given under both of its names */
function refuseBoth(
  source: YamlSource,
  path: YamlPath,
  given: Readonly<Record<string, unknown>>,
  name: string,
  other: string,
): void {
  if ((given[name] ?? null) === null || (given[other] ?? null) === null) return
  throw source.fail([...path, other], `the same as ${name}, which is given too`, `remove ${other}`, 'key')
}

/** The YAML of a dependency in the file of its document. */
export function dependencyToYaml(dependency: Dependency): string {
  return toYaml(dependencyData(dependency))
}

/** The YAML that readDocument reads as the same document. */
export function documentToYaml(document: Document): string {
  return toYaml(documentData(document))
}
