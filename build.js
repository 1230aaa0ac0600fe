// Bundles the program into dist/, one file for each process it starts.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

rmSync('dist', { recursive: true, force: true })
await build({
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
})
// The compiled form of the program is cached under this key: V8 itself would take a stale one of the same length.
writeFileSync('dist/qanat.key', createHash('sha256').update(readFileSync('dist/qanat.cjs')).digest('hex').slice(0, 16))
