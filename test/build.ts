import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of the projects that tests copy, each made once. */
    bases: string
  }
}

/** Builds the program that the tests run. */
export default function build({ provide }: TestProject): () => void {
  execFileSync(process.execPath, ['build.js'], { stdio: 'inherit' })
  findPython()
  const bases = mkdtempSync(join(tmpdir(), 'qanat-bases-'))
  provide('bases', bases)
  return () => rmSync(bases, { recursive: true, force: true, maxRetries: 5 })
}

/** Puts Python itself first in the PATH: the script that a version manager has in its place takes ten times as long to start. */
function findPython(): void {
  const path = process.env.PATH!
  const found = path.split(delimiter).find(folder => existsSync(join(folder, 'python3')))
  if (found === undefined) return
  const { status, stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
  if (status !== 0) return
  const folder = dirname(stdout.trim())
  if (folder !== found) process.env.PATH = `${folder}${delimiter}${path}`
}
