import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const runner = 'test/e2e/toy/toy.ts'
const sources = ['src', 'bin', '.qanat-template', 'build.js', 'package.json', 'tsconfig.json', runner]

/**
 * Builds the program with one runner more, in a folder of its own, as if somebody had added it: a file, and its line in the
 * registry. @returns path of what users run
 */
export function buildWithToy(folder: string): string {
  for (const source of sources) cpSync(join(checkout, source), join(folder, source), { recursive: true })
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'))
  const registry = join(folder, 'src/runners/index.ts')
  writeFileSync(registry, registered(readFileSync(registry, 'utf8')))
  execFileSync(process.execPath, ['build.js'], { cwd: folder, stdio: 'inherit' })
  return join(folder, 'bin/run.js')
}

function registered(registry: string): string {
  const text = registry.replace(/^export const runnerKinds\b.*\[$/m, '$&\n  toyKind as RunnerKind,')
  if (text === registry) throw new Error('the registry of the runners is not as this test knows it')
  return `import { toyKind } from '../../${runner.replace(/ts$/, 'js')}'\n${text}`
}
