import { hasProgram, runProgram } from './programs.js'

/** Sets an extended attribute of a file, if the file system supports it and a program for it is installed. */
export async function setExtendedAttribute(file: string, name: string, text: string): Promise<void> {
  const [command] = [
    ['setfattr', '-n', name, '-v', text, '--', file],
    ['xattr', '-w', name, text, file],
  ].filter(([program]) => hasProgram(program!))
  if (command) await runProgram(command, { environment: process.env, timeout: 10_000 })
}
