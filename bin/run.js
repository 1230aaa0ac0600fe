#!/usr/bin/env node
// Starts the bundled program from its form compiled by V8, which halves the time of a start.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

const program = fileURLToPath(new URL('../dist/qanat.cjs', import.meta.url))
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
