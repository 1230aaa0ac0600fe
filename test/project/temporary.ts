import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that goes when the test is over, with these files in it. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'qanat-test-'))
  // A process that was killed may be writing still.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** One file in such a folder, by its path. */
export function fileWith(content: string | Uint8Array, name = 'file.yaml'): string {
  return join(folderWith({ [name]: content }), name)
}
