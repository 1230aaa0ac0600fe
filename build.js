// Bundles the program into dist/, one file for each process that it starts. A program that runs meanwhile is not
// disturbed: files are replaced by renaming.
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const { outputFiles } = await build({
  entryPoints: { qanat: 'src/main.ts', supervisor: 'src/runners/local/supervisor.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['better-sqlite3'],
  define: { 'import.meta.dirname': '__dirname' },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  logLevel: 'warning',
  write: false,
})

mkdirSync('dist', { recursive: true })
const program = outputFiles.find(({ path }) => path.endsWith('qanat.cjs'))
// The compiled form of the program is cached under this key: V8 itself would take a stale one of the same length.
const key = createHash('sha256').update(program.contents).digest('hex').slice(0, 16)
for (const { path, contents } of [...outputFiles, { path: 'dist/qanat.key', contents: key }]) {
  writeFileSync(`${path}.${process.pid}`, contents)
  renameSync(`${path}.${process.pid}`, path)
}
