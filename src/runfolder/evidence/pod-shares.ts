import { existsSync, readdirSync } from 'node:fs'
import { groupsAnnotation } from '../../domain/pods/manifest.js'
import { readRegular } from '../../system/regular-file.js'
import { podJobsFile, readLogs } from '../layout.js'
import { begunSubmissions } from './submissions.js'

/** The jobs of a launch without a volume, as they were submitted last: which job has a group, by its index. */
export type PodShares = ReadonlyMap<number, string>

/** Null for a launch whose pods have a volume, and deal the groups among themselves. @param storagePath absolute folder of the run */
export function podShares(storagePath: string, attempt: number): PodShares | null {
  const shares = new Map<number, string>()
  const begun = begunSubmissions(storagePath, attempt)
  for (let generation = 0; ; generation++) {
    const text = readRegular(`${storagePath}/${podJobsFile(attempt, generation)}`)
    if (text === null) return shares.size > 0 ? shares : null
    for (const { metadata, spec } of (JSON.parse(text) as JobsFile).items) {
      const groups = spec.template.metadata.annotations?.[groupsAnnotation]
      if (groups === undefined) return null
      // One that could not be made has nothing.
      if (generation > 0 && !begun[generation]?.stdout.split('\n').includes(`job.batch/${metadata.name}`)) continue
      for (const index of groups.split(' ')) shares.set(Number(index), metadata.name)
    }
  }
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
