import type { Run } from '../../domain/runs/run.js'
import { changedTags, splitTagLine } from '../../domain/runs/tags.js'
import { renewRunYaml } from '../folder/run-files.js'
import type { Workspace } from '../workspace.js'
import { findRun } from './find-run.js'

/**
 * Changes the tags of a run, and returns the changed run.
 * @param words the run, as `4` or `digits 4`; then `+TAG` adds a tag, `-TAG` removes it
 * @throws UserError for other words, and for a tag to remove that the run does not have
 */
export function tagRun(workspace: Workspace, words: readonly string[]): Run {
  const { store } = workspace
  const { run, changes } = splitTagLine(words)
  const { id } = findRun(workspace, run[0]!, run[1])
  store.transaction(() => store.runs.setTags(id, changedTags(store.runs.get(id).tags, changes)))
  renewRunYaml(workspace, id)
  return store.runs.get(id)
}
