import type { Place } from '../../domain/runs/run-plan.js'
import { QanatError } from '../../errors.js'
import type { Answers, Query, Site } from '../../sites/site.js'
import type { Workspace } from '../workspace.js'

/**
 * Visits a site.
 * @returns null, after a warning, if it has not answered within its patience, or cannot answer: that changes nothing
 */
export async function visit(
  { warn }: Workspace,
  site: Site,
  queries: readonly Query[],
  places: readonly Place[],
): Promise<Answers | null> {
  if (queries.length === 0 && (places.length === 0 || site.isHere)) return new Map()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => {
      warn(`the site ${site.name} has not answered within ${site.patience / 1000} s`)
      resolve(null)
    }, site.patience)
  })
  const asked = site.visit(queries, places).catch((error: Error) => {
    const hint = error instanceof QanatError && error.hint ? ` (${error.hint})` : ''
    warn(`${site.name} cannot be asked, and its runs are shown as they were before: ${error.message}${hint}`)
    return null
  })
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}
