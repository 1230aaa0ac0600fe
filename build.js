// Bundles the program into dist/, one file for each process that it starts, and writes beside them the commands for the
// completion, the pages of `view`, and schemas for editors. Files are replaced by renaming, which does not disturb a running program. With
// --faults, the bundle goes into dist-faults/ and can be killed at the points in src/system/fault-point.ts.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { build, transform } from 'esbuild'

const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'))
const faults = process.argv.includes('--faults')
const folder = faults ? 'dist-faults' : 'dist'
const shipped = ['qanat', 'lists', 'commands', 'stop', 'parquet', 'plots']
const output = {
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
}
/** Where the program is loaded, only `require` finds other files. */
const commonJs = { format: 'cjs', supported: { 'dynamic-import': false } }
const options = {
  ...output,
  outdir: folder,
  bundle: true,
  // This package would search for the database's addon, whose path we know.
  external: ['bindings'],
  // For Node.js these need another package or read files; for browsers they do not, and plots have all their data.
  alias: Object.fromEntries(
    ['vega-canvas', 'vega-loader'].map(name => [name, `./node_modules/${name}/build/${name}.browser.js`]),
  ),
  plugins: [
    { name: 'no messages for developers', setup: leaveOutDebug },
    { name: 'no plugins', setup: leaveOutPlugins },
    { name: 'no search for colours', setup: leaveOutColourSearch },
    { name: 'oclif on demand', setup: loadOclifLazily },
    { name: 'parquet and plots apart', setup: loadLater },
  ],
  define: {
    'import.meta.dirname': '__dirname',
    PROGRAM: JSON.stringify({ version, description }),
    // Without --faults, this removes all calls of fault points.
    ...(!faults && { 'process.env.QANAT_FAULT': 'undefined' }),
  },
  loader: { '.sh': 'text', '.py': 'text' },
  metafile: true,
  write: false,
}
const program = await build({ ...options, entryPoints: { qanat: 'src/main.ts' }, format: 'esm', splitting: true })
const others = await build({
  ...options,
  ...commonJs,
  entryPoints: {
    stop: 'src/runners/local/stop.ts',
    parquet: 'src/views/render/parquet.ts',
    plots: 'src/views/plots/engine.ts',
    surface: 'src/surface.ts',
    schemas: 'bin/packaging/editor-schemas.mts',
  },
  outExtension: { '.js': '.cjs' },
})
const inReports = await build({
  entryPoints: ['src/pages/tables.js'],
  ...{ bundle: true, minify: true, format: 'iife', target: 'es2022', charset: 'utf8', write: false },
})
const texts = {
  ...(await joined(program)),
  ...Object.fromEntries(others.outputFiles.map(({ path, text }) => [basename(path, '.cjs'), text])),
}
const bundles = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, ascii(text)]))
for (const name of shipped) bundles[name] = asFunction(bundles[name])

for (const name of ['schemas', 'pages']) mkdirSync(`${folder}/${name}`, { recursive: true })
const printed = name => execFileSync(process.execPath, ['-'], { input: bundles[name], encoding: 'utf8' })
const surface = printed('surface')
const { commands, shortNames } = JSON.parse(surface)
const key = createHash('sha256')
  .update(shipped.map(name => bundles[name]).join(''))
  .digest('hex')
  .slice(0, 16)
const start = { key, commands: [...Object.keys(commands), ...Object.keys(shortNames), 'completion complete', 'help'] }
const files = [
  ...shipped.map(name => ({ path: `${folder}/${name}.cjs`, contents: bundles[name] })),
  { path: `${folder}/start.json`, contents: JSON.stringify(start) },
  { path: `${folder}/surface.json`, contents: surface },
  { path: `${folder}/LICENSES.txt`, contents: licences() },
  { path: `${folder}/manual.json`, contents: JSON.stringify(manual()) },
  ...['bash', 'zsh', 'fish'].map(shell => ({
    path: `${folder}/qanat.${shell}`,
    contents: readFileSync(`src/cli/completion/qanat.${shell}`),
  })),
  ...readdirSync('src/pages')
    .filter(name => !name.endsWith('.d.ts'))
    .map(name => ({
      path: `${folder}/pages/${name}`,
      // Of a report, this is the only script.
      contents: name === 'tables.js' ? inReports.outputFiles[0].text : readFileSync(`src/pages/${name}`),
    })),
  ...Object.entries(JSON.parse(printed('schemas'))).map(([name, schema]) => ({
    path: `${folder}/schemas/${name}.json`,
    contents: `${JSON.stringify(schema, null, 2)}\n`,
  })),
]
for (const { path, contents } of files) {
  writeFileSync(`${path}.${process.pid}`, contents)
  renameSync(`${path}.${process.pid}`, path)
}

/** The pages of the documentation for `qanat help` and `view`, see src/views/manual/pages.ts. */
function manual() {
  const paths = readdirSync('docs', { recursive: true }).filter(path => path.endsWith('.md') && path !== 'README.md')
  return paths.sort().map(path => {
    const text = readFileSync(`docs/${path}`, 'utf8').replace(/^<!--.*?-->\n/gms, '')
    const section = basename(dirname(path))
    const name = basename(path, '.md')
    return {
      topic: section === 'commands' ? name.replaceAll('-', ' ') : name.replace(/^\d+-/, ''),
      section: section === '.' ? name : section,
      title: /^# (.*)/m.exec(text)[1].replaceAll('`', ''),
      text,
    }
  })
}

/** What packages tell their developers if the variable DEBUG asks for it. */
function leaveOutDebug(build) {
  const contents = `const silent = () => Object.assign(() => {}, { enabled: false, extend: silent })
module.exports = Object.assign(silent, { formatters: {} })`
  build.onLoad({ filter: /node_modules\/debug\// }, () => ({ contents }))
}

/** oclif searches for plugins with these. We have none. */
function leaveOutPlugins(build) {
  const filter = /node_modules\/(tinyglobby|minimatch|lilconfig)\//
  build.onLoad({ filter }, () => ({ contents: 'module.exports = {}' }))
}

/** chalk finds out how many colours a terminal has, for which it loads modules of Node.js. We tell it. */
function leaveOutColourSearch(build) {
  const contents = 'export default { stdout: false, stderr: false }'
  build.onLoad({ filter: /\/chalk\/source\/vendor\/supports-color\/index\.js$/ }, () => ({ contents }))
}

/** oclif loads each of its modules where that is used first, as a list of experiments uses few of them. */
function loadOclifLazily(build) {
  // Of its package.json, only the version is read.
  build.onLoad({ filter: /@oclif\/core\/package\.json$/ }, ({ path }) => {
    const { version } = JSON.parse(readFileSync(path, 'utf8'))
    return { contents: JSON.stringify({ version }), loader: 'json' }
  })
  const imported = /^(?:const|var) (\w+_\d+) = ((?:__importDefault\()?require\("[^"]+"\)\)?);$/gm
  build.onLoad({ filter: /@oclif\/core\/lib\/.*\.js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8')
    const calls = new Map([...text.matchAll(imported)].map(([, name, call]) => [name, `(${call})`]))
    return { contents: text.replace(imported, '').replace(/\b\w+_\d+\b/g, name => calls.get(name) ?? name) }
  })
}

/**
 * Joins modules that import each other, in which each becomes a function that is called when it is needed first: V8 neither
 * compiles nor caches the code of other commands. What every start and a Tab need is a file of its own, and so is what lists
 * of experiments and runs need besides.
 */
async function joined({ outputFiles, metafile: { outputs } }) {
  const functions = outputFiles.map(async ({ path, text }) => {
    const { code } = await transform(text, { ...output, ...commonJs })
    return [basename(path), `"./${basename(path)}"(require,module,exports){${onDemand(code)}\n}`]
  })
  const byName = new Map(await Promise.all(functions))
  const paths = Object.keys(outputs)
  const left = new Set(paths)
  const take = path => {
    if (!left.delete(path)) return []
    const imports = outputs[path].imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
    return [byName.get(basename(path)), ...imports.flatMap(imported => take(imported.path))]
  }
  const object = functions => `{${functions.join(',\n')}}`
  const pathOf = name => paths.find(path => outputs[path].entryPoint === `src/${name}.ts`)
  const needed = names => object(names.flatMap(name => take(pathOf(name))))
  const always = ['main', 'cli/completion/complete', 'cli/completion/kinds']
  const context = ['cli/configuration', 'cli/context']
  const lists = ['experiment/list', 'experiment/status', 'run/runs', 'status'].map(name => `commands/${name}`)
  return {
    qanat: `const modules=${needed(always)},loaded={}
function load(name){if(!/^\\.\\/.*\\.js$/.test(name))return require(name)
if(!loaded[name]){loaded[name]={exports:{}};find(name)(load,loaded[name],loaded[name].exports)}
return loaded[name].exports}
function find(name){return modules[name]??require("./lists.cjs")[name]??require("./commands.cjs")[name]}
load("./qanat.js")
`,
    lists: `module.exports=${needed([...context, ...lists])}\n`,
    commands: `module.exports=${object([...left].flatMap(take))}\n`,
  }
}

/** Modules are loaded where they are used first, but for those of Node.js that each command uses. */
function onDemand(code) {
  const required = /\b(import_(?:node_(?!fs\b|path\b)|chunk_)\w+)=(require\("[^"]+"\))/g
  const calls = new Map([...code.matchAll(required)].map(([, name, call]) => [name, `(${name}??=${call})`]))
  return code.replace(required, '$1').replace(/\bimport_\w+(?=\.)/g, name => calls.get(name) ?? name)
}

/**
 * As a script, whose `this` is the global object, the text is a function of what a module gets, which bin/run.js calls: V8
 * would make a copy of a text that is put together. As a module, it calls itself.
 */
function asFunction(code) {
  const parameters = 'require,module,__dirname'
  return `(f=>this===globalThis?f:f(${parameters}))(function(${parameters}){${code}\n})\n`
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
  const outputs = Object.entries({ ...program.metafile.outputs, ...others.metafile.outputs })
  const isShipped = path => path.endsWith('.js') || shipped.includes(basename(path, '.cjs'))
  const sources = outputs.flatMap(([path, { inputs }]) => (isShipped(path) ? Object.keys(inputs) : []))
  const packages = sources.flatMap(path => path.match(/^(.*node_modules\/(@[^/]+\/)?[^/]+)\//)?.[1] ?? [])
  const texts = [...new Set(packages)].sort().map(folder => {
    const name = readdirSync(folder).find(each => /^licen[cs]e/i.test(each))
    return `${folder.replace(/^.*node_modules\//, '')}\n\n${readFileSync(`${folder}/${name}`, 'utf8').trim()}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
