import { once } from 'node:events'
import { Command } from '@oclif/core/command'
import type { Config } from '@oclif/core/config'
import type * as Interfaces from '@oclif/core/interfaces'
import { halves, underscored } from '../domain/options/spelled.js'
import type { Broken } from '../operations/registry/follow-definitions.js'
import type { Workspace } from '../operations/workspace.js'
import { findProject, type Project } from '../project/find-project.js'
import type { Store } from '../store/store.js'
import { refuseUndecoded } from '../system/undecoded.js'
import { displayable, jsonText } from '../views/format/displayable.js'
import { leaveOutSymbols, type Style, styleOf } from '../views/format/style.js'
import { showError, showWarning, withWarnings } from './explain.js'
import { missingArgument, missingOf } from './missing-argument.js'
import { openStore } from './open-store.js'
import type { Output } from './output.js'
import { flagsOf } from './parse/flags.js'
import { type Globals, globalOptions } from './parse/globals.js'

type Constructor = new (argv: string[], config: Config) => QanatCommand

/** A command that can be started. */
export type CommandClass = Constructor & Pick<typeof QanatCommand, keyof typeof QanatCommand>

/** What every command shares: opening the project, and how errors are shown and counted. */
export abstract class QanatCommand extends Command {
  /** Whether the words after its first argument are passed on to a script, even `--help`. */
  static passesOn = false

  // oclif has none, not even an empty list, where a command declares none.
  static override examples: Command.Example[] = []

  /** Topics of `qanat help` that say more. */
  static topics: readonly string[] = []

  static override baseFlags = flagsOf(globalOptions)

  /** Whether only the result and errors are printed. */
  protected quiet = false
  private opened: Workspace | null = null
  private openedStore: Store | null = null

  /** Replaces oclif's `run`, which would read its configuration from the disk again. */
  static async start(this: Constructor, argv: string[], config: Config, globals: Globals): Promise<void> {
    refuseUndecoded()
    const command = new this(argv, config)
    command.obey(globals)
    await command._run()
  }

  /** Keeps to global options, wherever they were given. */
  protected obey({ quiet, no_emoji: withoutSymbols }: Globals): void {
    if (quiet) this.quiet = true
    if (withoutSymbols) leaveOutSymbols()
  }

  /**
   * The project of the current folder.
   * @param context where it launches runs, if another one than usual was asked for
   * @throws NotAProjectError outside of one
   */
  protected async workspace(context?: string): Promise<Workspace> {
    const { openWorkspace } = await import('./context.js')
    this.opened ??= await openWorkspace(process.cwd(), this.quiet, this.openedStore, context)
    return this.opened
  }

  /** The same, not opened: only paths and the names of runners. @throws NotAProjectError outside of one */
  protected async project(): Promise<Project> {
    const { runnerNames } = await import('../runners/index.js')
    return findProject(process.cwd(), runnerNames)
  }

  /** Only its paths. @throws NotAProjectError outside of one */
  protected place(): Project {
    return findProject(process.cwd(), [])
  }

  /** Only its database, for lists, which need no settings. @throws NotAProjectError outside of one */
  protected async store(): Promise<Store> {
    this.openedStore ??= await openStore(this.place(), showWarning)
    return this.openedStore
  }

  /** How to write on stdout. */
  protected get screen(): Style {
    return styleOf(process.stdout)
  }

  /** The same for what may not need it: what is wrong with it is said only then. */
  protected async storeLater(): Promise<() => Store> {
    try {
      const store = await this.store()
      return () => store
    } catch (error) {
      return () => {
        throw error
      }
    }
  }

  /** Warns of definitions that cannot be used now. */
  protected warnOfBroken(broken: readonly Broken[]): void {
    for (const { message, isKnown } of broken)
      showWarning(isKnown ? `${message}; it is shown as it was before` : message)
  }

  /** How to write on stdout, for lists: on a terminal the settings say whether there are symbols. */
  protected async style(): Promise<Style> {
    if (process.stdout.isTTY) {
      const { wantsEmoji } = await import('../project/config.js')
      if (!wantsEmoji(this.place().root)) leaveOutSymbols()
    }
    return styleOf(process.stdout)
  }

  /** Says what was done and what comes next, unless `--quiet` or `--json` was given. */
  protected say(text: string): void {
    if (!this.quiet) this.print(text)
  }

  /** Prints the result unless `--json` was given; then stdout gets only the returned value. */
  protected print(text: string): void {
    if (text !== '' && !this.jsonEnabled()) process.stdout.write(`${displayable(text.replace(/\n$/, ''))}\n`)
  }

  /** The same piece by piece, as fast as they are read, so that few of them are in memory. */
  protected async printPieces(pieces: Iterable<string>): Promise<void> {
    if (this.jsonEnabled()) return
    for (const piece of pieces) if (!process.stdout.write(displayable(piece))) await once(process.stdout, 'drain')
  }

  /** Replaces oclif's, which lets some control characters through. */
  protected override logJson(json: unknown): void {
    process.stdout.write(`${jsonText(withWarnings(json))}\n`)
  }

  /** Where this command and its scripts print: stderr if stdout is for JSON. */
  protected output(): Output {
    return {
      print: text => this.print(text),
      say: text => this.say(text),
      quiet: this.quiet,
      scriptOutput: this.jsonEnabled() ? 'stderr' : 'stdout',
    }
  }

  /** Options may be written with hyphens instead of underscores. What is piped into a command is no argument of it. */
  protected override async parse<
    Flags extends Interfaces.OutputFlags<Flags>,
    BaseFlags extends Interfaces.OutputFlags<BaseFlags>,
    Args extends Interfaces.OutputArgs<Args>,
  >(
    options?: Interfaces.Input<Flags, BaseFlags, Args>,
    argv: readonly string[] = this.argv,
  ): Promise<Interfaces.ParserOutput<Flags, BaseFlags, Args>> {
    const { args = {}, flags, baseFlags, enableJsonFlag } = options ?? {}
    const declared = { ...options, args: withoutInput(args), flags, baseFlags, enableJsonFlag }
    const parsed = await super.parse(
      declared as Interfaces.Input<Flags, BaseFlags, Args>,
      withUnderscores(argv, { ...baseFlags, ...flags }),
    )
    this.obey(parsed.flags as Globals)
    return parsed
  }

  protected override async catch(error: unknown): Promise<void> {
    this.parsed = true
    const flags = Object.keys({ ...QanatCommand.baseFlags, ...this.ctor.flags })
    const [first] = this.ctor.examples
    const example = (typeof first === 'string' ? first : first?.command) ?? null
    const missing = missingOf(error)
    const shown = missing === null ? error : missingArgument(missing, example, await this.storeIfAny())
    showError(shown, this.jsonEnabled(), flags)
  }

  /** Null outside of a project, and if its database cannot be read now. */
  private async storeIfAny(): Promise<Store | null> {
    try {
      return await this.store()
    } catch {
      return null
    }
  }

  protected override async finally(error: Error | undefined): Promise<void> {
    await this.opened?.leaveSites()
    this.opened?.store.close()
    this.openedStore?.close()
    return super.finally(error)
  }
}

/** Without this, oclif reads standard input for an argument that is missing, also in a loop that reads from it. */
function withoutInput(args: Interfaces.ArgInput): Interfaces.ArgInput {
  return Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, { ...arg, ignoreStdin: true }]))
}

/** Rewrites only the names of declared options, since `--foo-bar` may also be a value. */
function withUnderscores(argv: readonly string[], flags: Interfaces.FlagInput): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  let isValue = false
  return argv.map((word, at) => {
    const ours = isValue || at >= end ? '' : underscored(word)
    const { stem, attached } = halves(ours)
    const flag = stem.startsWith('--')
      ? flags[stem.slice(2)]
      : Object.values(flags).find(({ char }) => char !== undefined && stem === `-${char}`)
    isValue = flag?.type === 'option' && attached === undefined
    return flag && stem.startsWith('--') ? ours : word
  })
}
