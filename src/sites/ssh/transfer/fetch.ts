import type { Place } from '../../../domain/runs/run-plan.js'
import { OperationError } from '../../../errors.js'
import type { Fetched, FetchWish } from '../../site.js'
import type { SshHost } from '../connection.js'
import { receiveArchive } from './archive.js'
import { receiveLarge } from './large.js'
import { type Listed, listThere } from './listing.js'
import { Mirror } from './mirror.js'

/** Files up to this size, in bytes, come in one archive. Of a larger one, the part that has come is kept if the connection breaks. */
const small = 4 * 1024 * 1024

/** Fetches files of the folder of a run; see `Site.fetch`. Call it for one run at a time. */
export async function fetchFiles(ssh: SshHost, { here, there }: Place, wish: FetchWish): Promise<Fetched> {
  const listing = await listThere(ssh, there, wish.folder)
  if (listing === null)
    throw new OperationError(`the folder ${there} is gone on ${ssh.host}`, 'what came from it is here')
  const mirror = new Mirror(here)
  const wanted = listing.files.filter(file => wish.wants(file) && !mirror.has(file))
  // Of an earlier call that was cut.
  mirror.takeWhole(wanted)
  const files = wanted.filter(file => file.link === null && !mirror.has(file))
  const total = files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const count = (bytes: number) => {
    done += bytes
    wish.progress(done, total)
  }
  const isSmall = ({ size }: Listed) => size <= small
  await receiveArchive(ssh, there, files.filter(isSmall), mirror, count)
  await receiveLarge(
    ssh,
    there,
    files.filter(file => !isSmall(file)),
    mirror,
    count,
  )
  for (const file of wanted) if (file.link !== null) mirror.link(file.path, file.link)
  mirror.cleanUp()
  const isHere = (file: Listed) => mirror.came.has(file.path) || mirror.has(file)
  return {
    came: wanted.filter(isHere),
    stayed: [...listing.files.filter(file => !isHere(file)), ...listing.unnamed],
    outside: listing.outside,
  }
}
