import * as Flags from '@oclif/core/flags'
import { QanatCommand } from '../cli/base-command.js'
import { exportCrate } from '../operations/crate/export-crate.js'
import { exportDefinitions } from '../operations/registry/definitions.js'
import { findRun } from '../operations/runs/find-run.js'
import { crateText } from '../views/runs/crate.js'

export default class Export extends QanatCommand {
  static override summary =
    'Write all experiments, datasets and documents to .qanat/definitions, for git and for clones'
  static override description =
    "'qanat init' in a clone of the repository registers them. This also updates .qanat/schemas, with which editors complete and check YAML files."
  static override examples = [
    '<%= config.bin %> export',
    {
      description: 'One run with its files and where they are from, for a repository of data',
      command: '<%= config.bin %> export --crate 4 -o run-4.zip',
    },
  ]
  static override enableJsonFlag = true
  static override flags = {
    crate: Flags.string({
      description: 'write this run as a Process Run Crate (RO-Crate 1.1) instead',
      completes: 'all_runs',
      dependsOn: ['output'],
    }),
    output: Flags.string({
      char: 'o',
      description: 'the new folder of the crate, or a new ZIP file (.zip)',
      completes: 'files',
      dependsOn: ['crate'],
    }),
  }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(Export)
    const workspace = await this.workspace()
    if (flags.crate !== undefined) {
      const crate = await exportCrate(workspace, findRun(workspace, flags.crate), flags.output!)
      for (const sentence of crate.missing) workspace.warn(`not in the crate: ${sentence}`)
      this.print(crateText(crate))
      return crate
    }
    const { written, stale } = exportDefinitions(workspace)
    for (const file of stale) workspace.warn(`${file} describes something that is no longer registered`)
    const next = 'Next: git add .qanat, and commit'
    this.say(written.length > 0 ? [...written, next].join('\n') : 'No file was written')
    return { written, stale }
  }
}
