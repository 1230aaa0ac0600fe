import { type JobEnvironment, timeLimitSeconds } from '../../domain/job-environment.js'
import type { Site, SiteFacts } from '../../sites/site.js'
import { askSlurm, configValue } from './calls.js'
import type { SlurmOptions } from './options.js'

/**
 * Warnings about a launch with this template.
 * @param config output of `scontrol show config`
 */
export async function slurmRemarks(
  site: Site,
  config: string,
  environment: JobEnvironment,
  { words }: SlurmOptions,
): Promise<string[]> {
  const remarks = [...teardownRemarks(config, environment), ...stepRemarks(environment)]
  const { variables } = await site.probe()
  if (!mayTakeNodes(config, words, variables)) return remarks
  const partitions = await askSlurm(site, partitionCommand)
  const isTaken = partitions.exitCode === 0 && takesNodes(partitions.stdout, partitionsOf(words, variables))
  return isTaken ? [...remarks, memoryRemark] : remarks
}

const partitionCommand = ['scontrol', '--oneliner', 'show', 'partition']

/** The longest time for which a job with this template may ask, in seconds; null if it is not known, or has no limit. */
export async function longestJob(site: Site, { words }: SlurmOptions): Promise<number | null> {
  const { variables } = await site.probe()
  const { exitCode, stdout } = await askSlurm(site, partitionCommand)
  return exitCode === 0 ? longestTime(stdout, partitionsOf(words, variables)) : null
}

/** The same of several partitions, each of which may take the job. @param partitions as for {@link takesNodes} */
export function longestTime(partitions: string, named: readonly string[]): number | null {
  const limits = linesOf(partitions, named).flatMap(line => {
    const [, limit = ''] = / MaxTime=(\S+)/.exec(line) ?? []
    return timeLimitSeconds(limit) ?? []
  })
  return limits.length === 0 ? null : Math.min(...limits)
}

/** A site may limit the steps of a job (slurm.conf(5), MaxStepCount), and each srun is one. */
export function stepRemarks({ pack, launcher }: Pick<JobEnvironment, 'pack' | 'launcher'>): string[] {
  const program = launcher[0]?.replace(/^.*\//, '')
  if (pack === null || program !== 'srun') return []
  return [
    'the submit template has pack and the launcher srun: each of its groups is a step of the job, of which a site may allow few, and which takes the CPUs of other slots unless it is told not to (srun --exact)',
  ]
}

/** A KillWait below this, in seconds, is too short for a teardown after background tasks, which have five seconds to end. */
const shortKillWait = 10

/** A cancelled job is killed KillWait seconds after it was told to end (slurm.conf(5)). */
export function teardownRemarks(config: string, { teardown, background }: JobEnvironment): string[] {
  const wait = Number.parseInt(configValue(config, 'KillWait') ?? '30', 10)
  const parts = [background.length > 0 && 'the background tasks', teardown !== '' && 'the teardown']
  const named = parts.filter(part => part !== false).join(' and ')
  if (wait >= shortKillWait || named === '') return []
  return [
    `this Slurm kills a job ${wait} s after it was told to end (KillWait): ${named} of the submit template may not end in time if a job is cancelled`,
  ]
}

const memoryRemark = `the submit template requests no memory: this Slurm gives each group the whole memory of its node, so only one group runs there at a time
request memory, as in resources: {memory: 4G}`

/** Whether a job gets the whole memory of nodes unless its partition has a default: memory is counted but not requested. */
export function mayTakeNodes(config: string, words: readonly string[], variables: SiteFacts['variables']): boolean {
  const isCounted = /memory/i.test(configValue(config, 'SelectTypeParameters') ?? '')
  const isGiven = words.some(word => /^--(mem|exclusive)/.test(word)) || isGivenBySite(variables)
  return isCounted && !isGiven && !hasDefault(config)
}

/** @param partitions output of `scontrol --oneliner show partition` @param named the requested ones, none for the default */
export function takesNodes(partitions: string, named: readonly string[]): boolean {
  const lines = linesOf(partitions, named)
  return lines.length > 0 && !lines.some(hasDefault)
}

/** The lines about the requested partitions. */
function linesOf(partitions: string, named: readonly string[]): string[] {
  return partitions.split('\n').filter(line => {
    const name = /^PartitionName=(\S+)/.exec(line)?.[1]
    return named.length > 0 ? named.includes(name ?? '') : / Default=YES /.test(line)
  })
}

/** 0 and UNLIMITED mean no default. DefMemPerGPU counts only for jobs with GPUs, whose nodes are rarely shared anyway. */
function hasDefault(text: string): boolean {
  return /\bDefMemPer(Node|CPU|GPU)\s*=\s*0*[1-9]/.test(text)
}

function partitionsOf(words: readonly string[], variables: SiteFacts['variables']): string[] {
  const at = words.indexOf('-p')
  const long = words.find(word => word.startsWith('--partition='))?.slice('--partition='.length)
  const given = (at >= 0 ? words[at + 1] : long) ?? variables.SBATCH_PARTITION ?? ''
  return given.split(',').filter(name => name !== '')
}

/** sbatch(1), "Input environment variables". */
function isGivenBySite(variables: SiteFacts['variables']): boolean {
  return Object.keys(variables).some(name => /^SBATCH_(MEM_PER_|EXCLUSIVE)/.test(name))
}
