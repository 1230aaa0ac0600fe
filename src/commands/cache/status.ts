import { option } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { cachedCode } from '../../operations/project/cache.js'
import { cachedThere } from '../../operations/project/cache-there.js'
import { deletedRuns, sizeOf } from '../../operations/runs/trash.js'
import { cacheTable } from '../../views/cache.js'
import { cachedCodeJson } from '../../views/json.js'

export default class CacheStatus extends QanatCommand {
  static override summary = 'List frozen copies of commits and their sizes'
  static override topics = ['frozen-copies']
  static override examples = ['qanat cache status', 'qanat cache status --context hpc']
  static override enableJsonFlag = true
  static override flags = { context: { ...option('those in a context', 'contexts'), helpValue: '<context>' } }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(CacheStatus)
    const workspace = await this.workspace(flags.context)
    const isHere = flags.context === undefined || workspace.site.isHere
    const codes = isHere ? cachedCode(workspace) : await cachedThere(workspace)
    const deleted = deletedRuns(workspace)
    const trash = { runs: deleted.length, bytes: sizeOf(deleted) }
    this.print(cacheTable(this.screen, codes, trash))
    return { trash, cache: codes.map(cachedCodeJson) }
  }
}
