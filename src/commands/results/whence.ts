import * as Args from '@oclif/core/args'
import { QanatCommand } from '../../cli/base-command.js'
import { splitFiles } from '../../cli/results/split-files.js'
import { findOrigins } from '../../operations/origins/find-origins.js'
import type { Origins } from '../../operations/origins/origin.js'
import { isExperiment } from '../../operations/registry/find-experiment.js'
import { findRuns } from '../../operations/runs/find-run.js'
import { sealedIn } from '../../views/plots/record.js'
import { originsJson, originsText, refuseUnknown, whyUnknown } from '../../views/results/origins.js'

export default class WhenceCommand extends QanatCommand {
  static override summary = 'Find the run, action and code that made a file, by its content'
  static override description =
    'The file may have been copied, moved and renamed, also out of the project. Of several that have made the same content, the first ones are shown, and --json has all. It also says whether the code, the data and the script are still those that made it. Runs in the trash are searched, too. Exit code 1 if nothing of this project made the file, or one of several.'
  static override examples = [
    '<%= config.bin %> whence ~/paper/figure-2.svg',
    '<%= config.bin %> whence accuracy.pdf 4 7',
    '<%= config.bin %> whence paper/*.pdf',
    '<%= config.bin %> whence table.tex --json',
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override usage = 'FILE… [RUN…] [--json]'
  static override args = {
    file: Args.string({ required: true, description: 'the file, or several', completes: 'files' }),
    runs: Args.string({ description: 'look in these runs only', completes: 'more_runs' }),
  }

  async run(): Promise<unknown> {
    const { argv } = await this.parse(WhenceCommand)
    const workspace = await this.workspace()
    const words = splitFiles(argv as string[], word => isExperiment(workspace, word))
    const { runs: table } = workspace.store
    const runs = words.runs.length > 0 ? findRuns(workspace, words.runs) : [...table.list(), ...table.deleted()]
    const found: Origins[] = []
    for (const file of words.files) found.push(await findOrigins(workspace, file, runs, sealedIn))
    const [first, ...others] = found as [Origins, ...Origins[]]
    if (others.length === 0) {
      refuseUnknown(first, runs.length)
      this.print(originsText(first))
      return originsJson(first)
    }
    const isKnown = ({ origins }: Origins) => origins.length > 0
    this.print(found.map(each => (isKnown(each) ? originsText(each) : whyUnknown(each, runs.length))).join('\n\n'))
    if (!found.every(isKnown)) process.exitCode = 1
    return { files: found.map(originsJson) }
  }
}
