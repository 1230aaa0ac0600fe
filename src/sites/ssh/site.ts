import { type FarPlace, farSite } from '../far/site.js'
import type { Site } from '../site.js'
import { converseOnTerminal, overSsh, type SshHost } from './connection.js'

/** Another machine as a place of this project. */
export type SshPlace = SshHost & Omit<FarPlace, 'transport'>

/** Another machine, reached over a connection that is open. */
export function sshSite(place: SshPlace): Site {
  return {
    ...farSite({ ...place, transport: overSsh(place) }),
    namespace: null,
    interactive: (file, { ending }) => converseOnTerminal(place, file, ending),
  }
}
