import { runLabel } from '../../domain/pods/manifest.js'
import { kubectlError } from '../../domain/pods/refusals.js'
import { UserError } from '../../errors.js'
import type { Namespace, Site } from '../../sites/site.js'

/** How long kubectl may take, in milliseconds. */
export const kubectlPatience = 60_000

/** The namespace that a site is. @throws UserError for a machine */
export function namespaceOf(site: Site): Namespace {
  if (site.namespace !== null) return site.namespace
  throw new UserError(
    'the runner kubernetes needs a namespace of a cluster',
    "qanat help kubernetes        tells how to write a context with 'cluster'",
  )
}

/** More runs than this are not named one by one. */
const mostNamed = 50

/** The words that ask for all jobs and pods of runs. */
export function getWords(site: Site, tokens: readonly string[]): string[] {
  const named = tokens.length > mostNamed ? runLabel : `${runLabel} in (${tokens.join(',')})`
  return [...namespaceOf(site).kubectl, 'get', 'jobs,pods', '-l', named, '-o', 'json']
}

/** Calls kubectl. @throws SchedulerError with its words if it fails */
export async function callKubectl(site: Site, words: readonly string[]): Promise<string> {
  const result = await site.run([...namespaceOf(site).kubectl, ...words], { timeout: kubectlPatience })
  if (result.exitCode !== 0) throw kubectlError(result)
  return result.stdout
}
