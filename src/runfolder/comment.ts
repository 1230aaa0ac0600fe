import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.js'
import { editFile, findEditor } from '../system/editor.js'
import { atomicWrite, realPath } from '../system/files.js'
import { readRegular } from '../system/regular-file.js'

function commentFile(folder: string): string {
  return join(folder, 'comment.md')
}

/** The comment in the folder of a run; null if there is none. @param folder absolute */
export function commentIn(folder: string): string | null {
  return readRegular(commentFile(folder))
}

/**
 * The first line of the last paragraph of a comment, and when the comment was changed, in milliseconds since the epoch; null if there
 * is none, or it is older than `since`.
 */
export function lastCommentIn(folder: string, since: number): { readonly text: string; readonly at: number } | null {
  const at = statSync(commentFile(folder), { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined || at < since) return null
  const paragraph = commentIn(folder)
    ?.trim()
    .split(/\n\s*\n/)
    .at(-1)
  return paragraph === undefined ? null : { text: paragraph.split('\n')[0]!, at }
}

/** Adds a paragraph to the comment in the folder of a run. @throws UserError if something else is in its place */
export function appendComment(folder: string, text: string): void {
  const file = placeOfComment(folder)
  const before = existsSync(file) ? `${readFileSync(file, 'utf8')}\n` : ''
  atomicWrite(realPath(file), `${before}${text.trimEnd()}\n`)
}

/**
 * Makes a comment to edit, unless there is one.
 * @param head the text of a new comment
 * @returns its absolute path
 * @throws UserError if something else is in its place
 */
export function provideComment(folder: string, head: string): string {
  const file = placeOfComment(folder)
  if (!existsSync(file)) atomicWrite(file, head)
  return file
}

/**
 * Opens it in the user's editor.
 * @param editor the one that the settings name, if they do
 * @throws UserError if something else is in its place, or no editor is set; OperationError if the editor fails
 */
export async function editCommentIn(folder: string, head: string, editor: string | null): Promise<void> {
  const words = findEditor(editor)
  await editFile(words, provideComment(folder, head))
}

function placeOfComment(folder: string): string {
  const file = commentFile(folder)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() ?? true) return file
  throw new UserError(`${file} is not a file, so the comment cannot be written there`, `move it away: mv ${file} …`)
}
