#!/usr/bin/env node
// Starts the bundled program from its form compiled by V8, which halves the time of a start. It is CommonJS (package.json
// beside it says so), since a start with ES modules takes 6 ms longer.
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')

// V8 would begin to optimize functions within the first tenth of a second, with a compiler that takes 4 MB: it waits until
// they have run 15 times as long. Long commands are as fast as before.
setFlagsFromString('--interrupt-budget=1000000')

const dist = join(__dirname, '../dist')
// The key of the compiled forms: V8 itself would accept stale ones of the same length.
const { key, commands } = JSON.parse(readFileSync(`${dist}/start.json`, 'utf8'))
const cacheFolder = placeOfCache(homeFolder())
const requireFile = createRequire(`${dist}/qanat.cjs`)
const command = calledCommand(process.argv.slice(2))
// A list of runs needs little at a time: a young generation of V8 that does not grow saves it 3 to 5 MB.
if (['runs', 'status', 'experiment-status'].includes(command)) setFlagsFromString('--semi-space-growth-factor=1')
/** Bundles that are loaded in the same way, by the commands that need them. */
const later = { './lists.cjs': 'lists', './commands.cjs': 'commands', './plots.cjs': 'plots' }
const loaded = new Map()
const requireFrom = Object.assign(path => (path in later ? load(later[path]) : requireFile(path)), requireFile)
load('qanat')

/** What a bundle exports. The functions that the command needs are cached for this command alone. */
function load(name) {
  if (!loaded.has(name)) loaded.set(name, started(name))
  return loaded.get(name)
}

function started(name) {
  const filename = `${dist}/${name}.cjs`
  // The bundles are ASCII: as Latin-1 they are read at once, without a search for longer characters.
  const source = readFileSync(filename, 'latin1')
  const file = cacheFolder && join(cacheFolder, `${name}-${command}-${key}-${process.version}-${process.arch}.bin`)
  const cachedData = readCache(file)
  const script = new Script(source, { filename, cachedData })
  const module = { exports: {} }
  script.runInThisContext()(requireFrom, module, dist)
  if (file && (!cachedData || script.cachedDataRejected)) {
    // A command that failed has not called what it usually needs.
    process.once('exit', code => code === 0 && writeCache(file, script.createCachedData()))
  }
  return module.exports
}

/** The command in a line, as a part of a file name: one of a known number. */
function calledCommand(words) {
  if (words.includes('--help') || words.includes('-h')) return 'help'
  const [first, second] = words.filter(word => !word.startsWith('-'))
  const command = [`${first} ${second}`, first].find(each => commands.includes(each))
  return command?.replace(' ', '-') ?? (words.includes('--version') ? 'version' : 'overview')
}

/** Absolute path of the folder of compiled forms; undefined if the user has no cache folder. */
function placeOfCache(home) {
  const folder = process.env.XDG_CACHE_HOME || join(home, '.cache')
  return isAbsolute(folder) ? join(folder, 'qanat') : undefined
}

/** A container may run as an unknown user. Docker sets the home folder of such users to /. */
function homeFolder() {
  try {
    return homedir()
  } catch {
    process.env.HOME = '/'
    return process.env.HOME
  }
}

/**
 * V8 does not check the data and would crash if they are damaged: a file has them twice, and they have to be the same. Without
 * the module for hashes, a start takes 3 ms less.
 */
function readCache(cacheFile) {
  try {
    const file = readFileSync(cacheFile)
    const data = file.subarray(0, file.length / 2)
    return data.equals(file.subarray(file.length / 2)) ? data : undefined
  } catch {}
}

function writeCache(cacheFile, data) {
  const temporary = `${cacheFile}.${process.pid}`
  try {
    const folder = dirname(cacheFile)
    // Not `recursive`, which never ends if the kernel makes no folders, as below /proc or the root of an automounter.
    for (const each of [dirname(folder), folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 })
    writeFileSync(temporary, Buffer.concat([data, data]))
    renameSync(temporary, cacheFile)
    removeUnused(folder)
  } catch {
    remove(temporary)
  }
}

/** Removes what no start has read for a month: the compiled forms of earlier versions, and what a killed start has left. */
function removeUnused(folder) {
  const monthAgo = Date.now() - 30 * 24 * 3_600_000
  const ours = readdirSync(folder).filter(name => /\.bin(\.\d+)?$/.test(name))
  for (const path of ours.map(name => join(folder, name))) if (statSync(path).atimeMs < monthAgo) remove(path)
}

function remove(path) {
  try {
    rmSync(path, { force: true })
  } catch {}
}
