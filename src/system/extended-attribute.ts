import { hasProgram, runProgram } from './programs.js'

const pythonCode = 'import os, sys; os.setxattr(sys.argv[1], sys.argv[2], sys.argv[3].encode())'

/**
 * Sets an extended attribute of a file, if the file system supports it, by whichever program is there: Node.js cannot.
 * @returns false if there is no such program
 */
export async function setExtendedAttribute(file: string, name: string, text: string): Promise<boolean> {
  const command = [
    ['setfattr', '-n', name, '-v', text, '--', file],
    ['xattr', '-w', name, text, file],
    ['python3', '-c', pythonCode, file, name, text],
  ].find(([program]) => hasProgram(program!))
  if (command) await runProgram(command, { timeout: 10_000 })
  return command !== undefined
}
