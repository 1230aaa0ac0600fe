import { Flags } from '../cli/arguments.js'
import { QanatCommand } from '../cli/base-command.js'
import { exportCrate } from '../operations/crate/export-crate.js'
import { exportDefinitions } from '../operations/registry/definitions.js'
import { findRun } from '../operations/runs/find-run.js'
import { crateText } from '../views/runs/crate.js'

export default class Export extends QanatCommand {
  static override summary = 'Save descriptions as YAML, for git and clones'
  static override description =
    "The descriptions of all experiments, datasets and documents are written to .qanat/definitions. 'qanat init' in a clone of the repository registers them. The schemas in .qanat/schemas are renewed, too: with them, editors complete and check YAML files."
  static override usage = ['[OPTIONS]', '--crate <run> -o <file>']
  static override topics = ['share']
  static override examples = [
    'qanat export',
    {
      description: 'A run with its files and their origins, for a data repository',
      command: 'qanat export --crate 1 -o run-1.zip',
    },
  ]
  static override enableJsonFlag = true
  static override flags = {
    crate: Flags.string({
      description: 'instead, write this run as a Process Run Crate (RO-Crate 1.1)',
      completes: 'all_runs',
      dependsOn: ['output'],
    }),
    output: Flags.string({
      char: 'o',
      description: 'the folder of the crate, or its ZIP file (.zip); it has to be new',
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
