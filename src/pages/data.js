/** What a page shows where it cannot show what was asked for. */
export class Problem extends Error {
  /** @param {string} message @param {string | null} hint what to type */
  constructor(message, hint) {
    super(message)
    this.hint = hint
  }
}

/** Asks the server. @param {string} path @param {URLSearchParams} [query] @returns {Promise<any>} @throws {Problem} */
export async function ask(path, query) {
  const response = await fetch(query?.size ? `${path}?${query}` : path).catch(() => null)
  if (response?.ok) return response.json()
  if (response === null) throw new Problem('The server of these pages has ended', 'qanat view')
  const isJson = response.headers.get('content-type')?.includes('json')
  if (!isJson) throw new Problem(await response.text(), response.status === 403 ? 'qanat view' : null)
  const { error } = await response.json()
  throw new Problem(error.message, error.hint)
}

/**
 * The address of this page with another query: null removes a name.
 * @param {Record<string, string | number | null>} changes
 */
export function withQuery(changes) {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '' || value === 0) query.delete(name)
    else query.set(name, String(value))
  }
  return `${location.pathname}${query.size > 0 ? `?${query}` : ''}`
}

/** The page of an experiment. @param {string} name */
export function experimentLink(name) {
  return `/experiments/${encodeURIComponent(name)}`
}

/** The group that was chosen to stand beside another one, as 4.17; null for none. */
export function chosenGroup() {
  return new URLSearchParams(location.search).get('beside')
}

/** A link to a list, in which the group beside the chosen one can be chosen. @param {string} link */
export function withChosen(link) {
  const chosen = chosenGroup()
  return chosen === null ? link : `${link}?beside=${encodeURIComponent(chosen)}`
}
