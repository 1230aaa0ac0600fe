import type { ActionRecord } from '../action-record.js'
import type { Fingerprint } from '../data/fingerprint.js'
import type { Dataset } from '../dataset.js'
import type { GroupDetails, Run } from '../runs/run.js'

/** A file of a crate. */
export interface CrateFile {
  /** Its place in the crate, with slashes. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** The index of the group that it belongs to; null for a file of the run. */
  readonly group: number | null
}

/** A dataset that the run read. It is not in the crate. */
export interface CrateDataset extends Pick<Dataset, 'name' | 'description' | 'path'> {
  /** Null if it was not recorded. */
  readonly fingerprint: Fingerprint | null
  /** The name of the file in the crate that lists its files; null without one. */
  readonly listing: string | null
}

/** All that a crate says. */
export interface CrateContent {
  readonly run: Run
  readonly token: string
  readonly groups: readonly GroupDetails[]
  readonly files: readonly CrateFile[]
  /** The name of the folder of the run in the crate. */
  readonly folder: string
  readonly program: { readonly command: string; readonly description: string; readonly repository: string | null }
  /** The name of the file in the crate with uncommitted changes; null without any. */
  readonly patch: string | null
  readonly datasets: readonly CrateDataset[]
  /** The files in the crate with environments, and which groups had them. */
  readonly environments: readonly {
    readonly name: string
    readonly places: readonly { readonly attempt: number; readonly host: string }[]
  }[]
  /** The user who launched the run. */
  readonly agent: string
  readonly actions: readonly ActionRecord[]
  /** The names in the crate of files that actions have made, by their paths. */
  readonly nameOf: (path: string) => string | null
  /** What is not in the crate, one sentence each. */
  readonly missing: readonly string[]
  /** Milliseconds since the epoch. */
  readonly exported: number
}

export type Entity = { readonly '@id': string; readonly '@type': string | readonly string[] } & Readonly<
  Record<string, unknown>
>

/** The id of a file in the crate: a relative URI. */
export function crateId(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}

export const isIn = (folder: string) => (file: CrateFile) => file.name.startsWith(`${folder}/`)
export const fileReference = ({ name }: CrateFile) => ({ '@id': crateId(name) })
export const personId = (user: string) => `#person-${encodeURIComponent(user)}`

export function statusOf(isDone: boolean) {
  return { '@id': `http://schema.org/${isDone ? 'Completed' : 'Failed'}ActionStatus` }
}

export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
