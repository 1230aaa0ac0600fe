import type { Place } from '../../domain/runs/run-plan.js'
import { QanatError } from '../../errors.js'
import { type Answers, type Query, type Site, silence } from '../../sites/site.js'
import type { Workspace } from '../workspace.js'

/**
 * Visits a site. What it has not answered within its patience, or cannot answer, counts as silence, which changes nothing.
 */
export async function visit(
  { warn }: Workspace,
  site: Site,
  queries: readonly Query[],
  places: readonly Place[],
): Promise<Answers> {
  if (queries.length === 0 && (places.length === 0 || site.isHere)) return new Map()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Answers>(resolve => {
    timer = setTimeout(() => {
      warn(`the site ${site.name} has not answered within ${site.patience / 1000} s`)
      resolve(silence(queries))
    }, site.patience)
  })
  const asked = site.visit(queries, places).catch((error: Error) => {
    const hint = error instanceof QanatError && error.hint ? ` (${error.hint})` : ''
    warn(`${site.name} cannot be asked, and its runs are shown as they were before: ${error.message}${hint}`)
    return silence(queries)
  })
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}
