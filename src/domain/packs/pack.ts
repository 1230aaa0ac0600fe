import { UserError } from '../../errors.js'
import { type Pack, type Resources, timeLimitSeconds } from '../job-environment.js'

/** The packs of a launch of so many groups: a job has no more groups, and a group no more slots, than there are. */
export function packOf(pack: Pack, launched: number): Pack {
  const groups = Math.min(pack.groups, launched)
  return { groups, slots: Math.min(pack.slots, groups) }
}

/** How many jobs may run at a time, if so many groups may; null without a limit. */
export function jobsAtATime({ slots }: Pack, groups: number | null): number | null {
  return groups === null ? null : Math.max(1, Math.floor(groups / slots))
}

/** @throws UserError if fewer groups may run at a time than one job runs */
export function refuseFewSlots(pack: Pack | null, launched: number, groups: number | null): void {
  if (pack === null || groups === null) return
  const { slots } = packOf(pack, launched)
  if (slots <= groups) return
  throw new UserError(
    `at most ${groups} group${groups === 1 ? '' : 's'} may run at a time, and one job of the submit template runs ${slots} (pack)`,
    `give --n_threads ${slots} or more, or fewer slots: pack: {groups: ${pack.groups}, slots: ${groups}}`,
  )
}

/**
 * What a job asks for, whose groups ask for these resources: those of all slots, for as long as its groups take one after
 * another.
 * @param longest time that a job may ask for, in seconds; null without a limit
 */
export function resourcesOfJob(resources: Resources, { groups, slots }: Pack, longest: number | null): Resources {
  const { cpus = 1, gpus, memory, disk, time } = resources
  return {
    ...resources,
    cpus: slots * cpus,
    ...(gpus !== undefined && { gpus: multipliedGpus(gpus, slots) }),
    ...(memory !== undefined && { memory: multipliedSize(memory, slots) }),
    ...(disk !== undefined && { disk: multipliedSize(disk, slots) }),
    ...(time !== undefined && { time: timeOfJob(time, Math.ceil(groups / slots), longest) }),
  }
}

/** @param gpus a count, or `type:count` */
function multipliedGpus(gpus: number | string, times: number): number | string {
  if (typeof gpus === 'number') return gpus * times
  const [type, count] = gpus.split(':')
  return `${type}:${Number(count) * times}`
}

/** How many GPUs a group gets. @param gpus a count, or `type:count` */
export function gpuCount(gpus: number | string | undefined): number {
  return typeof gpus === 'string' ? Number(gpus.split(':')[1]) : (gpus ?? 0)
}

function multipliedSize(size: string, times: number): string {
  return size.replace(/^\d+/, number => String(times * Number(number)))
}

/** A job never asks for less time than one group: if that is more than it may have, the scheduler says so. */
function timeOfJob(time: string, turns: number, longest: number | null): string {
  const each = timeLimitSeconds(time)!
  if (turns === 1) return time
  const seconds = Math.max(each, Math.min(turns * each, longest ?? Number.POSITIVE_INFINITY))
  const [minutes, hours] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600)]
  return [hours, minutes, seconds % 60].map(part => String(part).padStart(2, '0')).join(':')
}
