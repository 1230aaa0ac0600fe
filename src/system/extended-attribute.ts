import { hasProgram, runProgram } from './programs.js'

/** Attaches a text to a file under a name, where the file system takes it and a program for that is here. */
export async function setExtendedAttribute(file: string, name: string, text: string): Promise<void> {
  const [command] = [
    ['setfattr', '-n', name, '-v', text, '--', file],
    ['xattr', '-w', name, text, file],
  ].filter(([program]) => hasProgram(program!))
  if (command) await runProgram(command, { environment: process.env, timeout: 10_000 })
}
