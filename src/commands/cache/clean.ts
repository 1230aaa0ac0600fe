import { QanatCommand } from '../../cli/base-command.js'
import { cleanCache } from '../../operations/project/cache.js'
import { openRuns, refreshRuns } from '../../operations/refresh/refresh-runs.js'
import { cleanedText } from '../../views/cache.js'

export default class CacheClean extends QanatCommand {
  static override summary = 'Remove the frozen copies that no live run uses'
  static override description =
    'If a commit is run again, its copy is made again. A copy in which scripts have left files is kept.'
  static override examples = ['<%= config.bin %> cache clean']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(CacheClean)
    const workspace = await this.workspace()
    await refreshRuns(workspace, openRuns(workspace))
    const cleaned = await cleanCache(workspace)
    const { removed, kept } = cleaned
    this.say(cleanedText(cleaned))
    return {
      removed: removed.map(({ name }) => name),
      bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
      kept: kept.map(({ name, left }) => ({ name, left_behind: typeof left === 'string' ? [] : left })),
    }
  }
}
