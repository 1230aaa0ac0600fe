import { readGroupFilter } from '../../domain/runs/group-filter.js'
import { readFilter } from '../../domain/runs/run-filter.js'
import type { LookedAt, ResultFilter } from '../../operations/results/looked-at.js'
import { groupListFlags } from '../group-list.js'
import { runListFlags, tagFlag } from '../run-list.js'

/** The filters of lists of runs and of groups, as commands take them that make something of results. */
export const filterFlags = {
  // With its letter, -time would be no value of --sort.
  tag: tagFlag(),
  commit: runListFlags.commit,
  since: runListFlags.since,
  param: groupListFlags.param,
  status: groupListFlags.status,
  where: groupListFlags.where,
}

/** The filters as they were typed. */
export interface TypedFilters {
  readonly tag?: string[] | undefined
  readonly commit?: string | undefined
  readonly since?: string | undefined
  readonly param?: readonly string[] | undefined
  readonly status?: readonly string[] | undefined
  readonly where?: readonly string[] | undefined
}

/** Reads the filters. @throws UserError for what is none */
export function lookedAt(
  words: readonly string[],
  typed: TypedFilters,
): LookedAt & { readonly filter: ResultFilter | null } {
  const { tag, commit, since, param, status, where } = typed
  if ([tag, commit, since, param, status, where].every(each => each === undefined)) return { words, filter: null }
  const ofRuns = { ...(tag && { tag }), ...(commit !== undefined && { commit }), ...(since !== undefined && { since }) }
  return { words, filter: { runs: readFilter(ofRuns, Date.now()), groups: readGroupFilter({ param, status, where }) } }
}

/**
 * The words that choose the same groups of these runs again.
 * @param ids of the runs that are in it
 * @param words those that were typed: a run of which single groups were named is named by these
 */
export function wordsAgain(ids: readonly number[], words: readonly string[]): string[] {
  return ids.flatMap(id => {
    const groups = words.filter(word => word.startsWith(`${id}.`))
    return groups.length > 0 && !words.includes(String(id)) ? groups : [String(id)]
  })
}

/** The options that do the same for groups. Those of runs need none, since runs are named. */
export function optionsAgain({ param, status, where }: TypedFilters): string[] {
  return Object.entries({ param, status, where }).flatMap(([name, values]) =>
    (values ?? []).map(value => `--${name}=${value}`),
  )
}
