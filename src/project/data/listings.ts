import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { DataFile, DataListing } from '../../domain/data/fingerprint.js'
import { atomicWrite } from '../../system/files.js'
import type { Project } from '../find-project.js'

/** A listing as lines of JSON: the first one says what it is, each other one is a file: path, bytes, time, hash. */
export function listingText({ files, skipped, partial, end }: DataListing): string {
  const head = JSON.stringify({ format: 1, skipped, partial, end })
  return `${[head, ...files.map(({ path, size, mtime, hash }) => JSON.stringify([path, size, mtime, hash]))].join('\n')}\n`
}

/** A hash of paths, sizes and hashes, without times. */
export function digestOf({ files, skipped }: DataListing): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(skipped))
  for (const file of files) hash.update(JSON.stringify([file.path, file.size, file.hash]))
  return hash.digest('hex')
}

/** Keeps a listing under the hash of its text, so that equal ones are kept once. Git ignores it. @returns its name */
export function keepListing(project: Project, listing: DataListing): string {
  const text = listingText(listing)
  const name = createHash('sha256').update(text).digest('hex')
  const path = fileOf(project, name)
  if (!existsSync(path)) atomicWrite(path, gzipSync(text))
  return name
}

/** Reads a listing; null for no name, or if it is no longer there, or damaged. */
export function readListing(project: Project, name: string | null): DataListing | null {
  return name === null ? null : readListingFile(fileOf(project, name))
}

/** Writes a listing to a file of its own, in place of an earlier one. @param path absolute */
export function writeListingFile(path: string, listing: DataListing): void {
  atomicWrite(path, gzipSync(listingText(listing)))
}

/** Reads a listing from its file; null if that is not there, or damaged. @param path absolute */
export function readListingFile(path: string): DataListing | null {
  try {
    const [head = '', ...lines] = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
    const { format, ...others } = JSON.parse(head) as { format: number } & Omit<DataListing, 'files'>
    if (format !== 1) return null
    const files = lines.map((line): DataFile => {
      const [path, size, mtime, hash] = JSON.parse(line) as [string, number, number | null, string | null]
      return { path, size, mtime, hash }
    })
    return { ...others, files }
  } catch {
    return null
  }
}

function fileOf({ dataFolder }: Project, name: string): string {
  return join(dataFolder, 'listings', `${name}.gz`)
}
