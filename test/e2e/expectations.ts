import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Folder, Outcome } from './project.js'

/** One error, on stderr alone, with all of these texts in it, what to type next below, and without a stack trace. */
export function expectError({ stdout, stderr, code }: Outcome, exitCode: number, ...texts: string[]): void {
  expect(stdout).toBe('')
  for (const text of texts) expect(stderr).toContain(text)
  const [before, error, ...others] = stderr.split(/^Error: /m)
  expect([before, others]).toEqual([expect.not.stringContaining('Error'), []])
  expect(error).toMatch(/^.+\n\s*\S/)
  expect(error).not.toMatch(/QANAT_DEBUG|^ {4}at /m)
  expect(code).toBe(exitCode)
}

/** Every path below a folder, those of git included; links are not followed. */
export function paths({ path }: Folder): string[] {
  return below(path, '').sort()
}

/**
 * The same with kind, permissions, size and time of the last change: equal only where nothing was written. Git may
 * renew what its index knows of files.
 */
export function traces(folder: Folder): string[] {
  const names = ['.', ...paths(folder)].filter(name => !/^\.git(\/index)?$/.test(name))
  return names.map(name => {
    const { mode, size, mtimeMs } = lstatSync(join(folder.path, name))
    return `${name} ${mode.toString(8)} ${size} ${mtimeMs}`
  })
}

function below(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? [path, ...below(root, path)] : [path]
  })
}
