import type { Place } from '../../../domain/runs/run-plan.js'
import { OperationError } from '../../../errors.js'
import type { Fetched, FetchWish } from '../../site.js'
import type { Transport } from '../transport.js'
import { receiveArchive } from './archive.js'
import { receiveLarge } from './large.js'
import { type Listed, listThere } from './listing.js'
import { Mirror } from './mirror.js'

/** Files up to this size, in bytes, come in one archive. Of a larger one, the part that has come is kept if the connection breaks. */
const small = 4 * 1024 * 1024

/** Fetches files of the folder of a run; see `Site.fetch`. Call it for one run at a time. */
export async function fetchFiles(
  transport: Transport,
  { here, there }: Place,
  stored: string | null,
  wish: FetchWish,
): Promise<Fetched> {
  const listing = await listAll(transport, [there, ...(stored === null ? [] : [stored])], wish.folder)
  if (listing === null)
    throw new OperationError(`the folder ${there} is gone on ${transport.host}`, 'what came from it is here')
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
  for (const root of new Set(files.map(file => file.root))) {
    const own = files.filter(file => file.root === root)
    const isSmall = ({ size }: Listed) => size <= small
    const large = own.filter(file => !isSmall(file))
    await receiveArchive(transport, root, own.filter(isSmall), mirror, count)
    await receiveLarge(transport, root, large, mirror, count)
  }
  for (const file of wanted) if (file.link !== null) mirror.link(file.path, file.link)
  mirror.cleanUp()
  const isHere = (file: Listed) => mirror.came.has(file.path) || mirror.has(file)
  return {
    came: wanted.filter(isHere),
    stayed: [...listing.files.filter(file => !isHere(file)), ...listing.unnamed],
    outside: listing.outside,
  }
}

/** A file, with the folder around it. */
interface Placed extends Listed {
  readonly root: string
}

/** What is in several folders; of files with one path, that in the first. Null if none of them is there. */
async function listAll(transport: Transport, roots: readonly string[], folder: string) {
  const files = new Map<string, Placed>()
  const [outside, unnamed]: [string[], Listed[]] = [[], []]
  let isThere = false
  for (const root of roots) {
    const listing = await listThere(transport, root, folder)
    if (listing === null) continue
    isThere = true
    for (const file of listing.files) if (!files.has(file.path)) files.set(file.path, { ...file, root })
    outside.push(...listing.outside)
    unnamed.push(...listing.unnamed)
  }
  return isThere ? { files: [...files.values()], outside: [...new Set(outside)], unnamed } : null
}
