import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

function commentFile(folder: string): string {
  return join(folder, 'comment.md')
}

/** The comment in the folder of a run, as it was written; null where there is none. @param folder absolute */
export function commentIn(folder: string): string | null {
  const file = commentFile(folder)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Adds a paragraph to the comment in the folder of a run. */
export function appendComment(folder: string, text: string): void {
  const file = commentFile(folder)
  appendFileSync(file, `${existsSync(file) ? '\n' : ''}${text.trimEnd()}\n`)
}

/** Makes sure that there is a comment to edit. @param title of a new one @returns its file, absolute */
export function provideComment(folder: string, title: string): string {
  const file = commentFile(folder)
  if (!existsSync(file)) writeFileSync(file, `# ${title}\n\n`)
  return file
}
