import { Flags, groupArguments, repeatable } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { fetchRun } from '../../operations/runs/fetch-run.js'
import { runJson } from '../../views/json.js'
import { fetchedJson, fetchedLines } from '../../views/runs/fetched.js'

export default class ExperimentRunFetch extends QanatCommand {
  static override summary = 'Fetch files of a run that lives in a context'
  static override description =
    'Records, metrics and files of up to 1 MB come by themselves when the state of the run is asked for. Without options, all others come, or, if the context has `fetch`, those that it names, of groups that have ended. A transfer that was cut goes on where it stopped. Links that lead out of the folder of the run are not followed.'
  static override topics = ['contexts']
  static override examples = [
    'qanat run_fetch 1',
    "qanat run_fetch 1.0 --include '*.ckpt'",
    "qanat run_fetch 1 --exclude 'checkpoints/**'",
  ]
  static override enableJsonFlag = true
  static override args = groupArguments
  static override flags = {
    include: repeatable('only files in the folders of groups that fit this pattern, such as *.ckpt or plots/**', {
      helpValue: '<glob>',
    }),
    exclude: repeatable('no files that fit this pattern', { helpValue: '<glob>' }),
    all: Flags.boolean({ description: 'all files', exclusive: ['include', 'exclude'] }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentRunFetch)
    const { include = [], exclude = [], all } = flags
    const workspace = await this.workspace()
    const fetched = await fetchRun(workspace, [args.name, args.run], { include, exclude, all })
    this.say(fetchedLines(fetched))
    return { ...runJson(fetched.run, mirrorOf(workspace, fetched.run)), ...fetchedJson(fetched) }
  }
}
