import { Flags } from '@oclif/core'
import { QanatCommand } from '../cli/base-command.js'
import { refreshRuns } from '../operations/runs/refresh-runs.js'
import { resultFolder } from '../operations/workspace.js'
import { folderSize } from '../system/folder-size.js'
import { styleOf } from '../views/format/style.js'
import { projectStatus } from '../views/project.js'

export default class Status extends QanatCommand {
  static override summary = 'Show what the project holds'
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status --sizes']
  static override enableJsonFlag = true
  static override flags = {
    sizes: Flags.boolean({ description: 'how much results and cache take (slow when they are large)' }),
  }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(Status)
    const workspace = await this.workspace()
    const { store, project } = workspace
    await refreshRuns(workspace, store.runs.live())
    const counts = {
      experiments: store.experiments.names().length,
      datasets: store.datasets.list().length,
      documents: store.documents.names().length,
      runs: store.runs.countByStatus(),
    }
    const sizes = flags.sizes
      ? { results: folderSize(resultFolder(workspace)), cache: folderSize(project.cacheFolder) }
      : null
    this.print(projectStatus(styleOf(process.stdout), project.root, counts, sizes))
    return { project: project.root, ...counts, ...(sizes && { sizes_bytes: sizes }) }
  }
}
