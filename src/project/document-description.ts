import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { stringify } from 'yaml'
import {
  clashes,
  type Dependency,
  type DependencyRunner,
  type Document,
  dependencyText,
  documentData,
} from '../domain/document.js'
import { checkName } from '../domain/text/names.js'
import { splitWords } from '../domain/text/words.js'
import { UserError } from '../errors.js'
import { checkYaml, filledText, isMapping, mapping, optionalText, shellWords, texts } from './schema.js'
import { readYaml, type YamlPath, type YamlSource } from './yaml-source.js'

const DOCUMENT_HINT = 'a document needs name, path and compile_script; see: qanat document new --help'
const DEPENDENCY_HINT = 'a dependency needs experiment_name and files; see: qanat document new --help'

const optionalFilledText = () => v.nullish(filledText(), null)

/** Reads the file of `document new -f`. Throws a UserError with the position of whatever is wrong in it. */
export function readDocumentFile(file: string): Document {
  const source = readYaml(file, 'text')
  const schema = mapping({
    name: filledText(),
    description: optionalText(),
    path: filledText(),
    compile_script: filledText(),
    compile_script_command: v.nullish(shellWords(), ''),
    view_script: optionalText(),
    view_script_command: v.nullish(shellWords(), ''),
    tags: texts(),
    experiment_dependencies: v.nullish(v.array(v.unknown(), 'a list of dependencies'), []),
  })
  const given = checkYaml(source, schema, source.value(), { hint: DOCUMENT_HINT })
  source.at(['name'], () => checkName('document', given.name))
  const dependencies = given.experiment_dependencies.map((value, index) =>
    readDependency(source, ['experiment_dependencies', index], value),
  )
  for (const clash of clashes(dependencies)) {
    const path = ['experiment_dependencies', dependencies.indexOf(clash)]
    throw source.fail(path, `a second dependency on ${dependencyText(clash)}`, 'each gets a folder of that name')
  }
  return {
    name: given.name,
    description: given.description,
    path: given.path,
    compileScript: given.compile_script,
    compileScriptCommand: given.compile_script_command,
    viewScript: given.view_script,
    viewScriptCommand: given.view_script_command,
    tags: [...new Set(given.tags)],
    dependencies,
  }
}

function readDependency(source: YamlSource, path: YamlPath, value: unknown): Dependency {
  const schema = mapping({
    experiment_name: filledText(),
    run_args_file: optionalFilledText(),
    runner: v.nullish(filledText(), 'local'),
    runner_params: v.nullish(v.unknown(), null),
    container: optionalFilledText(),
    commit_sha: optionalFilledText(),
    action_name: optionalFilledText(),
    action_args: v.nullish(v.union([shellWords(), v.array(v.string('text'))], 'words, or a list of them'), []),
    files: texts(),
  })
  const given = checkYaml(source, schema, value, { path, hint: DEPENDENCY_HINT })
  source.at([...path, 'experiment_name'], () => checkName('experiment', given.experiment_name))
  const { action_args: actionArguments } = given
  return {
    experiment: given.experiment_name,
    runArgsFile: given.run_args_file,
    runner: given.runner,
    runnerParameters: readRunnerParameters(source, [...path, 'runner_params'], given.runner_params),
    container: given.container,
    commitSha: given.commit_sha,
    action: given.action_name,
    actionArguments: typeof actionArguments === 'string' ? splitWords(actionArguments) : actionArguments,
    files: given.files.map((file, index) => source.at([...path, 'files', index], () => fileOfRun(file))),
  }
}

/** A path inside the folder of a run. @throws UserError for one that leads out of it */
export function fileOfRun(path: string): string {
  const parts = path.split('/').filter(part => part !== '' && part !== '.')
  if (!path.startsWith('/') && !parts.includes('..') && parts.length > 0) return parts.join('/')
  throw new UserError(
    `'${path}' does not lie in the folder of the run`,
    'give it from there, as in group_0/figure.png, without ..',
  )
}

/** A mapping, or options as on the command line (`--submit_template two_cpus`), which the older program took. */
function readRunnerParameters(source: YamlSource, path: YamlPath, value: unknown): DependencyRunner {
  if (typeof value === 'string') return source.at(path, () => runnerParametersOf(value))
  const schema = mapping({
    submit_template: optionalFilledText(),
    n_threads: v.nullish(v.pipe(v.string(), v.regex(/^[1-9]\d*$/, 'a whole number above 0')), null),
    gpu: v.nullish(v.picklist(['true', 'false'], 'true or false'), 'false'),
  })
  const given = checkYaml(source, schema, isMapping(value) ? value : (value ?? {}), { path })
  return { submitTemplate: given.submit_template, slots: given.n_threads, gpu: given.gpu === 'true' }
}

function runnerParametersOf(text: string): DependencyRunner {
  const options = {
    submit_template: { type: 'string' },
    n_threads: { type: 'string' },
    gpu: { type: 'boolean' },
  } as const
  try {
    const { values } = parseArgs({ args: splitWords(text), options })
    return { submitTemplate: values.submit_template ?? null, slots: values.n_threads ?? null, gpu: values.gpu ?? false }
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(
      `'${text}' is not understood`,
      `its options are ${Object.keys(options)
        .map(name => `--${name}`)
        .join(' ')}`,
    )
  }
}

/** The YAML that readDocumentFile reads back as the same document. */
export function documentToYaml(document: Document): string {
  return stringify(documentData(document), { lineWidth: 0, aliasDuplicateObjects: false })
}
