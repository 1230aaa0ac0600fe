import { UserError } from '../errors.js'
import { writtenKey } from './text/key-names.js'
import { nearest, shortened } from './text/names.js'

/** What a submit template asks of any runner. Texts and lists that were not given are empty. */
export interface JobEnvironment {
  readonly resources: Resources
  readonly modules: readonly string[]
  /** Shell lines between the modules and the environment of conda or Python. */
  readonly afterModules: string
  /** Name or path of a conda environment; never together with venv. */
  readonly conda: string
  /** Path of a virtual environment of Python. */
  readonly venv: string
  readonly env: Readonly<Record<string, string>>
  /** Shell lines before and after the group. */
  readonly setup: string
  readonly teardown: string
  /** Words behind the arguments of each group; `~` and `$NAME` in them expand where the group runs. */
  readonly arguments: readonly string[]
  /** Commands that run beside the group and are ended after it. */
  readonly background: readonly string[]
  /** Words that come before the command of a group. */
  readonly launcher: readonly string[]
  /** Whether the group gets a private folder on its node. */
  readonly scratch: boolean
  /** Words: the shell of the job script. */
  readonly shell: readonly string[]
  /** Most groups at a time, or null for no limit of the template's. */
  readonly maxParallel: number | null
}

/** What a group needs; a key that is not there leaves it to the scheduler. */
export interface Resources {
  readonly cpus?: number
  /** A count, or `type:count` such as `v100:2`. */
  readonly gpus?: number | string
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

/**
 * The error for a key of a submit template that its runner does not know; it lists those that there are.
 * @param others in a few words, the keys that this runner knows beside those of every runner
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
