import type { JobEnvironment } from '../../domain/job-environment.js'
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
  const remarks = teardownRemarks(config, environment)
  const { variables } = await site.probe()
  if (!mayTakeNodes(config, words, variables)) return remarks
  const partitions = await askSlurm(site, ['scontrol', '--oneliner', 'show', 'partition'])
  const isTaken = partitions.exitCode === 0 && takesNodes(partitions.stdout, partitionsOf(words, variables))
  return isTaken ? [...remarks, memoryRemark] : remarks
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
  const lines = partitions.split('\n').filter(line => {
    const name = /^PartitionName=(\S+)/.exec(line)?.[1]
    return named.length > 0 ? named.includes(name ?? '') : / Default=YES /.test(line)
  })
  return lines.length > 0 && !lines.some(hasDefault)
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
