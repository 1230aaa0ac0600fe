import { type JobEnvironment, type Resources, timeLimitSeconds } from '../../domain/job-environment.js'
import { writtenKey } from '../../domain/text/key-names.js'
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
import type { JsonSchema, TemplateDialect } from '../template-dialect.js'

/** Lines of a submit file from a template, by the name of the submit command. */
export interface CondorOptions {
  readonly commands: Readonly<Record<string, string>>
}

const owned: Readonly<Record<string, string>> = {
  executable: 'the script of the job',
  arguments: 'which group a job is of',
  args: 'which group a job is of',
  queue: 'one job for each group',
  log: 'it reads the event log',
  batch_name: 'the name of the experiment and the id of the run',
  jobbatchname: 'the name of the experiment and the id of the run',
  '+jobbatchname': 'the name of the experiment and the id of the run',
  '+qanattoken': 'what the run is found by',
  '+qanattimelimit': 'it is resources.time',
  transfer_executable: 'the script of the job',
  max_materialize: 'for at most N groups at a time use max_parallel: N',
  input: 'groups have no standard input',
  stdin: 'groups have no standard input',
}

/** How a resource is written in a submit file. */
interface Request {
  /** The submit commands that request it; null omits one. */
  commands(value: string | number): Readonly<Record<string, string | number | null>>
  /** Submit commands that request the same, in lower case. */
  readonly sameAs: readonly string[]
}

/** A resource of which a job always has one, since it is one process on one machine. */
const ALWAYS_ONE = 'always one'
/** A resource that HTCondor does not have. */
const MISSING = 'missing'

const requests: Readonly<Record<RequestedResource, Request | typeof ALWAYS_ONE | typeof MISSING>> = {
  cpus: { commands: cpus => ({ request_cpus: cpus }), sameAs: ['request_cpus'] },
  gpus: { commands: gpuCommands, sameAs: ['request_gpus', 'require_gpus'] },
  memory: { commands: memory => ({ request_memory: memory }), sameAs: ['request_memory'] },
  disk: { commands: disk => ({ request_disk: disk }), sameAs: ['request_disk'] },
  time: {
    commands: limit => ({
      '+QanatTimeLimit': timeLimitSeconds(String(limit)),
      periodic_remove: '(JobStatus == 2) && (time() - EnteredCurrentStatus > QanatTimeLimit)',
    }),
    sameAs: ['periodic_remove', 'allowed_job_duration', 'allowed_execute_duration'],
  },
  nodes: ALWAYS_ONE,
  tasks: ALWAYS_ONE,
  tasksPerNode: ALWAYS_ONE,
  partition: MISSING,
  account: { commands: account => ({ accounting_group: account }), sameAs: ['accounting_group'] },
  qos: MISSING,
  constraint: { commands: constraint => ({ requirements: constraint }), sameAs: ['requirements'] },
}

function gpuCommands(gpus: string | number): ReturnType<Request['commands']> {
  const [type, count] = typeof gpus === 'string' ? gpus.split(':') : [null, gpus]
  return {
    request_gpus: count === 0 ? null : count!,
    require_gpus: type && `regexp("${type}", DeviceName, "i")`,
  }
}

const COMMAND = /^(\+|MY\.)?[A-Za-z_][\w.]*$/
/** Commands whose values are expressions, in whose patterns a dollar sign has a meaning of its own. */
const EXPRESSION = /^(\+|my\.)|require|^rank$|^(periodic|on_exit)_|^leave_in_queue$/i
const ONE_LINE = /^[^\r\n]*$/

/** The template keys are commands of a submit file, or attributes of the job. */
export const htcondorDialect: TemplateDialect<CondorOptions> = {
  parse,
  asks: keys => askedByKeys(name => Object.entries(keys).find(([key]) => key.toLowerCase() === `request_${name}`)?.[1]),
  owned: Object.keys(owned).map(spellings),
  description: 'Submit templates for HTCondor. Commands of a submit file are written as there.',
  keys: {
    pattern: COMMAND,
    name: "a command of HTCondor's submit file (+Name for an attribute of the job)",
    value: {
      description:
        "A command of HTCondor's submit file, in its own language. null omits it, a list is joined by commas.",
      type: ['string', 'number', 'boolean', 'null', 'array'],
      pattern: ONE_LINE.source,
      patternErrorMessage: 'one line',
      items: { type: ['string', 'number', 'boolean'], pattern: ONE_LINE.source },
    },
  },
  shared: { resources: { properties: foreignResources() } },
}

/** A regular expression for all spellings of a name: HTCondor ignores case, and `MY.Name` is `+Name`. */
function spellings(name: string): string {
  const anyCase = name.replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`)
  return anyCase.replace('+', '(\\+|[mM][yY]\\.)')
}

/** Schemas for editors of the resources that HTCondor does not have. */
function foreignResources(): Record<string, JsonSchema> {
  const schemas = {
    [ALWAYS_ONE]: { enum: [1, null], errorMessage: 'a job of HTCondor is one process on one machine' },
    [MISSING]: { type: 'null', errorMessage: 'HTCondor has none: leave it out' },
  }
  const foreign = Object.entries(requests).flatMap(([name, request]) =>
    typeof request === 'string' ? [[writtenKey(name), schemas[request]] as const] : [],
  )
  return Object.fromEntries(foreign)
}

function parse(keys: Readonly<Record<string, unknown>>, environment: JobEnvironment): CondorOptions {
  const { resources } = environment
  // `MY.Attribute` is another way to write `+Attribute`.
  const names = Object.keys(keys).map(name => name.toLowerCase().replace(/^my\./, '+'))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new UserError(`the submit template sets the same thing twice: ${twice}`, 'HTCondor ignores the case')
  refuseOwned(names, owned)
  refuseForeign(resources)
  refuseTwice(resources, sayingTheSame, names)
  refuseInPack(environment, sayingTheSame, names)
  const requested = resourceCommands(resources)
  const given = Object.entries(keys).flatMap(([key, value]) => commandOf(key, value))
  return { commands: { ...requested, ...Object.fromEntries(given) } }
}

/** `null` omits it, a list is joined by commas; other values are copied unchanged, as in a submit file. */
function commandOf(key: string, value: unknown): [string, string][] {
  if (!COMMAND.test(key)) {
    throw new UserError(
      `the submit template has '${key}', which is not a submit command`,
      'a submit command is one word; an attribute of the job begins with +, as in +WishedAcctGroup',
    )
  }
  if (value === null || value === undefined) return []
  const text = [value]
    .flat()
    .map(each => plainValue(key, each))
    .join(', ')
  if (!ONE_LINE.test(text)) {
    throw new UserError(`the submit template has several lines for ${key}`, 'a submit command is one line')
  }
  if (!EXPRESSION.test(key)) refuseVariables(key, text, 'HTCondor', insteadOf(key))
  return [[key, text]]
}

/** Only `env` is expanded where the group runs; `$ENV(NAME)` is where the job is submitted. */
function insteadOf(key: string): string {
  return /^env(ironment)?$/i.test(key)
    ? 'write it as env: {NAME: VALUE} instead, which is expanded where the group runs'
    : 'write what it stands for, or $ENV(NAME) for a variable of this machine'
}

function sayingTheSame(name: RequestedResource): readonly string[] {
  const request = requests[name]
  return typeof request === 'string' ? [] : request.sameAs
}

/**
 * The submit commands that ask for resources.
 * @throws UserError for a resource that HTCondor does not have
 */
export function resourceCommands(resources: Resources): Record<string, string> {
  const commands = Object.entries(requests).flatMap(([name, request]) => {
    const value = resources[name as RequestedResource]
    if (value === undefined || (request === ALWAYS_ONE && value === 1)) return []
    if (typeof request !== 'string') return Object.entries(request.commands(value))
    throw new UserError(
      `the submit template has resources.${writtenKey(name)}, which HTCondor does not have`,
      'leave it out',
    )
  })
  const given = commands.filter(([, value]) => value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
