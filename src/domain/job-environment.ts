import { UserError } from '../errors.js'
import { writtenKey } from './text/key-names.js'
import { nearest, shortened } from './text/names.js'

/** The keys of a submit template that every runner knows. Texts and lists that were not given are empty. */
export interface JobEnvironment {
  readonly resources: Resources
  readonly modules: readonly string[]
  /** Shell lines after loading the modules and before activating conda or venv. */
  readonly afterModules: string
  /** Name or path of a conda environment; never together with venv. */
  readonly conda: string
  /** Path of a Python virtual environment. */
  readonly venv: string
  readonly env: Readonly<Record<string, string>>
  /** Variables whose values are recorded nowhere, each with the words of the command that prints it; null: the launcher has it. */
  readonly secrets: Readonly<Record<string, readonly string[] | null>>
  /** Shell lines before and after the group. */
  readonly setup: string
  readonly teardown: string
  /** Words appended to the arguments of each group; `~` and `$NAME` in them are expanded where the group runs. */
  readonly arguments: readonly string[]
  /** Commands that run in the background during the group and are ended after it. */
  readonly background: readonly string[]
  /** How far a group gives way to other processes of its machine, as for nice(1); null if it does not. */
  readonly nice: number | null
  /** Words that come before the command of a group. */
  readonly launcher: readonly string[]
  /** Whether the group gets a private folder on its node. */
  readonly scratch: boolean
  /** The shell of the job script, as words. */
  readonly shell: readonly string[]
  /** At most this many groups at a time; null if the template sets no limit. */
  readonly maxParallel: number | null
  /** How many groups a job of a scheduler has; null if each group is a job of its own. */
  readonly pack: Pack | null
}

/** Many groups in one job. */
export interface Pack {
  /** How many groups a job has. */
  readonly groups: number
  /** How many of them run at a time. */
  readonly slots: number
}

/** The resources of a group; the scheduler decides about missing keys. */
export interface Resources {
  readonly cpus?: number
  /** A count, a part of one, as 0.5, or `type:count` such as `v100:2`. */
  readonly gpus?: number | string
  /** The GPUs of this machine that may be dealt, by their numbers, as in `0,2`. */
  readonly gpuDevices?: string
  /** A whole number and one of K, M, G, T (powers of 1024), as in `4G`. */
  readonly memory?: string
  /** Written as `memory`. */
  readonly disk?: string
  /** A limit in Slurm's notation; see timeLimitSeconds. */
  readonly time?: string
  readonly nodes?: number
  readonly tasks?: number
  readonly tasksPerNode?: number
  readonly partition?: string
  readonly account?: string
  readonly qos?: string
  readonly constraint?: string
  /** Other things that nodes of Kubernetes have, by name. */
  readonly extended?: Readonly<Record<string, number>>
}

/** A time limit as sbatch reads it; see timeLimitSeconds. */
export const TIME_LIMIT = /^(?=.*[1-9])(?:(\d+)-)?(\d+(?::\d+){0,2})$/

/**
 * Seconds of a time limit as sbatch reads it: `minutes`, `minutes:seconds`, `hours:minutes:seconds`, `days-hours`,
 * `days-hours:minutes` or `days-hours:minutes:seconds`. Null for any other text, and for no time at all.
 */
export function timeLimitSeconds(limit: string): number | null {
  const match = TIME_LIMIT.exec(limit)
  if (!match) return null
  const [, days, clock = ''] = match
  const parts = clock.split(':').map(Number)
  const [hours = 0, minutes = 0, seconds = 0] = days === undefined && parts.length < 3 ? [0, ...parts] : parts
  return Number(days ?? 0) * 86_400 + hours * 3600 + minutes * 60 + seconds
}

/** A size: a whole number, in megabytes if no unit follows. */
export const SIZE = /^(\d+) ?(?:([KMGTkmgt])(?:[iI]?[bB])?)?$/

/** Bytes of a size; null for any other text, and for no size at all. */
export function sizeBytes(size: string): number | null {
  const [, number, unit = 'M'] = SIZE.exec(size) ?? []
  return Number(number ?? 0) * 1024 ** ' KMGT'.indexOf(unit.toUpperCase()) || null
}

/** What a template asks for each group; null for what it leaves open. */
export interface Asked {
  readonly cpus: number | null
  /** Bytes. */
  readonly memory: number | null
  /** Seconds. */
  readonly time: number | null
}

/** The part of the resources that can be compared with what a group has used. */
export function askedOf({ cpus, memory, time }: Pick<Resources, 'cpus' | 'memory' | 'time'>): Asked {
  return {
    cpus: cpus ?? null,
    memory: memory === undefined ? null : sizeBytes(memory),
    time: time === undefined ? null : timeLimitSeconds(time),
  }
}

/**
 * The error for an unknown key of a submit template; it lists the known keys.
 * @param others a few words about the runner's own keys
 */
export function unknownTemplateKey(
  key: string,
  environment: JobEnvironment,
  others: readonly string[] = [],
): UserError {
  const known = [...Object.keys(environment).map(writtenKey), ...others]
  const meant = nearest(key, known)
  return new UserError(
    `unknown key '${shortened(key)}' in the submit template${meant ? `. Did you mean ${meant}?` : ''}`,
    `the keys are ${known.join(', ')}`,
  )
}
