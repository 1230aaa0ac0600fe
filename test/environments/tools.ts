import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/**
 * Installs the tools that are tried: uv, and those that ENVIRONMENTS names (`poetry hatch pdm pipenv`), which take longer.
 * ENVIRONMENT_TOOLS may name a folder with their programs instead.
 */
export default function install({ provide }: TestProject): () => void {
  const given = process.env.ENVIRONMENT_TOOLS
  if (given !== undefined && existsSync(given)) {
    provide('tools', given)
    return () => {}
  }
  const folder = mkdtempSync(join(tmpdir(), 'qanat-tools-'))
  execFileSync('python3', ['-m', 'venv', folder])
  const tools = ['uv', ...(process.env.ENVIRONMENTS ?? '').split(' ').filter(name => name !== '')]
  execFileSync(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...tools], {
    stdio: 'inherit',
  })
  provide('tools', join(folder, 'bin'))
  return () => rmSync(folder, { recursive: true, force: true })
}
