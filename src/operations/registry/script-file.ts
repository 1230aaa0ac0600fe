import { resolve } from 'node:path'
import type { Action, Experiment } from '../../domain/experiment.js'
import { isModule, scriptPlaces } from '../../domain/script-places.js'
import { usualCommand } from '../../domain/user-command.js'
import { UserError } from '../../errors.js'
import { cleanProjectPath, whatIsAt } from '../../project/paths.js'
import { isExecutable, textOfScript } from '../../project/scripts/script-text.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** What runs as an executable, and the folder of the code. */
export type Script = Pick<Experiment, 'executable' | 'executableCommand'> & Partial<Pick<Experiment, 'path'>>

/** The stored path of the file that an executable is here: the executable itself, or that of a module or a folder. Null without one. */
export function scriptFile(workspace: Workspace, script: Script): string | null {
  if (script.executable === '') return null
  return scriptPlaces(script, script.path).find(place => whatIsAt(absolutePath(workspace, place)) === 'file') ?? null
}

/** The same for an action, whose modules may lie beside those of its experiment. */
export function actionScript(workspace: Workspace, experiment: string, action: Action): string | null {
  return scriptFile(workspace, { ...action, path: workspace.store.experiments.find(experiment)?.path ?? '' })
}

/** The stored form of an executable. @param owner its experiment or action @throws UserError if it is missing */
export function executableIn(workspace: Workspace, script: Script, owner: string): string {
  const { root } = workspace.project
  if (isModule(script) && /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(script.executable)) {
    if (scriptFile(workspace, script) !== null) return script.executable
    const hint = `the command ends in -m: give the name of a module from the root of the project, as in experiments.train`
    throw new UserError(`the executable of ${owner} is missing: ${missingText(script)}`, hint)
  }
  const executable = cleanProjectPath(root, script.executable, root)
  const file = absolutePath(workspace, executable)
  if (isModule(script)) {
    throw new UserError(
      `the executable of ${owner} is a path, and its command ends in -m: ${executable}`,
      whatIsAt(file) === 'file'
        ? `give the name of the module, or leave out -m`
        : 'give the name of a module, as in experiments.train',
    )
  }
  if (scriptFile(workspace, { ...script, executable }) !== null) return executable
  throw new UserError(
    `the executable of ${owner} is ${whatIsAt(file) === null ? 'missing' : 'not a file'}: ${executable}`,
    whatIsAt(file) === null
      ? 'give its path from the root of the project, as in experiments/train.py'
      : 'a folder needs a __main__.py and a command such as python3',
  )
}

/** An executable that is nowhere, with where it was looked for. */
export function missingText(script: Script): string {
  const { executable, path } = script
  return isModule(script) ? `${executable}: there is no ${scriptPlaces(script, path).join(', ')}` : executable
}

/** Whether a file is a script, and not its description. @param file relative to the folder of the user, or absolute */
export function isScriptFile({ cwd }: Workspace, file: string): boolean {
  const path = resolve(cwd, file)
  const text = textOfScript(path)
  if (text === null || /\.(ya?ml|json)$/i.test(path)) return false
  return usualCommand(path) !== '' || text.startsWith('#!') || isExecutable(path)
}
