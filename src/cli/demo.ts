import { openGit, withoutHooks } from '../code/git.js'
import { splitWords } from '../domain/text/words.js'
import { ExitCode, InterruptedError, OperationError, UserError } from '../errors.js'
import { createFolder } from '../system/folders/new-folder.js'
import { hasProgram, runHere, runProgram } from '../system/programs.js'
import { makeTemporaryFolder } from '../system/temporary-folder.js'
import type { DemoStep } from '../views/init.js'

/** The session of `qanat demo`. */
export const demoSteps: readonly DemoStep[] = [
  { line: 'init --yes', does: 'make a project' },
  { line: 'dataset new dataset.yaml', does: 'name the data' },
  { line: 'experiment new classifier.yaml', does: 'name a script' },
  {
    line: 'run -V "--rate 0.001 0.01 0.1 1" classify_iris -R "--seed 0 5 1" --n_threads 2',
    does: 'run it 20 times',
  },
  { line: 'compare classify_iris --over seed', does: 'which rate is best?', isShown: true },
  { line: 'run classify_iris --rate fast', does: 'run it with a mistake', code: 1 },
  { line: 'why 2', does: 'why did it fail?', isShown: true },
  { line: 'plot classify_iris 1 -o results/acc.svg', does: 'draw a figure' },
  { line: 'whence results/acc.svg', does: 'what made the figure?', isShown: true },
]

/** Milliseconds for what takes a moment. */
const patience = 60_000

/**
 * Makes a git repository with the example, in which commits can be made whoever the user is for git.
 * @param example its folder, absolute
 * @param wanted the folder to make it in, absolute; null for a temporary one
 * @returns the folder
 * @throws UserError if a program is missing, or something is in the place of the folder; then nothing was made
 */
export async function makeDemo(example: string, wanted: string | null): Promise<string> {
  for (const program of ['git', 'python3']) {
    if (!hasProgram(program))
      throw new UserError(`the demo needs ${program}, and it is not in the PATH`, 'install it first')
  }
  const folder = wanted ?? `${makeTemporaryFolder('qanat-demo-')}/iris`
  createFolder(folder)
  // The folder of the program may be read-only.
  for (const command of [
    ['cp', '-R', `${example}/.`, folder],
    ['chmod', '-R', 'u+w', folder],
  ]) {
    const { exitCode, stderr } = await runProgram(command, { timeout: patience })
    if (exitCode !== 0) throw new OperationError(`the project of the demo cannot be made: ${stderr}`)
  }
  const git = openGit(folder)
  await git.run('init', '--quiet')
  const settings = { 'user.name': 'Demo', 'user.email': 'demo@example.org', 'commit.gpgSign': 'false' }
  for (const [name, value] of Object.entries(settings)) await git.run('config', name, value)
  await git.run('add', '--all')
  await git.run(...withoutHooks, 'commit', '--quiet', '--message', 'Iris data and scripts')
  return folder
}

/** Plays a step in the folder of the demo. @param program the words that start Qanat @throws OperationError if it fails */
export async function playStep(
  folder: string,
  program: readonly string[],
  { line, isShown = false, code = 0 }: DemoStep,
): Promise<void> {
  const words = [...program, ...splitWords(line)]
  const hidden = code === 0 ? '>/dev/null' : '>/dev/null 2>&1'
  const end = await runHere(isShown ? words : ['sh', '-c', `exec "$@" ${hidden}`, 'sh', ...words], { cwd: folder })
  if (end.isInterrupted || end.code === ExitCode.interrupted) {
    throw new InterruptedError('the demo was interrupted', `its project stays in ${folder}`)
  }
  if (end.code === code) return
  throw new OperationError(
    `a step of the demo has ended with code ${end.code}: qanat ${line}`,
    `its project stays in ${folder}`,
  )
}

/** Whether people can type `qanat`. */
export function isInPath(): boolean {
  return hasProgram('qanat')
}
