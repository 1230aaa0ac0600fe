import {
  type JobEnvironment,
  type Resources,
  timeLimitSeconds,
  unknownTemplateKey,
} from '../../domain/job-environment.js'
import { UserError } from '../../errors.js'
import { plainValue, refuseOwned, refuseTwice } from '../scheduler/template-keys.js'
import type { TemplateDialect } from '../template-dialect.js'

/** What a template asks of sbatch. */
export interface SlurmOptions {
  /** Options of sbatch, word for word. */
  readonly words: readonly string[]
  /** Where Slurm's own log goes, as sbatch reads it; null for the run's folder. */
  readonly output: string | null
  /** What the job waits for, as sbatch reads it; null for nothing. */
  readonly dependency: string | null
}

/** sbatch(1): the long option for each short one. */
const longNames: Readonly<Record<string, string>> = {
  '-A': '--account',
  '-a': '--array',
  '-B': '--extra-node-info',
  '-b': '--begin',
  '-C': '--constraint',
  '-c': '--cpus-per-task',
  '-D': '--chdir',
  '-d': '--dependency',
  '-e': '--error',
  '-F': '--nodefile',
  '-G': '--gpus',
  '-h': '--help',
  '-H': '--hold',
  '-i': '--input',
  '-J': '--job-name',
  '-k': '--no-kill',
  '-L': '--licenses',
  '-M': '--clusters',
  '-m': '--distribution',
  '-N': '--nodes',
  '-n': '--ntasks',
  '-O': '--overcommit',
  '-o': '--output',
  '-p': '--partition',
  '-Q': '--quiet',
  '-q': '--qos',
  '-S': '--core-spec',
  '-s': '--oversubscribe',
  '-t': '--time',
  '-V': '--version',
  '-v': '--verbose',
  '-W': '--wait',
  '-w': '--nodelist',
  '-x': '--exclude',
}

const owned: Readonly<Record<string, string>> = {
  '--array': 'one task for each group; for at most N at a time use max_parallel: N',
  '--job-name': 'the name of the experiment and the id of the run',
  '--comment': 'what the run is found by',
  '--parsable': 'it reads the job id',
  '--wait': 'use qanat run --wait',
  '--wrap': 'the command is that of the experiment; lines around it go into setup and teardown',
  '--input': 'groups have no standard input',
  '--test-only': 'use --dry_run',
  '--help': 'it is no option of a job',
  '--version': 'it is no option of a job',
}

const OPTION = /^(--[a-z][\w-]*|-[A-Za-z])$/

/** Keys that are options of sbatch, with their dashes. */
export const slurmDialect: TemplateDialect<SlurmOptions> = {
  parse,
  owned: [...Object.keys(owned), ...Object.keys(longNames).filter(name => Object.hasOwn(owned, longNames[name]!))],
  description: 'Submit templates for Slurm. Options of sbatch are written with their dashes.',
  keys: {
    pattern: OPTION,
    name: 'an option of sbatch with its dashes',
    value: {
      description: 'An option of sbatch. true is a flag alone, false and null leave it out, a list repeats it.',
      type: ['string', 'number', 'boolean', 'null', 'array'],
      items: { type: ['string', 'number', 'boolean', 'null', 'array'] },
    },
  },
  shared: {},
}

function parse(keys: Readonly<Record<string, unknown>>, environment: JobEnvironment): SlurmOptions {
  const named = Object.entries(keys).map(([key, value]) => [longNameOf(key, environment), key, value] as const)
  const names = named.map(([name]) => name)
  const twice = named.find(([name], at) => names.indexOf(name) !== at)
  if (twice) {
    const first = named[names.indexOf(twice[0])]![1]
    throw new UserError(`the submit template says the same twice: ${first} and ${twice[1]}`, 'give one of them')
  }
  refuseOwned(names, owned)
  refuseTwice(environment.resources, name => resourceOptions[name], names)
  const given = (name: string) => {
    const value = named.find(([candidate]) => candidate === name)?.[2]
    return value ? plainValue(name, value) : null
  }
  return {
    words: [
      ...resourceWords(environment.resources),
      ...named.flatMap(([name, key, value]) => (name === '--dependency' ? [] : optionWords(key, value))),
      ...signalWords(environment, environment.resources.time ?? given('--time'), names),
    ],
    output: given('--output'),
    dependency: given('--dependency'),
  }
}

/** An option may be shortened as long as it is unique: one that could be meant for ours is taken for it. */
function longNameOf(key: string, environment: JobEnvironment): string {
  if (!OPTION.test(key)) throw unknownTemplateKey(key, environment, ['and the options of sbatch, as in --mem: 4G'])
  if (!key.startsWith('--')) return longNames[key] ?? key
  return Object.keys(owned).find(name => name.startsWith(key)) ?? key
}

/** `true` is a flag alone, `false` and `null` leave it out, a list repeats it. */
function optionWords(key: string, value: unknown): string[] {
  if (value === null || value === undefined || value === false) return []
  if (Array.isArray(value)) return value.flatMap(each => optionWords(key, each))
  if (value === true) return [key]
  const text = plainValue(key, value)
  return key.startsWith('--') ? [`${key}=${text}`] : [key, text]
}

/** The option for each resource first, then others that say the same. */
const resourceOptions: Readonly<Record<keyof Resources, readonly [string, ...string[]]>> = {
  cpus: ['--cpus-per-task'],
  gpus: ['--gres', '--gpus', '--gpus-per-node', '--gpus-per-task'],
  memory: ['--mem', '--mem-per-cpu', '--mem-per-gpu'],
  disk: ['--tmp'],
  time: ['--time'],
  nodes: ['--nodes'],
  tasks: ['--ntasks'],
  tasksPerNode: ['--ntasks-per-node'],
  partition: ['--partition'],
  account: ['--account'],
  qos: ['--qos'],
  constraint: ['--constraint'],
}

const resourceNames = Object.keys(resourceOptions) as (keyof Resources)[]

function resourceWords(resources: Resources): string[] {
  return resourceNames.flatMap(name => {
    const value = resources[name]
    if (value === undefined || value === 0) return []
    return [`${resourceOptions[name][0]}=${name === 'gpus' ? `gpu:${value}` : value}`]
  })
}

/** Below this limit, in seconds, a minute or two ahead of it would be most of it. */
const shortLimit = 600

/**
 * What runs beside and after a group needs time to end: the batch script is told a minute ahead of the time limit.
 * Slurm may send the signal up to a minute earlier still (sbatch(1), --signal).
 */
function signalWords(environment: JobEnvironment, time: string | null, names: readonly string[]): string[] {
  const { teardown, background, scratch } = environment
  const seconds = time === null ? null : timeLimitSeconds(time)
  const needed = (teardown !== '' || background.length > 0 || scratch) && (seconds ?? shortLimit) >= shortLimit
  return needed && !names.includes('--signal') ? ['--signal=B:URG@60'] : []
}
