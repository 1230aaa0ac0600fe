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
  const bin = join(folder, 'bin')
  execFileSync('python3', ['-m', 'venv', folder])
  execFileSync(join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', 'uv'], { stdio: 'inherit' })
  const env = { ...process.env, UV_TOOL_DIR: join(folder, 'tools'), UV_TOOL_BIN_DIR: bin }
  for (const tool of asked.filter(name => ['poetry', 'hatch', 'pdm', 'pipenv'].includes(name))) {
    // PDM 2.29 does not work with hishel 2.
    const words = ['tool', 'install', '--quiet', tool, ...(tool === 'pdm' ? ['--with', 'hishel<2'] : [])]
    execFileSync(join(bin, 'uv'), words, { stdio: 'inherit', env })
  }
  provide('tools', bin)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** The tools and build backends that are tried only if ENVIRONMENTS names them, since they take long to install. */
export const asked = (process.env.ENVIRONMENTS ?? '').split(' ')
