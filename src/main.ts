import { constants } from 'node:os'
import type { CommandClass } from './cli/base-command.js'
import { type Globals, takeGlobals } from './cli/parse/globals.js'
import { userAgent } from './cli/user-agent.js'
import { commands, purposes, shortNames, topics } from './commands/index.js'
import { ExitCode } from './errors.js'
import { requireWholeOutput } from './system/output/whole-output.js'

// The code of a command is loaded when it is called, so that each start reads and runs as little as possible.

/**
 * Finds the command that the first words name and starts it with the rest.
 * @param globals the options before it
 * @param context the option `--context` before it, which is the command's own
 */
async function main(argv: string[], globals: Globals, context: readonly string[]): Promise<void> {
  const [first, second] = argv
  if (first === '--version' || first === '-v') {
    process.stdout.write(`${userAgent}\n`)
    return
  }
  if (first === undefined) {
    const { default: overview } = await import('./commands/overview.js')
    return start(overview, '', [...context], globals)
  }
  if (first === '--help' || first === '-h' || first === 'help') return help(argv.slice(1))
  if (first === 'completion' && second === 'complete') {
    const { complete } = await import('./cli/completion/complete.js')
    process.stdout.write(await complete(argv.slice(3)))
    return
  }
  const words = [`${first} ${second}`, first].find(
    candidate => Object.hasOwn(commands, candidate) || Object.hasOwn(shortNames, candidate),
  )
  if (words === undefined) {
    if (Object.hasOwn(topics, first) && (second === undefined || second === '--help' || second === '-h'))
      return help([first])
    return refuse(argv)
  }
  const name = shortNames[words] ?? words
  const taken = takeGlobals(argv.slice(words.split(' ').length))
  const rest = [...context, ...taken.context, ...taken.rest]
  const { default: command } = await commands[name]!()
  if (asksForHelp(rest, command.passesOn)) return help([words])
  await start(command, name, rest, { ...globals, ...taken.globals })
}

async function start(command: CommandClass, name: string, rest: string[], globals: Globals): Promise<void> {
  const { configuration } = await import('./cli/configuration.js')
  command.id = name
  await command.start(rest, configuration(), globals)
}

/** @param passesOn whether the words after the first argument belong to a script, even --help */
function asksForHelp(rest: readonly string[], passesOn: boolean): boolean {
  const end = rest.findIndex(word => word === '--' || (passesOn && !word.startsWith('-')))
  const ours = end === -1 ? rest : rest.slice(0, end)
  return ours.includes('--help') || ours.includes('-h')
}

async function help(words: readonly string[]): Promise<void> {
  const name = words.join(' ')
  const known = [commands, shortNames, topics].flatMap(words => Object.keys(words))
  if (name !== '' && !known.includes(name)) {
    const { showManual } = await import('./cli/manual.js')
    return showManual(words, known)
  }
  const { showHelp } = await import('./cli/help/show-help.js')
  await showHelp({ commands, shortNames, topics, purposes }, name)
}

async function refuse(words: readonly string[]): Promise<never> {
  const { unknownCommand } = await import('./cli/unknown-command.js')
  const known = [...Object.keys(commands), ...Object.keys(shortNames)]
  throw unknownCommand(words, { commands: known, topics: Object.keys(topics) })
}

// What a command in the script of a group starts is not a part of that group: see system/processes/marked.ts.
delete process.env.QANAT_MARK

const { globals, context, rest: argv } = takeGlobals(process.argv.slice(2))
let isDone = false
let isStderrUsed = false
noteStderr()
main(argv, globals, context)
  .catch(async (error: unknown) => {
    const { showError } = await import('./cli/explain.js')
    showError(error, argv.includes('--json'))
  })
  .finally(() => {
    isDone = true
    setImmediate(exitIfPrinted)
  })

/** Without this, the end of a command waits for threads of V8 that still compile code and collect garbage. */
function exitIfPrinted(): void {
  if (process.stdout.writableLength + (isStderrUsed ? process.stderr.writableLength : 0) === 0) process.exit()
}

/** Most commands write nothing on stderr. Node makes the stream when it is first asked for, which takes 2 ms. */
function noteStderr(): void {
  const { get, ...stderr } = Object.getOwnPropertyDescriptor(process, 'stderr')!
  const noted = () => {
    isStderrUsed = true
    return get!.call(process)
  }
  Object.defineProperty(process, 'stderr', { ...stderr, get: noted })
}

// Node exits with 0 if all pending promises can never resolve: that must not look like success.
process.on('beforeExit', () => {
  if (isDone) return
  process.stderr.write('Error: the command ended before its work was done; this is a bug of Qanat\n')
  process.exitCode = ExitCode.failed
  isDone = true
})

process.stdout.on('error', endUnwritten)
requireWholeOutput(process.stdout, endUnwritten)

function endUnwritten(error: NodeJS.ErrnoException): never {
  // The reader of the output has gone (as in `qanat … | head -1`): there is nobody to report to.
  if (error.code === 'EPIPE') process.exit(0)
  // Node.js has no name for a quota that is used up (EDQUOT).
  const reason = error.errno === -constants.errno.EDQUOT ? 'the disk quota is used up' : error.message
  process.stderr.write(`Error: the output could not be written: ${reason}\n`)
  process.exit(ExitCode.failed)
}
