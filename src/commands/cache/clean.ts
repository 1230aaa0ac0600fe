import { option } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { cleanCache } from '../../operations/project/cache.js'
import { cleanThere } from '../../operations/project/cache-there.js'
import { openRuns, refreshRuns } from '../../operations/refresh/refresh-runs.js'
import { cleanedText } from '../../views/cache.js'

export default class CacheClean extends QanatCommand {
  static override summary = 'Remove frozen copies that no live run uses'
  static override description =
    'A copy is made again when its commit is run again. Copies in which scripts left files are kept. Folders of links to what groups have made go, too, if no run has read them.'
  static override topics = ['frozen-copies']
  static override examples = ['qanat cache clean', 'qanat cache clean --context hpc']
  static override enableJsonFlag = true
  static override flags = { context: { ...option('those in a context', 'contexts'), helpValue: '<context>' } }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(CacheClean)
    const workspace = await this.workspace(flags.context)
    const isHere = flags.context === undefined || workspace.site.isHere
    await refreshRuns(workspace, openRuns(workspace))
    const cleaned = isHere ? await cleanCache(workspace) : await cleanThere(workspace)
    const { removed, kept } = cleaned
    this.say(cleanedText(cleaned))
    return {
      removed: removed.map(({ name }) => name),
      bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
      kept: kept.map(({ name, left }) => ({ name, left_behind: typeof left === 'string' ? [] : left })),
    }
  }
}
