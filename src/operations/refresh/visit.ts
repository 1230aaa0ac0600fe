import type { Place } from '../../domain/runs/run-plan.js'
import { QanatError } from '../../errors.js'
import { startAlso } from '../../project/scripts/caller.js'
import type { Answers, Query, Site } from '../../sites/site.js'
import type { Workspace } from '../workspace.js'

/** How long a list of runs waits for another machine, in milliseconds. */
const hurriedPatience = 5000

/**
 * What becomes of another machine that has not answered within {@link hurriedPatience}: it is waited for, it is left, or a process in
 * the background asks it again.
 */
export type WhenLate = 'is waited for' | 'is left' | 'is asked in the background'

/**
 * Visits a site.
 * @returns null, after a warning, if it has not answered within its patience, or cannot answer: that changes nothing
 */
export async function visit(
  { warn }: Workspace,
  site: Site,
  queries: readonly Query[],
  places: readonly Place[],
  whenLate: WhenLate,
): Promise<Answers | null> {
  if (queries.length === 0 && (places.length === 0 || site.isHere)) return new Map()
  const given = new AbortController()
  const isHurried = whenLate !== 'is waited for' && !site.isHere && site.patience > hurriedPatience
  const patience = isHurried ? hurriedPatience : site.patience
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => {
      const next = isHurried ? `, and ${whenLate}` : ''
      warn(`${site.name} has not answered within ${patience / 1000} s${next}: its runs are shown as they were before`)
      if (isHurried && whenLate === 'is asked in the background') startAlso('runs', '--refresh', '--context', site.name)
      resolve(null)
      given.abort()
    }, patience)
  })
  const asked = site.visit(queries, places, given.signal).catch((error: Error) => {
    if (given.signal.aborted) return null
    const hint = error instanceof QanatError && error.hint ? ` (${error.hint})` : ''
    warn(`${site.name} cannot be asked, and its runs are shown as they were before: ${error.message}${hint}`)
    return null
  })
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}
