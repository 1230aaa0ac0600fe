import { lastEventOf } from '../../runfolder/evidence/event-log.js'
import type { Site } from '../../sites/site.js'
import { recordWitness } from '../scheduler/evidence.js'
import type { JobHandle, Witness } from '../types.js'
import { askCondor, silenceOf } from './calls.js'
import { constraintOf } from './queue.js'

/** What HTCondor and the job's own record say about a group, in words. */
export async function explainCondor(site: Site, handle: JobHandle, task: number): Promise<Witness[]> {
  const id = `${handle.id}.${task}`
  // A job that is not made yet (max_materialize) has no event, but its cluster may have one that tells why.
  const event = lastEvent(handle, `0*${task}`) ?? lastEvent(handle, '-\\d+')
  const waits = event === null || /^0(00|13|04)/.test(event) ? await analysis(site, handle, task) : null
  return [
    { name: 'HTCondor', text: `job ${id}: ${event?.slice(4) ?? 'no event yet'}${waits ? `; ${waits}` : ''}` },
    recordWitness(handle, task),
  ]
}

/**
 * The last event of a job, on one line, its code first; events about sizes, transfers and the submission of the cluster are
 * ignored.
 * @param proc a pattern of its number, which is negative for the whole cluster
 */
function lastEvent({ id, storagePath, attempt }: JobHandle, proc: string): string | null {
  const header = new RegExp(`^(?!006|035|040)(\\d{3}) \\(0*${id}\\.${proc}\\.-?\\d+\\) (.*)$`, 'm')
  const last = lastEventOf(storagePath, attempt, header)
  if (last === null) return null
  const [, code, text] = header.exec(last)!
  const details = last
    .split('\n')
    .slice(1, 3)
    .map(line => line.trim().replace('\t', ' '))
  return `${code} ${[text, ...details].filter(part => part).join(', ')}`
}

/** Why an idle job is not matched, according to condor_q; null if it does not say. */
async function analysis(site: Site, handle: JobHandle, task: number): Promise<string | null> {
  const constraint = `${constraintOf(handle)} && ProcId == ${task}`
  const result = await askCondor(site, ['condor_q', '-better-analyze', '-constraint', constraint])
  if (result.exitCode !== 0) return `condor_q did not answer: ${silenceOf(result)}`
  const line = result.stdout.split('\n').findLast(text => /match|machines|reason/i.test(text))
  return line?.trim() ?? null
}
