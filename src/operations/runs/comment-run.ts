import type { Run } from '../../domain/runs/run.js'
import { isRunWord } from '../../domain/runs/run-ids.js'
import { displayCommand, quoteWord } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { appendComment, commentIn, editCommentIn } from '../../runfolder/comment.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { runFolder } from '../folder/run-files.js'
import { isExperiment } from '../registry/find-experiment.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { findRun } from './find-run.js'

/** The comment of a run; null if there is none. */
export function readComment(workspace: Workspace, run: Run): string | null {
  return commentIn(absolutePath(workspace, run.storagePath))
}

/** What is searched for words: what a run is called, its tags and its description, and its comment. */
export function textOfRun(workspace: Workspace, run: Run): string {
  return [run.experiment, ...run.tags, run.description, readComment(workspace, run) ?? ''].join('\n')
}

/** Finds a run as {@link findRun} does. @throws UserError also for a comment in place of the run */
export function findRunToComment(workspace: Workspace, first: string, second?: string): Run {
  const isComment = second !== undefined && (/\s/.test(second) || (isRunWord(first) && !isRunWord(second)))
  if (!isComment || isExperiment(workspace, second)) return findRun(workspace, first, second)
  throw new UserError(
    `${quoteWord(second)} is no run`,
    `a comment is given with -m: ${displayCommand(['qanat', 'run_comment', first, '-m', second])}`,
  )
}

/** Adds a paragraph to the comment of a run. */
export async function addComment(workspace: Workspace, run: Run, text: string): Promise<void> {
  if (text.trim() === '') throw new UserError('the comment is empty', 'write, for example: -m "too few steps"')
  const folder = runFolder(workspace, run)
  await withProjectLock(workspace.project, 'comments', async () => appendComment(folder, text))
}

/** Opens the comment of a run in the user's editor. */
export async function editComment(workspace: Workspace, run: Run): Promise<void> {
  await editCommentIn(runFolder(workspace, run), headOf(run), workspace.config.defaultEditor)
}

/** The beginning of a new comment: which run it is about. */
function headOf({ id, experiment, launched, finished, tags, description }: Run): string {
  const facts = [
    `launched: ${new Date(launched).toISOString()}`,
    ...(finished === null ? [] : [`finished: ${new Date(finished).toISOString()}`]),
    ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : []),
    ...(description === '' ? [] : [`description: ${description}`]),
  ]
  return `# Run ${id} of ${experiment}\n\n${facts.map(fact => `- ${fact}\n`).join('')}\n`
}
