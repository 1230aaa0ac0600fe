import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { splitWords } from '../domain/text/words.js'
import { OperationError, UserError } from '../errors.js'
import { makeTemporaryFolder } from './temporary-folder.js'

/** Words of the user's editor: `$VISUAL`, `$EDITOR`, then the configured one. @throws UserError if none is set */
export function findEditor(configured: string | null): string[] {
  const command = process.env.VISUAL || process.env.EDITOR || configured
  if (!command) throw new UserError('no editor is set', 'export EDITOR=vim, or: qanat config set default_editor vim')
  return splitWords(command)
}

/** Opens a file in an editor and waits until it is closed. @throws OperationError if the editor fails */
export async function editFile(editor: readonly string[], file: string): Promise<void> {
  const { execa } = await import('execa')
  const [program, ...options] = editor as [string, ...string[]]
  const { failed, code, exitCode } = await execa(program, [...options, file], { stdio: 'inherit', reject: false })
  if (!failed) return
  const reason = code === 'ENOENT' ? 'it is not on this machine' : `it ended with code ${exitCode}`
  throw new OperationError(`the editor '${editor.join(' ')}' failed: ${reason}`, `your text is in ${file}`)
}

/**
 * Lets the user edit a copy of a text, in a temporary folder that is removed afterwards.
 * @param copy its name, its text, and links to make beside it: their targets, by name
 * @param read parses the edited text; if it throws, the copy is kept, so that no text is lost
 * @throws OperationError if the editor fails or has removed the copy
 */
export async function editCopy<Result>(
  editor: readonly string[],
  copy: { readonly name: string; readonly text: string; readonly links: Readonly<Record<string, string>> },
  read: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = makeTemporaryFolder(`qanat-${parse(copy.name).name}-`)
  const file = join(folder, copy.name)
  writeFileSync(file, copy.text)
  for (const [name, target] of Object.entries(copy.links)) symlinkSync(target, join(folder, name))
  await editFile(editor, file)
  if (!existsSync(file)) throw new OperationError('the editor has removed the file', 'nothing was changed; try again')
  const result = await read(file)
  rmSync(folder, { recursive: true })
  return result
}
