import type { JobEnvironment, Resources } from '../../domain/job-environment.js'
import { writtenKey } from '../../domain/text/key-names.js'
import { UserError } from '../../errors.js'

/** A resource that a scheduler is asked for. */
export type RequestedResource = Exclude<keyof Resources, 'gpuDevices' | 'extended'>

/** @throws UserError for GPUs as only a pool deals them, and for what only nodes of Kubernetes have */
export function refuseForeign({ gpus, gpuDevices, extended }: Resources): void {
  if (extended !== undefined) throw extendedElsewhere()
  const dealt = typeof gpus === 'number' && !Number.isInteger(gpus) ? `gpus: ${gpus}` : gpuDevices && 'gpu_devices'
  if (!dealt) return
  throw new UserError(
    `the submit template has resources.${dealt}, and a scheduler deals whole GPUs as it likes`,
    'write a whole number: resources: {gpus: 1}',
  )
}

/**
 * Refuses a resource that a template gives twice: under our key and under one of the scheduler's.
 * @param sameAs the scheduler's keys that mean the same as a resource
 * @param keys of the scheduler in the template
 * @throws UserError that names both
 */
export function refuseTwice(
  resources: Resources,
  sameAs: (name: RequestedResource) => readonly string[],
  keys: readonly string[],
): void {
  for (const name of Object.keys(resources) as RequestedResource[]) {
    const other = keys.find(key => sameAs(name).includes(key))
    if (other === undefined) continue
    throw new UserError(
      `the submit template sets the same thing twice: ${other} and resources.${writtenKey(name)}`,
      'give one of them',
    )
  }
}

/** The error for resources that only nodes of Kubernetes have. */
export function extendedElsewhere(): UserError {
  return new UserError('the submit template has resources.extended, which only Kubernetes has', 'leave it out')
}

/** The resources of a job that follow from its slots. */
const ofPacks = ['cpus', 'gpus', 'memory', 'disk', 'time', 'nodes', 'tasks', 'tasksPerNode'] as const

/**
 * Refuses what a job of many groups cannot have: resources in the scheduler's own words, which would be those of the whole job,
 * and several nodes or tasks.
 * @param sameAs the scheduler's keys that mean the same as a resource
 * @param keys of the scheduler in the template
 * @throws UserError that names the key
 */
export function refuseInPack(
  { pack, resources }: Pick<JobEnvironment, 'pack' | 'resources'>,
  sameAs: (name: RequestedResource) => readonly string[],
  keys: readonly string[],
): void {
  if (pack === null) return
  for (const name of ofPacks) {
    const other = keys.find(key => sameAs(name).includes(key))
    if (other === undefined) continue
    throw new UserError(
      `the submit template has pack and ${other}, which would be that of the whole job`,
      ['nodes', 'tasks', 'tasksPerNode'].includes(name)
        ? `leave ${other} out: a job of many groups is one task on one node`
        : `write what one group needs: resources: {${writtenKey(name)}: …}; a job asks for as much as its slots need`,
    )
  }
  const several = (['nodes', 'tasks', 'tasksPerNode'] as const).find(name => (resources[name] ?? 1) > 1)
  if (several === undefined) return
  throw new UserError(
    `the submit template has pack and resources.${writtenKey(several)}: ${resources[several]}`,
    'leave one of them out: a job of many groups is one task on one node',
  )
}

/** @throws UserError for a key that Qanat sets itself */
export function refuseOwned(keys: readonly string[], owned: Readonly<Record<string, string>>): void {
  const key = keys.find(candidate => Object.hasOwn(owned, candidate))
  if (key === undefined) return
  throw new UserError(`the submit template sets ${key}, which Qanat sets itself: ${owned[key]}`, `leave ${key} out`)
}

/**
 * What the scheduler's own keys ask for.
 * @param value of a key, under any of the names that mean the same; undefined if the template does not have it
 */
export function askedByKeys(
  value: (resource: 'cpus' | 'memory' | 'time') => unknown,
): Pick<Resources, 'cpus' | 'memory' | 'time'> {
  const [cpus, memory, time] = [Number(value('cpus')), value('memory'), value('time')]
  return {
    ...(Number.isSafeInteger(cpus) && cpus > 0 && { cpus }),
    ...(memory !== undefined && { memory: String(memory) }),
    ...(time !== undefined && { time: String(time) }),
  }
}

/** The text of a value that is passed to the scheduler unchanged. @throws UserError for a mapping */
export function plainValue(key: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new UserError(`the value of ${key} in the submit template is not text`, 'write a word, a number, or a list')
}

/**
 * Refuses variables in a value that the scheduler takes as it is, so that they would reach it as letters.
 * @param instead what to type
 * @throws UserError that names the variable
 */
export function refuseVariables(key: string, text: string, scheduler: string, instead: string): void {
  const [variable] = /\$(?:\{[A-Za-z_]\w*\}|(?!\w+\()[A-Za-z_]\w*)/.exec(text) ?? []
  if (variable === undefined) return
  throw new UserError(`the submit template has ${variable} in ${key}, where ${scheduler} expands no variables`, instead)
}
