import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasProgram } from '../system/programs.js'

/**
 * Opens an address in the user's browser. Everybody on this machine can read the words of a command: the address, which is
 * secret, is in a file.
 * @param folder a private one, which must stay until the browser has read the file
 * @returns false if no program is here that opens a browser
 */
export function openInBrowser(address: string, folder: string): boolean {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open'
  if (!hasProgram(program)) return false
  const file = join(folder, 'qanat.html')
  const text = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${address}"><title>Qanat</title>`
  writeFileSync(file, text, { mode: 0o600 })
  const child = spawn(program, [file], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
  return true
}
