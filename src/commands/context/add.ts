import { Args, Flags } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { insistOnTerminal } from '../../cli/prompts.js'
import { askForLine } from '../../cli/questions/ask.js'
import { refuseEmpty } from '../../cli/questions/checks.js'
import { addContext, contextKeysIn } from '../../operations/project/contexts.js'

export default class ContextAdd extends QanatCommand {
  static override summary = 'Add a context: another machine where runs live'
  static override description = 'It is written to ~/.config/qanat/contexts.yaml, for all your projects.'
  static override topics = ['contexts']
  static override examples = [
    "qanat context add hpc --host hpc --root '$SCRATCH/qanat' --runner slurm",
    'qanat context add hpc -f hpc.yaml',
  ]
  static override args = { name: Args.string({ required: true, description: 'the name of the new context' }) }
  static override flags = {
    file: Flags.string({
      char: 'f',
      description: 'a YAML file with the keys of the context; the other options come before them',
      completes: 'files',
    }),
    host: Flags.string({
      helpValue: '<host>',
      description: 'what ssh takes: an alias of ~/.ssh/config, or user@host',
    }),
    root: Flags.string({
      helpValue: '<folder>',
      description: 'a folder there; $NAME and ~ are expanded there',
    }),
    runner: Flags.string({
      char: 'r',
      description: 'the runner of runs that name none (without it: local)',
      completes: 'runners',
    }),
    shell: Flags.string({
      helpValue: '<words>',
      description: 'the shell that knows where programs are, as in "bash -l"',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContextAdd)
    const { file, host, root, runner, shell } = flags
    const given = { ...(file && contextKeysIn(file, args.name)), ...withoutGaps({ host, root, runner, shell }) }
    const { cluster } = await addContext(await this.project(), args.name, await completed(given))
    this.say(
      cluster
        ? `Added the context ${args.name}. Try it: qanat context test ${args.name}`
        : `Added the context ${args.name}. Log in: qanat context login ${args.name}`,
    )
  }
}

function withoutGaps(given: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** The keys with those that every context needs; a person is asked for them. @throws UserError if there is nobody to ask */
async function completed(given: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const needed = Object.hasOwn(given, 'cluster') ? [] : ['host', 'root']
  const missing = needed.filter(key => !Object.hasOwn(given, key))
  if (missing.length > 0) insistOnTerminal(`give --${missing.join(' and --')}, or a file with -f`)
  const answers: Record<string, string> = {}
  for (const key of missing) answers[key] = await askForLine({ message: questions[key]!, check: refuseEmpty })
  return { ...answers, ...given }
}

const questions: Readonly<Record<string, string>> = {
  host: 'What do you type after ssh to get there?',
  root: 'Which folder there is for runs? ($NAME and ~ are expanded there)',
}
