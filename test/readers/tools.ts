import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with the Python that has the readers of PyPI. */
    readers: string
  }
}

/** What reads our files, from PyPI; what is in Debian, .ci/run installs. */
const versions = ['pandas==3.1.1', 'polars==2.1.0', 'duckdb==2.0.1', 'pyarrow==26.0.1', 'fastparquet==2026.9.0']

/** Installs them. READERS may name a folder with their programs instead. */
export default function install({ provide }: TestProject): () => void {
  const given = process.env.READERS
  if (given !== undefined && existsSync(given)) {
    provide('readers', given)
    return () => {}
  }
  const folder = mkdtempSync(join(tmpdir(), 'qanat-readers-'))
  const bin = join(folder, 'bin')
  execFileSync('python3', ['-m', 'venv', folder])
  execFileSync(join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...versions], {
    stdio: 'inherit',
  })
  provide('readers', bin)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
