import * as Args from '@oclif/core/args'
import { QanatCommand } from '../../cli/base-command.js'
import { findRuns } from '../../operations/runs/find-run.js'
import { findOrigins } from '../../operations/whence/find-origins.js'
import { embeddedIn } from '../../views/plots/record.js'
import { originsJson, originsText, refuseUnknown } from '../../views/results/origins.js'

export default class WhenceCommand extends QanatCommand {
  static override summary = 'Find the run, action and code that made a file, by its content'
  static override description =
    'The file may have been copied, moved and renamed, also out of the project. Of several that have made the same content, the first ones are shown, and --json has all. Runs in the trash are searched, too. Exit code 1 if nothing of this project made it.'
  static override examples = [
    '<%= config.bin %> whence ~/paper/figure-2.svg',
    '<%= config.bin %> whence accuracy.pdf 4 7',
    '<%= config.bin %> whence table.tex --json',
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override args = {
    file: Args.string({ required: true, description: 'the file', completes: 'files' }),
    runs: Args.string({ description: 'look in these runs only', completes: 'more_runs' }),
  }

  async run(): Promise<unknown> {
    const { args, argv } = await this.parse(WhenceCommand)
    const workspace = await this.workspace()
    const words = (argv as string[]).slice(1)
    const { runs: table } = workspace.store
    const runs = words.length > 0 ? findRuns(workspace, words) : [...table.list(), ...table.deleted()]
    const found = await findOrigins(workspace, args.file, runs, embeddedIn)
    refuseUnknown(found, runs.length)
    this.print(originsText(found))
    return originsJson(found)
  }
}
