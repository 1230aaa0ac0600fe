// reused-process.js PROGRAM COMPILED: runs one command of the program after another, as messages name them. Each evaluates
// the bundle anew and has words, a folder and an environment of its own; only Node's start and the compilation are shared.
// What is compiled after the first command is kept in a file for other such processes.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

const [program, compiled] = process.argv.slice(2)
const bundle = join(dirname(program), '../dist/qanat.cjs')
const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined
const script = new Script(readFileSync(bundle, 'utf8'), { filename: bundle, cachedData })
const require = createRequire(bundle)

const globals = new Set(Reflect.ownKeys(globalThis))
const { emit, exit, reallyExit } = process
const openFiles = () => readdirSync('/dev/fd').length
let filesBefore = 0
let moment

/**
 * A command exits as soon as it has printed all, even if a process that it has started is still ending. Here it waits a
 * moment for that process, so that this one can be reused.
 */
process.exit = code => {
  if (code !== undefined) exit.call(process, code)
  moment = setTimeout(() => exit.call(process), 500).unref()
}

process.on('message', ({ args, folder, environment }) => {
  // From now on the process lives as long as the command does.
  process.channel.unref()
  process.chdir(folder)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
  process.argv = [process.execPath, program, ...args]
  process.exitCode = undefined
  filesBefore = openFiles()
  script.runInThisContext()(require, { exports: {} }, dirname(bundle))
  process.on('beforeExit', end)
})

/** Node would exit now, and does where the command has left anything open. Otherwise all traces of it are removed. */
function end() {
  clearTimeout(moment)
  if (openFiles() > filesBefore) exit.call(process)
  const code = process.exitCode ?? 0
  // A package that the program uses replaces these.
  Object.assign(process, { emit, reallyExit })
  process.emit('exit', code)
  for (const name of process.eventNames()) {
    if (name !== 'message' && name !== 'internalMessage') process.removeAllListeners(name)
  }
  for (const name of Reflect.ownKeys(globalThis)) if (!globals.has(name)) Reflect.deleteProperty(globalThis, name)
  process.chdir('/')
  if (!existsSync(compiled)) {
    writeFileSync(`${compiled}.${process.pid}`, script.createCachedData())
    renameSync(`${compiled}.${process.pid}`, compiled)
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error')
    stream.write(`\0${code}\0`)
  }
  process.channel.ref()
}
