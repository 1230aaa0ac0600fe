import { type VariedFact, variedFacts } from '../../../domain/environments/differences.js'
import type { Run } from '../../../domain/runs/run.js'
import { packagePlaces } from '../../../runfolder/layout.js'
import { comparable, findEnvironments, storedEnvironments } from '../../environments/run-environments.js'
import { placeOf, type Workspace } from '../../workspace.js'
import type { ResolvedLaunch } from '../resolve.js'

/** If more facts differ, the others are counted. */
const namedFacts = 5

/**
 * What differs now on this host from the environment that a run had here, as far as it can be known before a group runs, in
 * five seconds at most. Empty if that run was elsewhere, or nothing was recorded.
 */
export async function environmentChanges(
  workspace: Workspace,
  run: Run,
  { runner, plan }: ResolvedLaunch,
): Promise<VariedFact[]> {
  await findEnvironments(workspace, [run])
  const { host } = (await runner.site.probe()).machine
  const before = storedEnvironments(workspace, run).findLast(({ places }) => places.some(place => place.host === host))
  if (!before) return []
  const { attempt } = before.places.findLast(place => place.host === host)!
  const now = await runner.environmentNow?.(plan, `${placeOf(workspace, run).there}/${packagePlaces(attempt, host)}`)
  const lists = now && [before, now].map(each => [comparable(workspace, each.environment)])
  return lists ? variedFacts(lists, now.kinds) : []
}

/** Says what differs for a run that was launched again. */
export function warnOfEnvironment(workspace: Workspace, run: Run, again: Run, facts: readonly VariedFact[]): void {
  if (facts.length === 0) return
  const named = facts
    .slice(0, namedFacts)
    .map(({ name, values }) => `${name} ${values.map(([value]) => value ?? 'none').join(' → ')}`)
  const others = facts.length - named.length
  workspace.warn(
    `the environment has changed since run ${run.id}: ${named.join(', ')}${others > 0 ? `, and ${others} more` : ''}
qanat env diff ${run.id} ${again.id}        compares them once run ${again.id} runs`,
  )
}
