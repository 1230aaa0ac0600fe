import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { QanatCommand } from '../cli/base-command.js'
import { askForSettings } from '../cli/prompts.js'
import { NotAProjectError } from '../errors.js'
import { initClone, initProject } from '../operations/project/init-project.js'
import { runFolders } from '../operations/project/rebuild-runs.js'
import { registerDefinitions } from '../operations/registry/definitions.js'
import { checkResultDir } from '../project/config.js'
import { findProject, type Project } from '../project/find-project.js'
import { cloneText, existingText, newProjectText } from '../views/init.js'

export default class Init extends QanatCommand {
  static override summary = 'Make a Qanat project of a folder'
  static override description =
    'Makes .qanat/ there, and a git repository where there is none, and commits just what it made. In a clone of a project it makes the database.'
  static override examples = ['<%= config.bin %> init', '<%= config.bin %> init iris --yes']
  static override args = { dir: Args.string({ description: 'the folder', completes: 'folders', default: '.' }) }
  static override flags = { yes: Flags.boolean({ char: 'y', description: 'take the defaults, do not ask' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Init)
    const folder = resolve(args.dir)
    const existing = existingProject(folder)
    if (existing) {
      const isClone = !existsSync(existing.databaseFile)
      if (!isClone) return this.print(existingText(existing.root))
      initClone(existing.root)
      const { openWorkspace } = await import('../cli/context.js')
      const workspace = openWorkspace(existing.root)
      const registered = registerDefinitions(workspace)
      const hasRuns = runFolders(workspace).some(({ recorded }) => recorded !== null)
      workspace.store.close()
      return this.print(cloneText(existing.root, registered, hasRuns))
    }
    const defaults = { resultDir: 'results', defaultEditor: '' }
    const answers = flags.yes ? defaults : await askForSettings(defaults, checkResultDir)
    const template = join(this.config.root, '.qanat-template')
    const commit = await initProject(folder, template, { ...answers, defaultEditor: answers.defaultEditor || null })
    this.print(newProjectText(folder, answers.resultDir, commit))
  }
}

function existingProject(folder: string): Project | null {
  try {
    return existsSync(folder) ? findProject(folder) : null
  } catch (error) {
    if (error instanceof NotAProjectError) return null
    throw error
  }
}
