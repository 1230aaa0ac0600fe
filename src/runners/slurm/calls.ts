import { SchedulerError } from '../../errors.js'
import type { ProgramQuery, Site } from '../../sites/site.js'
import type { EnvironmentChange, ProgramOptions, ProgramResult } from '../../system/programs.js'

/** How long to wait for Slurm's answer, in milliseconds. */
const patience = 10_000

/** How long to wait for sbatch. If the queue is full, it retries 15 times after 1 to 15 s: two minutes, plus a margin. */
export const submitPatience = 300_000

const notForJobs = ['SBATCH_WAIT', 'SBATCH_ARRAY_INX', 'SBATCH_JOB_NAME', 'SBATCH_OPEN_MODE']

/**
 * The environment of Slurm's programs: without the job that we may be in and without formats and filters of the user. The
 * location of Slurm and the site's defaults for jobs (SBATCH_ACCOUNT, SBATCH_PARTITION) stay.
 */
export const slurmEnvironment: EnvironmentChange = {
  unset: ['SLURM_*', 'SQUEUE_*', 'SACCT_*', 'SCANCEL_*', ...notForJobs],
  keep: ['SLURM_CONF', 'SLURM_CONF_SERVER', 'SLURM_CLUSTERS'],
}

/** Options for Slurm's programs that change nothing: with times in UTC. */
const askingOptions: ProgramOptions = {
  environment: {
    ...slurmEnvironment,
    set: { TZ: 'UTC', SLURM_TIME_FORMAT: 'standard', SLURM_BITSTR_LEN: '0', LC_ALL: 'C' },
  },
  timeout: patience,
}

/** Runs one of Slurm's programs that change nothing. */
export function askSlurm(site: Site, command: readonly string[]): Promise<ProgramResult> {
  return site.run(command, askingOptions)
}

/** The same as a query of a visit. */
export function slurmQuery(
  key: string,
  command: readonly string[],
  encoding: ProgramOptions['encoding'] = 'utf8',
): ProgramQuery {
  return { key, command, options: { ...askingOptions, digests: true, encoding } }
}

const factsCommand = ['scontrol', 'show', 'config']

/** Asks for Slurm's configuration, see {@link parseFacts}. */
export function factsQuery(key: string): ProgramQuery {
  return slurmQuery(key, factsCommand)
}

/** Facts from Slurm's configuration. */
export interface SlurmFacts {
  readonly clusterName: string
  readonly maxArraySize: number
  /** How long it keeps a job after its end, in milliseconds. */
  readonly jobAge: number
}

/** Slurm's configuration, for {@link parseFacts}. @throws SchedulerError if the controller is missing or does not answer */
export async function slurmConfig(site: Site): Promise<string> {
  const result = await askSlurm(site, factsCommand)
  if (result.exitCode !== 0 || parseFacts(result.stdout).clusterName === '') throw notAnswering('scontrol', result)
  return result.stdout
}

/** The first word of a value of `scontrol show config`. */
export function configValue(config: string, key: string): string | undefined {
  return new RegExp(`^${key}\\s*=\\s*(\\S+)`, 'm').exec(config)?.[1]
}

/** Parses `scontrol show config`. */
export function parseFacts(config: string): SlurmFacts {
  const value = (key: string) => configValue(config, key)
  return {
    clusterName: value('ClusterName') ?? '',
    maxArraySize: Number(value('MaxArraySize') ?? 1001),
    // 0 means for ever (slurm.conf(5), MinJobAge).
    jobAge: 1000 * Number(value('MinJobAge') ?? 300) || Number.POSITIVE_INFINITY,
  }
}

/** @throws SchedulerError if a program that submits jobs is missing */
export async function requireSlurm(site: Site): Promise<void> {
  const { programs } = await site.probe(['sbatch'])
  if (!programs.has('sbatch')) throw notThere('sbatch')
}

function notThere(program: string): SchedulerError {
  return new SchedulerError(
    `Slurm is not on this machine: no '${program}' in PATH`,
    'run it on a login node, or here with --runner local',
  )
}

export function notAnswering(program: string, result: ProgramResult): SchedulerError {
  if (result.ending === 'missing') return notThere(program)
  return new SchedulerError(`Slurm does not answer: ${silenceOf(result)}`, 'try again in a moment')
}

/** Why a program did not answer: its stderr, what it printed that is no answer, or how it ended. */
export function silenceOf({ stdout, stderr, ending, exitCode }: ProgramResult): string {
  if (stderr.trim() !== '') return stderr.trim()
  if (ending === 'timeout') return `no answer within ${patience / 1000} s`
  return exitCode === 0 ? `it printed only '${stdout.trim().split('\n')[0]}'` : `exit code ${exitCode}`
}

/** Whether squeue has answered. An error about the ids means that it has purged all of them. */
function isQueue({ exitCode, stderr }: ProgramResult): boolean {
  return exitCode === 0 || /Invalid job id/i.test(stderr)
}

/** The output of squeue; null if it did not answer. */
export function queueText(result: ProgramResult | null): string | null {
  if (result?.exitCode === 0) return result.stdout
  return result && isQueue(result) ? '' : null
}

/** Whether this Slurm has no accounting. */
export function isWithoutAccounting(result: ProgramResult | null): boolean {
  return result?.ending === 'missing' || /accounting storage is disabled/i.test(result?.stderr ?? '')
}
