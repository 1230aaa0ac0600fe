import { Args, Flags } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { awaitRun } from '../../cli/follow/await-run.js'
import { followLaunch } from '../../cli/follow/follow-launch.js'
import { Interruption } from '../../cli/follow/interruption.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { splitWords } from '../../domain/text/words.js'
import { InterruptedError } from '../../errors.js'
import { compileDocument, viewDocument } from '../../operations/documents/compile-document.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { refreshRuns } from '../../operations/runs/refresh-runs.js'
import { dependencyTable } from '../../views/document.js'
import { styleOf } from '../../views/format/style.js'
import { documentJson } from '../../views/json.js'

export default class DocumentCompile extends QanatCommand {
  static override summary = 'Compile a document: run what is missing, copy the files it uses, call its script'
  static override examples = [
    '<%= config.bin %> document compile report',
    '<%= config.bin %> document compile report --options "--draft" --view',
  ]
  static override enableJsonFlag = true
  static override args = { name: Args.string({ required: true, description: 'the document', completes: 'documents' }) }
  static override flags = {
    options: Flags.string({ description: 'words that its script gets, as for a shell', default: '' }),
    view: Flags.boolean({ description: 'open it afterwards, with its view script' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DocumentCompile)
    const words = splitWords(flags.options)
    const workspace = await this.workspace()
    const { name } = findDocument(workspace, args.name)
    const interruption = new Interruption(new InterruptedError('interrupted; the document is not compiled'))
    const output = this.output()
    try {
      await refreshRuns(workspace, workspace.store.runs.live())
      await compileDocument(workspace, findDocument(workspace, name), words, {
        found: statuses => {
          if (statuses.length > 0) this.print(`${dependencyTable(styleOf(process.stdout), statuses)}\n`)
        },
        follow: (run, isNew) => {
          if (isNew) return followLaunch(workspace, run, totalOf(run.counts), { wait: true }, interruption, output)
          this.print(`Waiting for run ${run.id} of ${run.experiment}, which is ${run.status}`)
          return awaitRun(workspace, run, interruption.signal)
        },
        exported: (run, files) => this.print(`Exported from run ${run.id} of ${run.experiment}: ${files.join(', ')}`),
        interruption: interruption.signal,
        output: this.jsonEnabled() ? 'stderr' : 'stdout',
      })
    } finally {
      interruption.close()
    }
    const document = findDocument(workspace, name)
    this.print(`Document ${name} compiled.${document.viewScript === '' ? '' : ` Next: qanat document view ${name}`}`)
    if (flags.view) await viewDocument(workspace, document)
    return documentJson(document)
  }
}
