import { splitWords } from '../domain/text/words.js'
import { OperationError, UserError } from '../errors.js'

/** Words of the user's editor: `$VISUAL`, `$EDITOR`, then the configured one. @throws UserError where none is set */
export function findEditor(configured: string | null): string[] {
  const command = process.env.VISUAL || process.env.EDITOR || configured
  if (!command) throw new UserError('no editor is set', 'export EDITOR=vim, or: qanat config set default_editor vim')
  return splitWords(command)
}

/** Opens a file in an editor and waits until it is closed. @throws OperationError where the editor fails */
export async function editFile(editor: readonly string[], file: string): Promise<void> {
  const { execa } = await import('execa')
  const [program, ...options] = editor as [string, ...string[]]
  const { failed, code, exitCode } = await execa(program, [...options, file], { stdio: 'inherit', reject: false })
  if (!failed) return
  const reason = code === 'ENOENT' ? 'it is not on this machine' : `it ended with code ${exitCode}`
  throw new OperationError(`the editor '${editor.join(' ')}' failed: ${reason}`, `your text is in ${file}`)
}
