// Bundles the program into dist/, one file for each process that it starts, and notes beside them what the completion has
// to know of the commands, and schemas for editors. A program that runs meanwhile is not disturbed: files are replaced by
// renaming. With --faults it goes into dist-faults/, and can be killed at the moments of src/system/fault-point.ts.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'))
const faults = process.argv.includes('--faults')
const folder = faults ? 'dist-faults' : 'dist'
const { outputFiles, metafile } = await build({
  entryPoints: {
    qanat: 'src/main.ts',
    supervisor: 'src/runners/local/supervisor.ts',
    surface: 'src/surface.ts',
    schemas: 'bin/packaging/editor-schemas.ts',
  },
  outdir: folder,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // It would look for the database's addon, whose place we know.
  external: ['bindings'],
  define: {
    'import.meta.dirname': '__dirname',
    PROGRAM: JSON.stringify({ version, description }),
    // Without the variable nothing is left of the moments at which the program can be killed.
    ...(!faults && { 'process.env.QANAT_FAULT': 'undefined' }),
  },
  loader: { '.sh': 'text' },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  write: false,
})

mkdirSync(`${folder}/schemas`, { recursive: true })
const bundle = name => outputFiles.find(({ path }) => path.endsWith(`/${name}.cjs`))
const printed = name => execFileSync(process.execPath, ['-'], { input: bundle(name).contents, encoding: 'utf8' })
// The compiled form of the program is cached under this key: V8 itself would take a stale one of the same length.
const key = createHash('sha256').update(bundle('qanat').contents).digest('hex').slice(0, 16)
const notes = [
  { path: `${folder}/qanat.key`, contents: key },
  { path: `${folder}/surface.json`, contents: printed('surface') },
  { path: `${folder}/LICENSES.txt`, contents: licences() },
  ...['bash', 'zsh', 'fish'].map(shell => ({
    path: `${folder}/qanat.${shell}`,
    contents: readFileSync(`src/cli/completion/qanat.${shell}`),
  })),
  ...Object.entries(JSON.parse(printed('schemas'))).map(([name, schema]) => ({
    path: `${folder}/schemas/${name}.json`,
    contents: `${JSON.stringify(schema, null, 2)}\n`,
  })),
]
for (const { path, contents } of [bundle('qanat'), bundle('supervisor'), ...notes]) {
  writeFileSync(`${path}.${process.pid}`, contents)
  renameSync(`${path}.${process.pid}`, path)
}

/** The licences of the packages that the bundles hold which are shipped. */
function licences() {
  const shipped = ['qanat', 'supervisor'].map(name => metafile.outputs[`${folder}/${name}.cjs`])
  const sources = shipped.flatMap(({ inputs }) => Object.keys(inputs))
  const packages = sources.flatMap(path => path.match(/^(.*node_modules\/(@[^/]+\/)?[^/]+)\//)?.[1] ?? [])
  const texts = [...new Set(packages)].sort().map(folder => {
    const name = readdirSync(folder).find(each => /^licen[cs]e/i.test(each))
    return `${folder.replace(/^.*node_modules\//, '')}\n\n${readFileSync(`${folder}/${name}`, 'utf8').trim()}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
