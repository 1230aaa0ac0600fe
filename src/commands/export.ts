import { Flags } from '../cli/arguments.js'
import { QanatCommand } from '../cli/base-command.js'
import { exportCrate } from '../operations/crate/export-crate.js'
import { findRun } from '../operations/runs/find-run.js'
import { crateText } from '../views/runs/crate.js'

export default class Export extends QanatCommand {
  static override summary = 'Save a run with its files and their origins'
  static override description = 'As a Process Run Crate (RO-Crate 1.1), for a data repository or a reader.'
  static override usage = ['--crate <run> -o <file>']
  static override topics = ['share']
  static override examples = ['qanat export --crate 1 -o run-1.zip']
  static override enableJsonFlag = true
  static override flags = {
    crate: Flags.string({ description: 'the run', completes: 'all_runs', required: true }),
    output: Flags.string({
      char: 'o',
      description: 'the folder of the crate, or its ZIP file (.zip); it has to be new',
      completes: 'files',
      required: true,
    }),
  }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(Export)
    const workspace = await this.workspace()
    const crate = await exportCrate(workspace, findRun(workspace, flags.crate), flags.output)
    for (const sentence of crate.missing) workspace.warn(`not in the crate: ${sentence}`)
    this.print(crateText(crate))
    return crate
  }
}
