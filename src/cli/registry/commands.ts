import * as Args from '@oclif/core/args'
import type { Command } from '@oclif/core/command'
import * as Flags from '@oclif/core/flags'
import type { Kind, Registered } from '../../operations/registry/kind.js'
import {
  changeDefinition,
  checkRemovable,
  findKnown,
  readRegistered,
  register,
  removeDefinition,
  withRegistry,
} from '../../operations/registry/register.js'
import type { Workspace } from '../../operations/workspace.js'
import { type experimentArgument, fileFlag, yesFlag } from '../arguments.js'
import { QanatCommand } from '../base-command.js'
import { confirm } from '../prompts.js'
import { saveDescription } from '../questions/described.js'

/** A kind of registered things, as the commands on it show it and ask about it. */
export interface CommandKind<Thing extends Registered> {
  readonly kind: Kind<Thing>
  /** The argument that names one. */
  readonly argument: typeof experimentArgument
  /** @param former its name if it is registered already */
  readonly ask: (workspace: Workspace, known: Partial<Thing>, former: string | null) => Promise<Thing>
  /** One that is registered, for programs. */
  readonly json: (workspace: Workspace, thing: Thing) => unknown
  /** What to type once it is registered, after `qanat `. */
  readonly next: (thing: Thing) => string
  /** A topic of help that says more. */
  readonly topic: string
  /** A name of the examples. */
  readonly example: string
}

/** What the help says of one command. */
interface Help {
  readonly summary: string
  readonly description?: string
  readonly topics?: readonly string[]
  readonly examples?: Command.Example[]
}

const titled = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`
const article = (kind: string) => (/^[ae]/.test(kind) ? 'an' : 'a')

/** What a registered thing is called where it was registered from a file, and where it was not. */
function registeredText(kind: string, name: string, file: string, given: string | undefined): string {
  const place = given !== undefined && !file.startsWith('.qanat/') ? '' : ` in ${file}`
  return `${titled(kind)} ${name} registered${place}.`
}

/** The command that registers a thing, from a file or by questions. */
export function newCommand<Thing extends Registered>({ kind, ask, json, next }: CommandKind<Thing>, help: Help) {
  return class New extends QanatCommand {
    static override summary = help.summary
    static override description = help.description ?? 'From a YAML file, or by answering questions.'
    static override topics = help.topics ?? []
    static override examples = help.examples ?? []
    static override enableJsonFlag = true
    static override args = {
      file: Args.string({
        description: `a YAML file with the keys of ${article(kind.name)} ${kind.name}`,
        completes: 'files',
      }),
    }
    static override flags = { file: fileFlag, yes: yesFlag }

    async run(): Promise<unknown> {
      const { args, flags } = await this.parse(New)
      return this.register(flags.file ?? args.file, flags.yes, false)
    }

    /** @param prompt whether to ask even with a file */
    async register(given: string | undefined, yes: boolean, prompt: boolean): Promise<unknown> {
      const workspace = await this.workspace()
      const { thing, file } = await saveDescription(kind, {
        file: given,
        known: null,
        yes,
        prompt,
        ask: known => ask(workspace, known, null),
        save: (wanted, whole) => withRegistry(workspace, () => register(workspace, kind, wanted, whole)),
      })
      this.say(`${registeredText(kind.name, thing.name, file, given)} Next: qanat ${next(thing)}`)
      return json(workspace, thing)
    }
  }
}

/** The command that changes a thing: by a file, perhaps with a few keys, by questions, or its name alone. */
export function updateCommand<Thing extends Registered>(
  { kind, argument, ask, json, topic, example }: CommandKind<Thing>,
  description = '',
) {
  const keys = kind.needed.join(', ').replace(/, (?=\w+$)/, ' or ')
  return class Update extends QanatCommand {
    static override summary = `Change ${article(kind.name)} ${kind.name}`
    static override description = [
      'From a YAML file, or by answering questions. The file that defines it is changed, but for its comments.',
      description,
    ]
      .join(' ')
      .trim()
    static override topics = [topic]
    static override examples = [
      `qanat ${kind.name} update ${example} -f ${kind.name}.yaml`,
      `qanat ${kind.name} update ${example} --name ${example}_2`,
      `qanat ${kind.name} update ${example}`,
    ]
    static override enableJsonFlag = true
    static override args = { name: argument }
    static override flags = {
      file: Flags.string({
        char: 'f',
        description: `YAML as for ${kind.name} new; a file without ${keys} changes only its keys`,
        completes: 'files',
      }),
      name: Flags.string({ description: 'its new name; what belongs to it follows', helpValue: '<name>' }),
      yes: yesFlag,
    }

    async run(): Promise<unknown> {
      const { args, flags } = await this.parse(Update)
      const workspace = await this.workspace()
      const isOnlyName = flags.name !== undefined && flags.file === undefined
      const change = async (hold: typeof withRegistry) => {
        const known = readRegistered(workspace, kind, args.name, flags.name ?? args.name)
        const former = known.was && { was: known.was }
        const named = (thing: Thing): Thing => ({ ...former, ...thing, name: flags.name ?? thing.name })
        const save = (wanted: Thing) =>
          hold(workspace, async () => changeDefinition(workspace, kind, args.name, named(wanted)))
        if (isOnlyName) return save(known)
        const questions = { known, yes: flags.yes, ask: (start: Partial<Thing>) => ask(workspace, start, args.name) }
        return saveDescription(kind, { file: flags.file, ...questions, save })
      }
      // Nobody is waited for while others are kept from the registry.
      const asks = !isOnlyName && flags.file === undefined
      const changed = asks
        ? await change(withRegistry)
        : await withRegistry(workspace, () => change((_, work) => work()))
      const renamed = changed.name === args.name ? '' : ` Its name is ${changed.name} now.`
      this.say(`${titled(kind.name)} ${args.name} updated.${renamed}`)
      return json(workspace, changed)
    }
  }
}

/** The command that takes a thing out of the registry. @param kept what is said of the files that are kept */
export function deleteCommand<Thing extends Registered>(
  { kind, argument, example }: CommandKind<Thing>,
  kept: (thing: Thing) => string,
  { summary, description }: Help,
) {
  return class Delete extends QanatCommand {
    static override summary = summary
    static override description = description
    static override examples = [`qanat ${kind.name} delete ${example}`, `qanat ${kind.name} delete ${example} --yes`]
    static override args = { name: argument }
    static override flags = { yes: yesFlag }

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Delete)
      const workspace = await this.workspace()
      const { name } = args
      checkRemovable(workspace, kind, name)
      const known = kind.table(workspace.store).find(name)
      const question = `Delete ${kind.name} ${name}?${known === null ? '' : kept(known)}`
      if (!(await confirm(question, flags.yes))) return this.say('Kept.')
      const file = await withRegistry(workspace, async () => removeDefinition(workspace, kind, name))
      this.say(`${titled(kind.name)} ${name} deleted${file === null ? '' : `, with ${file}, which defined it`}.`)
    }
  }
}

/** The command that prints what `new -f` reads. */
export function exportCommand<Thing extends Registered>({ kind, argument, topic, example }: CommandKind<Thing>) {
  return class Export extends QanatCommand {
    static override summary = `Print the YAML file of ${article(kind.name)} ${kind.name}`
    static override description = `'qanat ${kind.name} new -f FILE' reads it.`
    static override topics = [topic]
    static override examples = [`qanat ${kind.name} export ${example}`]
    static override args = { name: argument }

    async run(): Promise<void> {
      const { args } = await this.parse(Export)
      const workspace = await this.workspace()
      this.print(kind.toYaml(findKnown(workspace, kind, args.name)))
    }
  }
}
