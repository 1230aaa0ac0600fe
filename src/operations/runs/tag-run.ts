import type { Run } from '../../domain/runs/run.js'
import { changedTags, readTagChanges } from '../../domain/runs/tags.js'
import type { Workspace } from '../workspace.js'
import { renewRunYaml } from './run-files.js'

/**
 * Changes the tags of a run, and returns the changed run.
 * @param words `+TAG` adds a tag, `-TAG` removes it
 * @throws UserError for other words, and for a tag to remove that the run does not have
 */
export function tagRun(workspace: Workspace, run: Run, words: readonly string[]): Run {
  const { store } = workspace
  const changes = readTagChanges(words)
  store.transaction(() => store.runs.setTags(run.id, changedTags(store.runs.get(run.id).tags, changes)))
  renewRunYaml(workspace, run.id)
  return store.runs.get(run.id)
}
