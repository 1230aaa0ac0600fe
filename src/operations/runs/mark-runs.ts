import type { Run } from '../../domain/runs/run.js'
import { changedTags, splitTagLine } from '../../domain/runs/tags.js'
import { renewRunYaml } from '../folder/run-files.js'
import type { Workspace } from '../workspace.js'
import { findRun, findRuns } from './find-run.js'

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

/**
 * Lets no group of runs count any more, or again, and returns the changed runs.
 * @param words ids and ranges of runs
 * @param why they are retired; empty if that is not said, null if they count again
 */
export function retireRuns(workspace: Workspace, words: readonly string[], why: string | null): Run[] {
  const { store } = workspace
  const ids = findRuns(workspace, words).map(({ id }) => id)
  const retired = why === null ? null : { at: Date.now(), why: why.trim() }
  store.transaction(() => {
    for (const id of ids) store.runs.setRetired(id, retired)
  })
  for (const id of ids) renewRunYaml(workspace, id)
  return ids.map(id => store.runs.get(id))
}
