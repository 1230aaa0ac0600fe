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
  execFileSync(join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', versions.uv], {
    stdio: 'inherit',
  })
  const env = { ...process.env, UV_TOOL_DIR: join(folder, 'tools'), UV_TOOL_BIN_DIR: bin }
  for (const tool of asked.filter(name => name in versions)) {
    // PDM 2.29 does not work with hishel 2.
    const others = tool === 'pdm' ? ['--with', 'hishel<2'] : []
    const words = ['tool', 'install', '--quiet', versions[tool as keyof typeof versions], ...others]
    execFileSync(join(bin, 'uv'), words, { stdio: 'inherit', env })
  }
  provide('tools', bin)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

const versions = {
  uv: 'uv==0.13.9',
  poetry: 'poetry==2.5.1',
  hatch: 'hatch==1.18.2',
  pdm: 'pdm==2.29.4',
  pipenv: 'pipenv==2026.10.3',
  cmake: 'cmake==4.4.4',
  ninja: 'ninja==1.13.2',
  nox: 'nox==2026.10.20',
  dvc: 'dvc==3.67.1',
}

/** The tools and build backends that are tried only if ENVIRONMENTS names them, since they take long to install. */
export const asked = (process.env.ENVIRONMENTS ?? '').split(' ')
