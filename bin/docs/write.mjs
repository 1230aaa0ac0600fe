// Writes what is made from the program: `write.mjs reference` the pages of the reference, `write.mjs man` the man pages.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { build } from 'esbuild'

const folders = { reference: 'docs/reference', man: 'dist/man' }
const [kind] = process.argv.slice(2)
const { outputFiles } = await build({
  entryPoints: ['bin/docs/make.mts'],
  ...{ bundle: true, packages: 'external', platform: 'node', format: 'esm', write: false, logLevel: 'warning' },
  loader: { '.sh': 'text', '.py': 'text' },
  define: { 'import.meta.dirname': JSON.stringify(resolve('dist')) },
})
const words = ['--input-type=module', '-', kind]
const options = { input: outputFiles[0].text, encoding: 'utf8', maxBuffer: 1e8 }
for (const [path, text] of Object.entries(JSON.parse(execFileSync(process.execPath, words, options)))) {
  const file = `${folders[kind]}/${path}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
