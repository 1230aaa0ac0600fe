// Bundles the program into dist/, one file for each process that it starts, and writes beside them the commands for the
// completion, the pages of `view`, and schemas for editors. Files are replaced by renaming, which does not disturb a running program. With
// --faults, the bundle goes into dist-faults/ and can be killed at the points in src/system/fault-point.ts.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'))
const faults = process.argv.includes('--faults')
const folder = faults ? 'dist-faults' : 'dist'
const shipped = ['qanat', 'supervisor', 'parquet', 'plots']
const { outputFiles, metafile } = await build({
  entryPoints: {
    qanat: 'src/main.ts',
    supervisor: 'src/runners/local/supervisor.ts',
    parquet: 'src/views/render/parquet.ts',
    plots: 'src/views/plots/engine.ts',
    surface: 'src/surface.ts',
    schemas: 'bin/packaging/editor-schemas.mts',
  },
  outdir: folder,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // This package would search for the database's addon, whose path we know.
  external: ['bindings'],
  // For Node.js these need another package or read files; for browsers they do not, and plots have all their data.
  alias: Object.fromEntries(
    ['vega-canvas', 'vega-loader'].map(name => [name, `./node_modules/${name}/build/${name}.browser.js`]),
  ),
  plugins: [
    { name: 'no editor', setup: leaveOutEditor },
    { name: 'parquet and plots apart', setup: loadLater },
  ],
  // Where the program is loaded, only `require` finds other files.
  supported: { 'dynamic-import': false },
  define: {
    'import.meta.dirname': '__dirname',
    PROGRAM: JSON.stringify({ version, description }),
    // Without --faults, this removes all calls of fault points.
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

for (const name of ['schemas', 'pages']) mkdirSync(`${folder}/${name}`, { recursive: true })
const bundle = name => {
  const { path, text } = outputFiles.find(({ path }) => path.endsWith(`/${name}.cjs`))
  return { path, contents: ascii(text) }
}
const printed = name => execFileSync(process.execPath, ['-'], { input: bundle(name).contents, encoding: 'utf8' })
const compiled = createHash('sha256').update(bundle('qanat').contents).update(bundle('plots').contents)
const key = compiled.digest('hex').slice(0, 16)
const notes = [
  { path: `${folder}/qanat.key`, contents: key },
  { path: `${folder}/surface.json`, contents: printed('surface') },
  { path: `${folder}/LICENSES.txt`, contents: licences() },
  ...['bash', 'zsh', 'fish'].map(shell => ({
    path: `${folder}/qanat.${shell}`,
    contents: readFileSync(`src/cli/completion/qanat.${shell}`),
  })),
  ...readdirSync('src/pages')
    .filter(name => !name.endsWith('.d.ts'))
    .map(name => ({
      path: `${folder}/pages/${name}`,
      contents: readFileSync(`src/pages/${name}`),
    })),
  ...Object.entries(JSON.parse(printed('schemas'))).map(([name, schema]) => ({
    path: `${folder}/schemas/${name}.json`,
    contents: `${JSON.stringify(schema, null, 2)}\n`,
  })),
]
for (const { path, contents } of [...shipped.map(bundle), ...notes]) {
  writeFileSync(`${path}.${process.pid}`, contents)
  renameSync(`${path}.${process.pid}`, path)
}

/** inquirer's prompt that opens an editor brings tables of character sets, a quarter of the program. We open editors ourselves. */
function leaveOutEditor(build) {
  const contents = `export const editAsync = () => { throw new Error('Qanat asks nothing in an editor') }`
  build.onLoad({ filter: /@inquirer\/external-editor\// }, () => ({ contents }))
}

/** What writes Parquet and what draws plots, a third of the program, are bundles that only commands load which need them. */
function loadLater(build) {
  build.onResolve({ filter: /\/render\/parquet\.js$/ }, () => ({ path: './parquet.cjs', external: true }))
  build.onResolve({ filter: /\/engine\.js$/ }, () => ({ path: './plots.cjs', external: true }))
}

/** Code without other characters takes half as long to read. esbuild leaves those in regular expressions as they are. */
function ascii(code) {
  return code.replace(/[^\0-\x7f]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The licences of the packages in the shipped bundles. */
function licences() {
  const sources = shipped.flatMap(name => Object.keys(metafile.outputs[`${folder}/${name}.cjs`].inputs))
  const packages = sources.flatMap(path => path.match(/^(.*node_modules\/(@[^/]+\/)?[^/]+)\//)?.[1] ?? [])
  const texts = [...new Set(packages)].sort().map(folder => {
    const name = readdirSync(folder).find(each => /^licen[cs]e/i.test(each))
    return `${folder.replace(/^.*node_modules\//, '')}\n\n${readFileSync(`${folder}/${name}`, 'utf8').trim()}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
