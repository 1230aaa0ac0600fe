import type { Run } from '../../domain/runs/run.js'
import { QanatError } from '../../errors.js'
import { findStage } from '../results/stages.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** What datasets that experiments make mean now, each of which is looked for once. */
export class StagesNow {
  private readonly known = new Map<string, Promise<{ readonly path: string | null; readonly text: string }>>()

  constructor(private readonly workspace: Workspace) {}

  /** The datasets of a run that mean other files now than those that it has read, a sentence each. @param names of those that are asked for; all without it */
  async changes(run: Run, names?: readonly string[]): Promise<string[]> {
    const { store } = this.workspace
    const { experiment, datasetPaths } = store.runs.definition(run.id)
    const changes: string[] = []
    for (const [at, name] of experiment.datasets.entries()) {
      if (names?.includes(name) === false || !store.datasets.find(name)?.from) continue
      const { path, text } = await this.now(name)
      if (path !== absolutePath(this.workspace, datasetPaths[at]!))
        changes.push(path === null ? text : `dataset ${name} is other files by now: ${text}`)
    }
    return changes
  }

  private now(name: string) {
    const found = this.known.get(name) ?? this.find(name)
    this.known.set(name, found)
    return found
  }

  private async find(name: string) {
    try {
      return await findStage(this.workspace, name, this.workspace.store.datasets.find(name)!.from!)
    } catch (error) {
      if (error instanceof QanatError) return { path: null, text: error.message }
      throw error
    }
  }
}
