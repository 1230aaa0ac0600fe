import { existsSync, readdirSync } from 'node:fs'
import { groupsAnnotation } from '../../domain/pods/manifest.js'
import { readRegular } from '../../system/regular-file.js'
import { podJobsFile, readLogs } from '../layout.js'
import { begunSubmissions } from './submissions.js'

/** The job that has a group. */
interface PodShare {
  readonly job: string
  /** Whether it is known to be made: a call of kubectl may have died before it told. */
  readonly isMade: boolean
}

/** The jobs of a launch without a volume, as they were submitted last, by the indices of their groups. */
export type PodShares = ReadonlyMap<number, PodShare>

/** Null for a launch whose pods have a volume, and deal the groups among themselves. @param storagePath absolute folder of the run */
export function podShares(storagePath: string, attempt: number): PodShares | null {
  const shares = new Map<number, PodShare>()
  const told = begunSubmissions(storagePath, attempt).flatMap(({ stdout, stderr }) => [...namesIn(stdout, stderr)])
  const made = new Set(told)
  for (let number = 0; ; number++) {
    const text = readRegular(`${storagePath}/${podJobsFile(attempt, number)}`)
    if (text === null) return shares.size > 0 ? shares : null
    for (const { metadata, spec } of (JSON.parse(text) as JobsFile).items) {
      const groups = spec.template.metadata.annotations?.[groupsAnnotation]
      if (groups === undefined) return null
      // A launch is only one if all of its jobs were made.
      const share = { job: metadata.name, isMade: number === 0 || made.has(metadata.name) }
      for (const index of groups.split(' ')) shares.set(Number(index), share)
    }
  }
}

/** Names of jobs that kubectl has made, or has found to be there. */
function* namesIn(stdout: string, stderr: string): Generator<string> {
  for (const [, name] of stdout.matchAll(/^job\.batch\/(.+)$/gm)) yield name!
  for (const [, name] of stderr.matchAll(/jobs\.batch "([^"]+)" already exists/g)) yield name!
}

/** The names of the jobs that are not known to be made. @param storagePath absolute folder of the run */
export function unknownJobs(storagePath: string, attempt: number): ReadonlySet<string> {
  const shares = podShares(storagePath, attempt) ?? new Map<number, PodShare>()
  return new Set([...shares.values()].flatMap(({ job, isMade }) => (isMade ? [] : [job])))
}

interface JobsFile {
  readonly items: readonly {
    readonly metadata: { readonly name: string }
    readonly spec: {
      readonly template: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }
    }
  }[]
}

/** How the log of a job was read that has ended: `whole`, or `cut` if its beginning was not there. */
export type LogRead = 'whole' | 'cut'

/** The same by the names of the jobs. @param storagePath absolute folder of the run */
export function logsRead(storagePath: string): ReadonlyMap<string, LogRead> {
  const folder = `${storagePath}/${readLogs}`
  const names = existsSync(folder) ? readdirSync(folder) : []
  return new Map(names.map(name => [name, readRegular(`${folder}/${name}`) === 'whole' ? 'whole' : 'cut']))
}
