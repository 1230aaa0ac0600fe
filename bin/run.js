#!/usr/bin/env node
// Starts the bundled program from its form compiled by V8, which halves the time of a start. It is CommonJS (package.json
// beside it says so), since a start with ES modules takes 6 ms longer.
const { createHash } = require('node:crypto')
const { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { Script } = require('node:vm')

const dist = join(__dirname, '../dist')
// The key of the compiled forms: V8 itself would accept stale ones of the same length.
const key = readFileSync(`${dist}/qanat.key`, 'utf8')
const cacheFolder = placeOfCache(homeFolder())
const requireFile = createRequire(`${dist}/qanat.cjs`)
/** What draws plots is half as large as the program, and is started in the same way. */
const requireFrom = Object.assign(path => (path === './plots.cjs' ? loadPlots() : requireFile(path)), requireFile)
let plots
// The functions compiled so far are cached for all commands; after --version these would be too few.
load('qanat', process.argv[2] !== '--version')

/** What a bundle exports. @param isKept whether its compiled form is cached if it is not yet */
function load(name, isKept) {
  const filename = `${dist}/${name}.cjs`
  // The bundles are ASCII: as Latin-1 they are read at once, without a search for longer characters.
  const source = readFileSync(filename, 'latin1')
  const file = cacheFolder && join(cacheFolder, `${name}-${key}-${process.version}-${process.arch}.bin`)
  const cachedData = readCache(file)
  const script = new Script(`(function (require, module, __dirname) {${source}\n})`, { filename, cachedData })
  const module = { exports: {} }
  script.runInThisContext()(requireFrom, module, dist)
  if (file && isKept && (!cachedData || script.cachedDataRejected)) {
    process.once('exit', () => writeCache(file, script.createCachedData()))
  }
  return module.exports
}

function loadPlots() {
  plots ??= load('plots', true)
  return plots
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

/** V8 does not check the data and would crash if they are damaged: a digest in front of them is checked first. */
function readCache(cacheFile) {
  try {
    const file = readFileSync(cacheFile)
    const data = file.subarray(32)
    return digestOf(data).equals(file.subarray(0, 32)) ? data : undefined
  } catch {}
}

function writeCache(cacheFile, data) {
  const temporary = `${cacheFile}.${process.pid}`
  try {
    const folder = dirname(cacheFile)
    // Not `recursive`, which never ends if the kernel makes no folders, as below /proc or the root of an automounter.
    for (const each of [dirname(folder), folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 })
    writeFileSync(temporary, Buffer.concat([digestOf(data), data]))
    renameSync(temporary, cacheFile)
  } catch {
    remove(temporary)
  }
}

function remove(path) {
  try {
    rmSync(path, { force: true })
  } catch {}
}

function digestOf(data) {
  return createHash('sha256').update(data).digest()
}
