import type { Run } from '../../domain/runs/run.js'
import { changedTags, readTagChanges } from '../../domain/runs/tags.js'
import type { Workspace } from '../workspace.js'
import { writeRunYaml } from './run-files.js'

/**
 * Changes the tags of a run, and returns it as it then is.
 * @param words `+TAG` adds one, `-TAG` takes it away
 * @throws UserError for other words, and for a tag to take away that is not there
 */
export function tagRun(workspace: Workspace, run: Run, words: readonly string[]): Run {
  const { store } = workspace
  const changes = readTagChanges(words)
  store.transaction(() => store.runs.setTags(run.id, changedTags(store.runs.get(run.id).tags, changes)))
  writeRunYaml(workspace, run.id)
  return store.runs.get(run.id)
}
