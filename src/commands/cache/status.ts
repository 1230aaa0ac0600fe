import { QanatCommand } from '../../cli/base-command.js'
import { cachedCode } from '../../operations/project/cache.js'
import { deletedRuns, sizeOf } from '../../operations/runs/trash.js'
import { cacheTable } from '../../views/cache.js'
import { cachedCodeJson } from '../../views/json.js'

export default class CacheStatus extends QanatCommand {
  static override summary = 'List frozen copies of commits and their sizes'
  static override topics = ['frozen-copies']
  static override examples = ['qanat cache status']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(CacheStatus)
    const workspace = await this.workspace()
    const codes = cachedCode(workspace)
    const deleted = deletedRuns(workspace)
    const trash = { runs: deleted.length, bytes: sizeOf(deleted) }
    this.print(cacheTable(this.screen, codes, trash))
    return { trash, cache: codes.map(cachedCodeJson) }
  }
}
