import type { Run } from '../../domain/runs/run.js'
import { changedTags, type TagChanges } from '../../domain/runs/tags.js'
import type { Workspace } from '../workspace.js'
import { writeRunYaml } from './run-files.js'

/** Changes the tags of a run, and returns it as it then is. */
export function tagRun(workspace: Workspace, run: Run, changes: TagChanges): Run {
  const { store } = workspace
  store.transaction(() => store.runs.setTags(run.id, changedTags(store.runs.find(run.id)!.tags, changes)))
  writeRunYaml(workspace, run.id)
  return store.runs.find(run.id)!
}
