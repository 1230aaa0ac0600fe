import { lastEventOf } from '../../runfolder/evidence/event-log.js'
import type { Site } from '../../sites/site.js'
import { recordWitnesses } from '../scheduler/evidence.js'
import type { Location } from '../scheduler/locate.js'
import type { JobHandle, Witness } from '../types.js'
import { askCondor, silenceOf } from './calls.js'
import { constraintOf, procOf } from './queue.js'

/** What HTCondor and the job's own record say about a group, in words. */
export async function explainCondor(site: Site, location: Location): Promise<Witness[]> {
  const { handle } = location
  const task = procOf(handle, location.task)
  const id = `${handle.id}.${task}`
  // A job that is not made yet (max_materialize) has no event, but its cluster may have one that tells why.
  const event = lastEvent(handle, `0*${task}`) ?? lastEvent(handle, '-\\d+')
  const waits = event === null || /^0(00|13|04)/.test(event) ? await waiting(site, handle, task) : ''
  return [
    { name: 'HTCondor', text: `job ${id}: ${event?.slice(4) ?? 'no event yet'}${waits}` },
    ...recordWitnesses(location),
  ]
}

/**
 * The last event of a job, on one line, its code first; events about sizes, transfers and the submission of the cluster are
 * ignored.
 * @param proc a pattern of its number, which is negative for the whole cluster
 */
function lastEvent({ id, place, attempt }: JobHandle, proc: string): string | null {
  const header = new RegExp(`^(?!006|035|040)(\\d{3}) \\(0*${id}\\.${proc}\\.-?\\d+\\) (.*)$`, 'm')
  const last = lastEventOf(place.here, attempt, header)
  if (last === null) return null
  const [, code, text] = header.exec(last)!
  const details = last
    .split('\n')
    .slice(1)
    // Newer versions add the batch of a new job.
    .filter(line => !/^\s*\[ \w+ = .*\]\s*$/.test(line))
    .slice(0, 2)
    .map(line => line.trim().replace('\t', ' '))
  return `${code} ${[text, ...details].filter(part => part).join(', ')}`
}

/** Why an idle job waits, and what it asks for, according to condor_q. */
async function waiting(site: Site, handle: JobHandle, task: number): Promise<string> {
  const job = ['-constraint', `${constraintOf(handle)} && ProcId == ${task}`]
  const [analysis, requested] = await Promise.all([
    askCondor(site, ['condor_q', '-better-analyze', ...job]),
    askCondor(site, ['condor_q', ...job, '-autoformat', 'RequestCpus', 'RequestMemory', 'RequestDisk']),
  ])
  if (analysis.exitCode !== 0) return `; condor_q did not answer: ${silenceOf(analysis)}`
  return [analysisText(analysis.stdout), requestText(requested.stdout)].map(text => (text ? `; ${text}` : '')).join('')
}

/**
 * Why a job waits, in the words of `condor_q -better-analyze`; null if it does not say. Versions differ in the order of its parts:
 * - conditions with how many slots meet each, in newer versions also how many would if they ran nothing:
 *   `[5]           0  TARGET.Memory >= RequestMemory`
 * - `Of 5 slots on 1 machines,` or `Of 1 machines,`, followed by a count of these in each line
 * - `WARNING:  Be advised:`, with an advice in the next line
 */
export function analysisText(output: string): string | null {
  const conditions = [...output.matchAll(/^\[\d+\] +(\d+)(?: {2,}(\d+)(?= {2}))? {2}(.+?) *$/gm)]
  const unmet = conditions.flatMap(([, now, idle = now, condition]) => (idle === '0' ? [condition!] : []))
  const [, all, lines = ''] = /Of ([^\n]* machines),\n((?: +\d+ [^\n]*(?:\n|$))*)/.exec(output) ?? []
  if (all === undefined) return conditions.length > 0 && unmet.length === conditions.length ? 'it has no machine' : null
  const advice = /^WARNING: .*\n *(.*\S)/m.exec(output)?.[1]
  const counts = lines.split('\n').flatMap(line => (/^ *0 |^ *$/.test(line) ? [] : [line.trim()]))
  const summary = advice ?? [`of ${all}`, ...counts].join(', ')
  return unmet.length === 0 ? summary : `${summary}: none meets ${unmet.join(' and ')}`
}

/** @param output CPUs, MiB of memory, KiB of disk, which may be fractions */
function requestText(output: string): string | null {
  const match = /^([\d.]+) ([\d.]+) ([\d.]+)$/m.exec(output)
  if (!match) return null
  const [cpus, memory, disk] = match.slice(1).map(Number) as [number, number, number]
  return `it asks for ${cpus} CPU${cpus === 1 ? '' : 's'}, ${memory} MB of memory and ${Math.ceil(disk / 1024)} MB of disk`
}
