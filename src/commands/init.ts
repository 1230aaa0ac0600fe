import { join, resolve } from 'node:path'
import { Args, Flags } from '../cli/arguments.js'
import { QanatCommand } from '../cli/base-command.js'
import { openWorkspace } from '../cli/context.js'
import { askForSettings } from '../cli/prompts.js'
import { takeUpProject } from '../operations/project/existing-project.js'
import { initProject } from '../operations/project/init-project.js'
import { existingText, newProjectText } from '../views/init.js'

export default class Init extends QanatCommand {
  static override summary = 'Start a project in this folder'
  static override description =
    'Qanat makes .qanat/ in the folder, a git repository if there is none, and a commit of what it made. In a clone of a project it makes the database.'
  static override topics = ['your-script']
  static override examples = ['qanat init', 'qanat init iris --yes']
  static override args = { dir: Args.string({ description: 'the folder', completes: 'folders', default: '.' }) }
  static override flags = { yes: Flags.boolean({ char: 'y', description: 'do not ask, use the defaults' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Init)
    const folder = resolve(args.dir)
    const home = process.env.HOME ?? ''
    const template = join(this.config.root, '.qanat-template')
    const existing = await takeUpProject(folder, template, root => openWorkspace(root, this.quiet))
    if (existing) return this.say(existingText(existing, home))
    const defaults = { resultDir: 'results', defaultEditor: '' }
    const answers = flags.yes ? defaults : await askForSettings(folder, defaults)
    const made = await initProject(folder, template, { ...answers, defaultEditor: answers.defaultEditor || null })
    this.say(newProjectText(folder, made, home))
  }
}
