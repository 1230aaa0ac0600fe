import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Names of this machine for a browser on it, or at the other end of a tunnel, whose port may be any. */
const ownNames = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i

/** Why a request is refused. */
export interface Refusal {
  readonly status: number
  readonly text: string
}

/**
 * Refuses requests that are not those of the pages: other methods than reading, other hosts (a page elsewhere could have
 * its name lead here), and those without the token, which is in the first address and then in a cookie.
 * @returns null if the request may be answered
 */
export function refusal(request: IncomingMessage, url: URL, token: string, cookie: string): Refusal | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405, text: 'Pages can only be read.' }
  if (!ownNames.test(request.headers.host ?? '')) return { status: 403, text: 'This is not the name of this machine.' }
  const given = url.searchParams.get('token') ?? cookieNamed(cookie, request.headers.cookie ?? '')
  if (given !== null && isSame(given, token)) return null
  return {
    status: 403,
    text: "These pages need the whole address that 'qanat view' has printed, with its token. If it has ended, type it again.",
  }
}

function cookieNamed(name: string, cookies: string): string | null {
  const found = cookies.split('; ').find(each => each.startsWith(`${name}=`))
  return found === undefined ? null : found.slice(name.length + 1)
}

/** Takes the same time for all texts. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** For every answer: nothing but our own files may run or be shown, and no other page may show or read ours. */
export const headers: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}
