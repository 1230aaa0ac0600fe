import { isAbsolute, relative, resolve } from 'node:path'
import { inProject } from '../../../code/compare.js'
import { pointersInTree } from '../../../code/frozen/filtered-files.js'
import { isIgnored, isInCode, type RunCode } from '../../../code/run-code.js'
import { otherSubmodules, strayRepositories } from '../../../code/tree-state.js'
import type { Experiment } from '../../../domain/experiment.js'
import { scriptPlaces } from '../../../domain/script-places.js'
import { fewOf } from '../../../domain/text/names.js'
import { UserError } from '../../../errors.js'
import { describeContent } from '../../../project/data/large-files.js'
import { realPath, whatIsAt } from '../../../project/paths.js'
import { addWarning } from '../../../runfolder/warnings.js'
import { missingText, scriptFile } from '../../registry/script-file.js'
import type { Workspace } from '../../workspace.js'
import type { ResolvedRun } from '../resolve.js'

/** @throws UserError if the code to run does not contain the experiment's executable */
export async function checkExecutable(workspace: Workspace, experiment: Experiment, code: RunCode): Promise<void> {
  const { executable, name, path } = experiment
  if (isAbsolute(executable) || executable.startsWith('..')) return checkInTree(workspace, experiment)
  for (const place of scriptPlaces(experiment, path)) if (await isInCode(code, place)) return
  const file = scriptFile(workspace, experiment)
  if (file !== null) {
    throw new UserError(
      `the executable of ${name} is not in the commit: ${file}`,
      (await isIgnored(code, file))
        ? `git ignores it ('git check-ignore -v ${file}' says why): git add --force it, and commit`
        : `name a commit that has it: ${code.commit.slice(0, 12)} does not`,
    )
  }
  checkInTree(workspace, experiment)
}

/** @throws UserError if the experiment's executable is not in the tree */
export function checkInTree(workspace: Workspace, experiment: Experiment): void {
  const { name } = experiment
  if (scriptFile(workspace, experiment) !== null) return
  throw new UserError(
    `the executable of ${name} does not exist: ${missingText(experiment)}`,
    `qanat experiment update ${name}        changes the path`,
  )
}

/**
 * Tells the user which code of a run is not recorded, and keeps these warnings with the run.
 * @param folder of the run, absolute
 */
export function keepWarnings(workspace: Workspace, folder: string, texts: readonly string[]): void {
  for (const text of texts) {
    workspace.warn(text)
    addWarning(folder, text)
  }
}

/**
 * Sentences about code that a run is about to run although it is not recorded, and about code in the tree that it does
 * not run.
 */
export async function unrecordedCode(workspace: Workspace, resolved: ResolvedRun, code: RunCode): Promise<string[]> {
  const lists = await Promise.all([
    unrecordedExecutable(workspace, resolved.experiment, code),
    unrecordedSubmodules(resolved, code),
    pointers(resolved, code),
    strays(resolved, code),
  ])
  return lists.flat()
}

/** A frozen copy of another commit with such a pointer is refused. */
async function pointers({ rerunOf }: ResolvedRun, { state, commit }: RunCode): Promise<string[]> {
  if (commit !== state.head || rerunOf !== null) return []
  const paths = await pointersInTree(state)
  if (paths.length === 0) return []
  const names = fewOf(paths.map(path => inProject(state.prefix, path)))
  return [
    `the groups find pointers of Git LFS or git-annex instead of data: ${names}; 'git lfs pull' or 'git annex get .' gets the data`,
  ]
}

/** Sentences about repositories inside this one that are no submodules. */
async function strays({ rerunOf }: ResolvedRun, { state, commit }: RunCode): Promise<string[]> {
  if (commit !== state.head || rerunOf !== null) return []
  return (await strayRepositories(state)).map(path => {
    const name = inProject(state.prefix, path)
    return `${name} is a repository of its own: the commit records which of its commits runs, and neither its code nor where it comes from, so that a clone cannot run this; 'git submodule add ADDRESS ${name}' records that`
  })
}

/** A sentence if the executable of an experiment is a file, or a link to one, that its code does not contain. */
export async function unrecordedExecutable(
  workspace: Workspace,
  experiment: Experiment,
  code: RunCode,
): Promise<string[]> {
  const { project } = workspace
  const executable = scriptFile(workspace, experiment) ?? experiment.executable
  const root = realPath(project.root)
  const place = resolve(root, executable)
  const file = realPath(place)
  if (whatIsAt(file) !== 'file' || (file === place && place.startsWith(`${root}/`))) return []
  const { gitRoot } = code.state
  const isOutside = !file.startsWith(`${gitRoot}/`)
  if (!isOutside && (await isInCode(code, relative(root, file)))) return []
  const content = await describeContent(project, file)
  const where = isOutside ? 'outside the repository' : 'which git does not track'
  return [
    `the code of the executable ${executable} is not recorded: it is ${file}, ${where} (at the launch ${content})`,
  ]
}

async function unrecordedSubmodules({ frozen, rerunOf }: ResolvedRun, code: RunCode): Promise<string[]> {
  const { state, commit, patch } = code
  // The code of another commit, and that of an earlier run, does not come from the tree.
  if (commit !== state.head || rerunOf !== null) return []
  const submodules = await otherSubmodules(state, patch?.tree ?? commit)
  return submodules.flatMap(({ path, recorded, difference, isCheckout, untracked }) => {
    const [name, used] = [`submodule ${inProject(state.prefix, path)}`, recorded.slice(0, 12)]
    const inTree = `only ${used} is recorded; the run uses it as it stands`
    const inCopy = isCheckout ? `the run uses what is recorded: ${used}` : 'the frozen copy has nothing there'
    const left = `${name} has files that git does not track, and they are not recorded: ${fewOf(untracked)}`
    return [
      ...(difference === null ? [] : [`${name} ${difference}, but ${frozen ? inCopy : inTree}`]),
      ...(untracked.length === 0 || frozen ? [] : [left]),
    ]
  })
}
