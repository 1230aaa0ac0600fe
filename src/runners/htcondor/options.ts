import { type JobEnvironment, type Resources, timeLimitSeconds } from '../../domain/job-environment.js'
import { UserError } from '../../errors.js'
import { type MappedKey, plainValue, refuseOwned, refuseTwice } from '../scheduler/template-keys.js'

/** Lines of a submit file that a template makes, by the name of the submit command. */
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

/** Submit commands that a template's keys make. @throws UserError naming the key that is wrong */
export function condorOptions(keys: Readonly<Record<string, unknown>>, environment: JobEnvironment): CondorOptions {
  const { resources } = environment
  // `MY.Attribute` is another way to write `+Attribute`.
  const names = Object.keys(keys).map(name => name.toLowerCase().replace(/^my\./, '+'))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new UserError(`the submit template says the same twice: ${twice}`, 'HTCondor ignores the case')
  refuseOwned(names, owned)
  refuseTwice(mappedKeys(resources), names)
  refuseForeign(resources)
  const given = Object.entries(keys).flatMap(([key, value]) => commandOf(key, value))
  return { commands: { ...resourceCommands(resources), ...Object.fromEntries(given) } }
}

const commandName = /^(\+|MY\.)?[A-Za-z_][\w.]*$/

/** `null` leaves it out, a list is joined by commas; a value is HTCondor's own language, as in a submit file. */
function commandOf(key: string, value: unknown): [string, string][] {
  if (!commandName.test(key)) {
    throw new UserError(
      `the submit template has '${key}', which is no command of a submit file`,
      'a command is a word, an attribute of the job begins with +, as in +WishedAcctGroup',
    )
  }
  if (value === null || value === undefined) return []
  const text = [value]
    .flat()
    .map(each => plainValue(key, each))
    .join(', ')
  if (/[\r\n]/.test(text)) {
    throw new UserError(`the submit template gives ${key} several lines`, 'a submit command is one line')
  }
  return [[key, text]]
}

const resourceNames = {
  cpus: ['request_cpus'],
  gpus: ['request_gpus', 'require_gpus'],
  memory: ['request_memory'],
  disk: ['request_disk'],
  time: ['periodic_remove', 'allowed_job_duration', 'allowed_execute_duration'],
  account: ['accounting_group'],
  constraint: ['requirements'],
} satisfies Partial<Record<keyof Resources, readonly string[]>>

function mappedKeys(resources: Resources): MappedKey[] {
  return Object.entries(resourceNames).map(([name, sameAs]) => ({
    key: `resources.${name}`,
    given: resources[name as keyof Resources] !== undefined,
    sameAs,
  }))
}

/** A job of HTCondor is one process on one machine, and pools have no partitions. */
function refuseForeign(resources: Resources): void {
  const { nodes = 1, tasks = 1, tasksPerNode = 1, partition, qos } = resources
  const foreign = { nodes: nodes > 1, tasks: tasks > 1, tasks_per_node: tasksPerNode > 1, partition, qos }
  const name = Object.entries(foreign).find(([, isGiven]) => isGiven)?.[0]
  if (name) throw new UserError(`the submit template gives resources.${name}, which HTCondor has not`, 'leave it out')
}

function resourceCommands(resources: Resources): Record<string, string> {
  const { cpus, gpus, memory, disk, time, account, constraint } = resources
  const [type, count] = typeof gpus === 'string' ? gpus.split(':') : [null, gpus]
  const commands: Record<string, string | number | null | undefined | false> = {
    request_cpus: cpus,
    request_gpus: count === 0 ? null : count,
    require_gpus: type && `regexp("${type}", DeviceName, "i")`,
    request_memory: memory,
    request_disk: disk,
    '+QanatTimeLimit': time && timeLimitSeconds(time),
    periodic_remove: time && '(JobStatus == 2) && (time() - EnteredCurrentStatus > QanatTimeLimit)',
    accounting_group: account,
    requirements: constraint,
  }
  return Object.fromEntries(
    Object.entries(commands).flatMap(([name, value]) =>
      value === null || value === undefined || value === false ? [] : [[name, String(value)]],
    ),
  )
}
