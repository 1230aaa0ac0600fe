import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Unpacks files of another machine into the mirrors of folders. Whoever reads one meanwhile sees its former or its new text.
 * The machine decides nothing but the contents of files: links, and paths outside of the folders, are left out.
 * @param archive a tar, gzipped, with paths relative to the root; and
 * @param root absolute
 * @param folders relative to the root
 */
export async function unpack(archive: Readable, root: string, folders: readonly string[]): Promise<void> {
  const { Unpack } = await import('tar')
  mkdirSync(join(root, '.qanat/cache'), { recursive: true })
  const staging = mkdtempSync(join(root, '.qanat/cache/fetched-'))
  try {
    const isOurs = (path: string) =>
      folders.some(folder => path.replace(/^\.\//, '').startsWith(`${folder}/`)) && !path.split('/').includes('..')
    const unpacking = new Unpack({
      cwd: staging,
      filter: (path, entry) => 'type' in entry && entry.type === 'File' && isOurs(path),
      preserveOwner: false,
      // Files of zeros are as good as any.
      maxDecompressionRatio: Infinity,
    })
    await pipeline(archive, unpacking as unknown as NodeJS.WritableStream)
    moveFiles(staging, root)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** Moves every file of a folder to the same place in another one. */
function moveFiles(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) moveFiles(source, target)
    else {
      if (!existsSync(dirname(target))) mkdirSync(dirname(target), { recursive: true })
      renameSync(source, target)
    }
  }
}
