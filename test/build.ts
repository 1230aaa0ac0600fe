import { execFileSync } from 'node:child_process'
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
  return () => rmSync(bases, { recursive: true, force: true })
}

/** A manager of Python versions puts a script before python3 that takes ten times as long as Python: tests do without it. */
function findPython(): void {
  const path = process.env.PATH!
  const found = path.split(delimiter).find(folder => existsSync(join(folder, 'python3')))
  if (found === undefined) return
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
  if (dirname(python) !== found) process.env.PATH = `${dirname(python)}${delimiter}${path}`
}
