import {
  type JobEnvironment,
  type Resources,
  timeLimitSeconds,
  unknownTemplateKey,
} from '../../domain/job-environment.js'
import { UserError } from '../../errors.js'
import {
  askedByKeys,
  plainValue,
  type RequestedResource,
  refuseForeign,
  refuseInPack,
  refuseOwned,
  refuseTwice,
  refuseVariables,
} from '../scheduler/template-keys.js'
import type { TemplateDialect } from '../template-dialect.js'

/** The options of sbatch from a template. */
export interface SlurmOptions {
  /** Options of sbatch for a job of one group, word for word. */
  readonly words: readonly string[]
  /** The same for a job that asks for these resources. */
  wordsFor(resources: Resources): readonly string[]
  /** Path of Slurm's own log, in the syntax of sbatch; null for the run's folder. */
  readonly output: string | null
  /** Dependency of the job, in the syntax of sbatch; null for none. */
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
  '--help': 'it is not an option of a job',
  '--version': 'it is not an option of a job',
}

const OPTION = /^(--[a-z][\w-]*|-[A-Za-z])$/

/** The template keys are options of sbatch, with their dashes. */
export const slurmDialect: TemplateDialect<SlurmOptions> = {
  parse,
  asks: keys =>
    askedByKeys(
      name => Object.entries(keys).find(([key]) => (longNames[key] ?? key) === resourceOptions[name][0])?.[1],
    ),
  owned: [...Object.keys(owned), ...Object.keys(longNames).filter(name => Object.hasOwn(owned, longNames[name]!))],
  description: 'Submit templates for Slurm. Options of sbatch are written with their dashes.',
  keys: {
    pattern: OPTION,
    name: 'an option of sbatch with its dashes',
    value: {
      description: 'An option of sbatch. true gives the flag alone, false and null omit it, a list repeats it.',
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
    throw new UserError(`the submit template sets the same thing twice: ${first} and ${twice[1]}`, 'give one of them')
  }
  refuseOwned(names, owned)
  refuseForeign(environment.resources)
  refuseTwice(environment.resources, name => resourceOptions[name], names)
  refuseInPack(environment, name => resourceOptions[name], names)
  const given = (name: string) => {
    const value = named.find(([candidate]) => candidate === name)?.[2]
    return value ? plainValue(name, value) : null
  }
  const wordsFor = (resources: Resources) => [
    ...resourceWords(resources),
    ...named.flatMap(([name, key, value]) => (name === '--dependency' ? [] : optionWords(key, value))),
    ...signalWords(environment, resources.time ?? given('--time'), names),
  ]
  return {
    words: wordsFor(environment.resources),
    wordsFor,
    output: given('--output'),
    dependency: given('--dependency'),
  }
}

/** sbatch accepts unambiguous abbreviations of options: one that may stand for an option that we set counts as that one. */
function longNameOf(key: string, environment: JobEnvironment): string {
  if (!OPTION.test(key)) throw unknownTemplateKey(key, environment, ['and the options of sbatch, as in --mem: 4G'])
  if (!key.startsWith('--')) return longNames[key] ?? key
  return Object.keys(owned).find(name => name.startsWith(key)) ?? key
}

/** `true` gives the flag alone, `false` and `null` omit it, a list repeats it. */
function optionWords(key: string, value: unknown): string[] {
  if (value === null || value === undefined || value === false) return []
  if (Array.isArray(value)) return value.flatMap(each => optionWords(key, each))
  if (value === true) return [key]
  const text = plainValue(key, value)
  refuseVariables(key, text, 'sbatch', insteadOf(key, text))
  return key.startsWith('--') ? [`${key}=${text}`] : [key, text]
}

/** Only `env` is expanded where the group runs. */
function insteadOf(key: string, text: string): string {
  const [, name, value] = key === '--export' ? (/(?:^|,)(\w+)=([^,]*\$[^,]*)/.exec(text) ?? []) : []
  return name === undefined
    ? 'write what it stands for'
    : `write env: {${name}: ${value}} instead, which is expanded where the group runs`
}

/** The option for each resource, then others that mean the same. */
const resourceOptions: Readonly<Record<RequestedResource, readonly [string, ...string[]]>> = {
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

const resourceNames = Object.keys(resourceOptions) as (keyof typeof resourceOptions)[]

function resourceWords(resources: Resources): string[] {
  return resourceNames.flatMap(name => {
    const value = resources[name]
    if (value === undefined || value === 0) return []
    return [`${resourceOptions[name][0]}=${name === 'gpus' ? `gpu:${value}` : value}`]
  })
}

/** Time limits below this, in seconds, are too short for a signal a minute or two ahead. */
const shortLimit = 600

/**
 * Background tasks and the teardown need time to end, so the batch script gets a signal a minute before the time limit.
 * Slurm may send it up to a minute earlier (sbatch(1), --signal).
 */
function signalWords(environment: JobEnvironment, time: string | null, names: readonly string[]): string[] {
  const { teardown, background, scratch } = environment
  const seconds = time === null ? null : timeLimitSeconds(time)
  const needed = (teardown !== '' || background.length > 0 || scratch) && (seconds ?? shortLimit) >= shortLimit
  return needed && !names.includes('--signal') ? ['--signal=B:URG@60'] : []
}
