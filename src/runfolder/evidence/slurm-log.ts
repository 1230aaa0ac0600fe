import { slurmLogs } from '../layout.js'
import { endsOf } from './appended.js'

/** Path of Slurm's own log of a job. @param job its id for the user, `36_7` @param storagePath absolute folder of the run */
export function slurmLog(storagePath: string, job: string): string {
  return `${storagePath}/${slurmLogs}/${job}.log`
}

/** How much of a file is read, from its end, in bytes. */
const longestEnd = 16_384

/** A line of slurmstepd, with the name of the node if several share a machine, or with the time in newer versions. */
const killForm = /^(?:slurmstepd[^:\n]*:|\[[^\]\n]+\]) error: (.*exceeded (?:\w+ )?memory limit.*)$/im

/**
 * What Slurm says of a step that it has killed for its memory; null if it says nothing. Without cgroups
 * (`JobAcctGatherParams=OverMemoryKill`), it is said nowhere else.
 * @param path of the log of a job, or of the stderr of an `srun`
 */
export function memoryKill(path: string): string | null {
  return killForm.exec(endsOf(path, longestEnd)?.tail ?? '')?.[1] ?? null
}
