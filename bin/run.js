#!/usr/bin/env node
// Starts the bundled program from V8's compiled form of it, which halves the time of a start.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

const program = fileURLToPath(new URL('../dist/qanat.cjs', import.meta.url))
const source = readFileSync(program, 'utf8')
const cacheFile = placeOfCache(homeFolder())
const cachedData = readCache()
const script = new Script(`(function (require, __dirname) {${source}\n})`, { filename: program, cachedData })
script.runInThisContext()(createRequire(program), dirname(program))

// What is compiled by then is kept for all commands; that is too little where only the version was asked for.
if (cacheFile && (!cachedData || script.cachedDataRejected) && process.argv[2] !== '--version') {
  process.once('exit', () => writeCache(script.createCachedData()))
}

/** The file of the compiled form, absolute; undefined where the user has no folder for such things. */
function placeOfCache(home) {
  const key = readFileSync(`${dirname(program)}/qanat.key`, 'utf8')
  const folder = process.env.XDG_CACHE_HOME || join(home, '.cache')
  return isAbsolute(folder) ? join(folder, 'qanat', `${key}-${process.version}-${process.arch}.bin`) : undefined
}

/** A container may be run as a user that nobody knows: its home is / then, as Docker has it, for all that ask for it. */
function homeFolder() {
  try {
    return homedir()
  } catch {
    process.env.HOME = '/'
    return process.env.HOME
  }
}

/** V8 does not look whether the data are damaged, and would crash: their digest stands before them. */
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
    // Not `recursive`, which never ends where the kernel makes no folders, as below /proc or the root of an automounter.
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
