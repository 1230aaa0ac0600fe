import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
const sources = ['src', 'bin', '.qanat-template', 'build.js', 'package.json', 'tsconfig.json', 'docs']

/** What to replace in files of the program, by their paths. */
export type Changes = Readonly<Record<string, readonly (readonly [RegExp, string])[]>>

/**
 * Builds the program with something more, in a folder of its own, as if somebody had added it.
 * @param added files and folders of the tests that it needs
 * @returns path of what users run
 */
export function buildChanged(folder: string, added: readonly string[], changes: Changes): string {
  for (const source of [...sources, ...added]) cpSync(join(checkout, source), join(folder, source), { recursive: true })
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, replacements] of Object.entries(changes)) {
    let text = readFileSync(join(folder, path), 'utf8')
    for (const [pattern, replacement] of replacements) {
      const changed = text.replace(pattern, replacement)
      if (changed === text) throw new Error(`${path} is not as this test knows it: it has no ${pattern}`)
      text = changed
    }
    writeFileSync(join(folder, path), text)
  }
  execFileSync(process.execPath, ['build.js'], { cwd: folder, stdio: 'inherit' })
  return join(folder, 'bin/run.js')
}
