import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const bases = mkdtempSync(join(tmpdir(), 'qanat-bases-'))
  provide('bases', bases)
  return () => rmSync(bases, { recursive: true, force: true })
}
