import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { editFile, findEditor } from '../../system/editor.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { runFolder } from './run-files.js'

function commentFile(workspace: Workspace, run: Run): string {
  return join(runFolder(workspace, run), 'comment.md')
}

/** The comment of a run, as it was written; null where there is none. */
export function readComment(workspace: Workspace, run: Run): string | null {
  const file = join(absolutePath(workspace, run.storagePath), 'comment.md')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Adds a paragraph to the comment of a run. */
export function addComment(workspace: Workspace, run: Run, text: string): void {
  if (text.trim() === '') throw new UserError('an empty comment says nothing', 'write, for example: -m "too few steps"')
  const file = commentFile(workspace, run)
  appendFileSync(file, `${existsSync(file) ? '\n' : ''}${text.trimEnd()}\n`)
}

/** Opens the comment of a run in the user's editor. */
export async function editComment(workspace: Workspace, run: Run): Promise<void> {
  const file = commentFile(workspace, run)
  const editor = findEditor(workspace.config.defaultEditor)
  if (!existsSync(file)) writeFileSync(file, `# Run ${run.id} of ${run.experiment}\n\n`)
  await editFile(editor, file)
}
