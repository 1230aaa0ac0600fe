import { quoteWord } from '../../../domain/text/shell-text.js'
import { outputOf } from '../converse.js'
import { archiveFunction } from '../scripts.js'
import type { Transport } from '../transport.js'
import type { Listed } from './listing.js'
import type { Mirror } from './mirror.js'
import { unzipped } from './unzipped.js'

/**
 * Receives small files as one archive. Those that have come whole are in the mirror, also if the connection is lost.
 * @param root the folder of the run there, absolute
 * @param count is told how many bytes have come
 */
export async function receiveArchive(
  transport: Transport,
  root: string,
  files: readonly Listed[],
  mirror: Mirror,
  count: (bytes: number) => void,
): Promise<void> {
  if (files.length === 0) return
  const { UnpackSync } = await import('tar')
  const names = new Set(files.map(({ path }) => `./${path}`))
  const unpacking = new UnpackSync({
    cwd: mirror.archive,
    // The other machine decides nothing but the contents of files.
    filter: (path, entry) => 'type' in entry && entry.type === 'File' && names.has(path),
    preserveOwner: false,
    onReadEntry: ({ size }) => count(size),
  })
  try {
    const output = outputOf(transport, [archiveScript(root)], namesOf(files))
    for await (const piece of unzipped(output)) unpacking.write(piece)
    unpacking.end()
  } catch (error) {
    mirror.takeWhole(files)
    throw error
  }
  // Also those that have changed since they were listed.
  mirror.take(files)
}

/** Prints an archive of the files whose names are in the standard input. Those that are gone by now are left out. */
function archiveScript(root: string): string {
  return `${archiveFunction}
cd -- ${quoteWord(root)} && list=$(mktemp) && cat >"$list" || exit
archive | gzip
rm -f -- "$list"
`
}

async function* namesOf(files: readonly Listed[]): AsyncGenerator<Uint8Array> {
  for (const { path } of files) yield Buffer.from(`./${path}\0`)
}
