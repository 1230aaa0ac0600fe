// Writes what is made from the program, which has to be built: pages of docs/reference, and man pages.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { build } from 'esbuild'

const { outputFiles } = await build({
  entryPoints: ['bin/docs/make.mts'],
  ...{ bundle: true, packages: 'external', platform: 'node', format: 'esm', write: false, logLevel: 'warning' },
  loader: { '.sh': 'text', '.py': 'text' },
  define: { 'import.meta.dirname': JSON.stringify(resolve('dist')) },
})
const options = { input: outputFiles[0].text, encoding: 'utf8', maxBuffer: 1e8 }
const printed = execFileSync(process.execPath, ['--input-type=module', '-'], options)
for (const [file, text] of Object.entries(JSON.parse(printed))) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
