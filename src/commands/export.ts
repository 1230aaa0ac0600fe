import { QanatCommand } from '../cli/base-command.js'
import { exportDefinitions } from '../operations/registry/definitions.js'

export default class Export extends QanatCommand {
  static override summary =
    'Write all experiments, datasets and documents to .qanat/definitions, for git and for clones'
  static override description =
    "'qanat init' in a clone of the repository registers them. This also updates .qanat/schemas, with which editors complete and check YAML files."
  static override examples = ['<%= config.bin %> export']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(Export)
    const workspace = await this.workspace()
    const { written, stale } = exportDefinitions(workspace)
    for (const file of stale)
      workspace.warn(`${file} describes something that is no longer registered; to delete it: git rm ${file}`)
    const next = 'Next: git add .qanat, and commit'
    this.say(written.length > 0 ? [...written, next].join('\n') : 'Nothing is registered yet')
    return { written, stale }
  }
}
