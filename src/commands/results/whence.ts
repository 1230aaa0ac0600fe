import { Args } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { splitFiles } from '../../cli/results/split-files.js'
import { findOrigins } from '../../operations/origins/find-origins.js'
import type { Origins } from '../../operations/origins/origin.js'
import { isExperiment } from '../../operations/registry/find-experiment.js'
import { findRuns } from '../../operations/runs/find-run.js'
import { sealedIn } from '../../views/plots/record.js'
import { originsJson, originsText, refuseUnknown, whyUnknown } from '../../views/results/origins.js'

export default class WhenceCommand extends QanatCommand {
  static override summary = 'Find the run, commit and script that made a file'
  static override description =
    'A file is found by its content, even if it was copied, moved or renamed, or left the project. Runs in the trash are searched, too. The answer says whether code, data and script are still the same. If several runs made this content, the first are shown; --json has all. The exit code is 1 if the maker of any file is unknown.'
  static override topics = ['where-a-file-comes-from']
  static override examples = [
    'qanat whence accuracy.svg',
    'qanat whence report/*.svg',
    'qanat whence accuracy.svg 2 --json',
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override usage = 'FILE… [RUN…] [OPTIONS]'
  static override args = {
    file: Args.string({ required: true, description: 'the file', completes: 'files' }),
    runs: Args.string({ shown: 'RUN', description: 'search only these runs: 4, 5-9, latest', completes: 'more_runs' }),
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
