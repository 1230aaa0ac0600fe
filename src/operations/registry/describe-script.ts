import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { inspectTree } from '../../code/tree-state.js'
import type { Experiment } from '../../domain/experiment.js'
import { readHead, type ScriptHead, shebangCommand } from '../../domain/script-head.js'
import { type ScriptExperiment, scriptYaml } from '../../domain/script-yaml.js'
import { usualCommand } from '../../domain/user-command.js'
import { orElse, UserError } from '../../errors.js'
import { readExperiment } from '../../project/experiment-description.js'
import { cleanProjectPath, whatIsAt } from '../../project/paths.js'
import { isExecutable, textOfScript, writeDescription } from '../../project/scripts/script-text.js'
import { schemaReference } from '../../project/yaml/schemas.js'
import { readYaml } from '../../project/yaml/yaml-source.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { experimentKind } from './kinds.js'
import { register } from './register.js'
import { type Script, scriptFile } from './script-file.js'

/** What a script tells of the experiment that it may become. */
export interface ScriptDraft {
  readonly head: ScriptHead
  /** Relative to the project. */
  readonly executable: string
  readonly executableCommand: string
  /** The end of its path may give a name that is not free. */
  readonly name: string
  /** The YAML file to write, absolute. */
  readonly file: string
}

/** What the script of an experiment tells of itself; nothing if it is not there. */
export function headOf(workspace: Workspace, script: Script): ScriptHead {
  const file = scriptFile(workspace, script)
  return readHead(file === null ? '' : textOf(absolutePath(workspace, file)))
}

function textOf(path: string): string {
  return textOfScript(path) ?? ''
}

/** Reads what a script tells. @throws UserError if it is outside of the project or has a description already */
export function draftOf(workspace: Workspace, file: string): ScriptDraft {
  const { project, cwd, store } = workspace
  const executable = cleanProjectPath(project.root, file, cwd)
  if (isAbsolute(executable) || executable.startsWith('../')) {
    throw new UserError(`${file} is outside of the project ${project.root}`, 'copy it into the project, and commit it')
  }
  const user = store.experiments.list().find(({ experiment }) => experiment.executable === executable)
  if (user) {
    const { name } = user.experiment
    throw new UserError(`the experiment ${name} runs ${file} already`, `qanat run ${name}        runs it`)
  }
  const text = textOf(resolve(cwd, file))
  const whole = basename(executable)
    .replaceAll(/[^\w.-]/g, '_')
    .replace(/^[^a-z\d]+/i, '')
  const stem = whole.replace(/(?<=.)\.\w+$/, '')
  const name = store.experiments.find(stem) === null ? stem : whole
  const executableCommand = commandOf(project.root, executable, text)
  return { head: readHead(text), executable, executableCommand, name, file: newFile(workspace, executable, file) }
}

/** Environments of Python projects, by a file that shows that the project uses one, the surest first. */
const pythons = [
  ...[['uv.lock', 'uv run python'] as const, ['poetry.lock', 'poetry run python'] as const],
  ...[['pdm.lock', 'pdm run python'] as const, ['pixi.lock', 'pixi run python'] as const],
  ...['.venv', 'venv'].map(folder => [`${folder}/bin/python`, `${folder}/bin/python`] as const),
]

function commandOf(root: string, executable: string, text: string): string {
  const usual = usualCommand(executable)
  const named = shebangCommand(text) || usual
  const isThere = (path: string) => whatIsAt(join(root, path)) !== null
  if (/^python3?$/.test(named)) return pythons.find(([file]) => isThere(file))?.[1] ?? named
  if (named === 'julia' && isThere('Project.toml')) return 'julia --project'
  // A program without an ending is executed directly, if it can be.
  return usual === '' && isExecutable(join(root, executable)) ? '' : named
}

/** The place for its description: beside the script, and never that of another file. */
function newFile(workspace: Workspace, executable: string, script: string): string {
  const stem = absolutePath(workspace, executable).replace(/(?<=[^/])\.\w+$/, '')
  const [usual, other] = [`${stem}.yaml`, `${stem}.experiment.yaml`] as const
  if (whatIsAt(usual) === null) return usual
  if (describes(usual, executable)) {
    const file = relative(workspace.cwd, usual)
    throw new UserError(`${file} describes ${script} already`, `qanat experiment new ${file}        registers it`)
  }
  if (whatIsAt(other) === null) return other
  throw new UserError(
    `there is no free name for the description of ${script}: ${basename(usual)} and ${basename(other)} exist`,
    'describe it in a file of another name, and give that: qanat experiment new FILE',
  )
}

function describes(file: string, executable: string): boolean {
  return orElse(() => readExperiment(readYaml(file, 'text')).executable === executable, false)
}

/**
 * Writes the description of a script, and registers it.
 * @returns whether nothing else in the tree has changed but perhaps the script
 * @throws UserError if it cannot be registered; then nothing was written
 */
export async function registerScript(
  workspace: Workspace,
  { file }: Pick<ScriptDraft, 'file'>,
  wanted: ScriptExperiment,
): Promise<{ experiment: Experiment; isAlone: boolean }> {
  const { root } = workspace.project
  const { gitRoot, changes } = await inspectTree(root)
  const isAlone = changes.every(({ path }) => join(gitRoot, path) === join(root, wanted.executable))
  const schemas = relative(dirname(file), join(root, '.qanat/schemas'))
  const remove = writeDescription(file, scriptYaml(wanted, schemaReference(schemas, 'experiment')))
  try {
    const { thing } = await register(workspace, experimentKind, readExperiment(readYaml(file, 'text')), file)
    return { experiment: thing, isAlone }
  } catch (error) {
    remove()
    throw error
  }
}
