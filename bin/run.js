#!/usr/bin/env node
// Starts the bundled program from its form compiled by V8, which halves the time of a start. It is CommonJS (package.json
// beside it says so), since a start with ES modules takes 6 ms longer.
const { createHash } = require('node:crypto')
const { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { Script } = require('node:vm')

const program = join(__dirname, '../dist/qanat.cjs')
// The bundle is ASCII: as Latin-1 it is read at once, without a search for longer characters.
const source = readFileSync(program, 'latin1')
const cacheFile = placeOfCache(homeFolder())
const cachedData = readCache()
const script = new Script(`(function (require, __dirname) {${source}\n})`, { filename: program, cachedData })
script.runInThisContext()(createRequire(program), dirname(program))

// The functions compiled so far are cached for all commands; after --version these would be too few.
if (cacheFile && (!cachedData || script.cachedDataRejected) && process.argv[2] !== '--version') {
  process.once('exit', () => writeCache(script.createCachedData()))
}

/** Absolute path of the compiled form; undefined if the user has no cache folder. */
function placeOfCache(home) {
  const key = readFileSync(`${dirname(program)}/qanat.key`, 'utf8')
  const folder = process.env.XDG_CACHE_HOME || join(home, '.cache')
  return isAbsolute(folder) ? join(folder, 'qanat', `${key}-${process.version}-${process.arch}.bin`) : undefined
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
function readCache() {
  try {
    const file = readFileSync(cacheFile)
    const data = file.subarray(32)
    return digestOf(data).equals(file.subarray(0, 32)) ? data : undefined
  } catch {}
}

function writeCache(data) {
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
