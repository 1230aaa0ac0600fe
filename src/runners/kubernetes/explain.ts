import type { Event, Job, Pod } from '../../domain/pods/objects.js'
import { podEnd } from '../../domain/pods/reasons.js'
import { kubectlError } from '../../domain/pods/refusals.js'
import { hasEndedByItself } from '../../domain/runs/group-record.js'
import { SlotJournals } from '../../runfolder/evidence/slot-journals.js'
import type { Site } from '../../sites/site.js'
import { textOfRecord } from '../record-text.js'
import type { JobHandle, Witness } from '../types.js'
import { jobStem } from './jobs.js'
import { getWords, kubectlPatience } from './kubectl.js'
import { readQueue, waitText } from './queue.js'

/** What the cluster and the journals say about a group, in words. */
export async function explainGroup(site: Site, handle: JobHandle, index: number): Promise<Witness[]> {
  const { ends, starts } = new SlotJournals(handle.place.here, null).readOn()
  const record = ends.get(index) ?? starts.findLast(each => each.index === index) ?? null
  const end = { name: 'exit record', text: textOfRecord(record) }
  const ask = (words: readonly string[]) => site.run(words, { timeout: kubectlPatience })
  const [objects, events] = await Promise.all([
    ask(getWords(site, [handle.token])),
    ask([...site.namespace!.kubectl, 'get', 'events', '--sort-by=.lastTimestamp', '-o', 'json']),
  ])
  const queue = readQueue(objects.exitCode === 0 ? objects.stdout : null)
  if (queue === null) return [{ name: 'Kubernetes', text: `cannot be asked: ${kubectlError(objects).message}` }, end]
  const launched = queue(handle.token, handle.attempt)
  const told = events.exitCode === 0 ? (JSON.parse(events.stdout) as { items: Event[] }).items : []
  if (record === null) return [{ name: 'Kubernetes', text: waitText(launched, told) ?? countText(launched) }, end]
  if (hasEndedByItself(record)) return [end]
  const pod = launched.pods.find(({ metadata }) => metadata.name === record.jobId)
  return [{ name: 'Kubernetes', text: `pod ${record.jobId} ${pod ? podText(pod) : goneText(record.jobId, told)}` }, end]
}

/** Its last event may tell who has removed it. */
function goneText(name: string | null, events: readonly Event[]): string {
  const last = events.findLast(({ involvedObject }) => involvedObject.name === name)
  return last ? `is gone (${last.reason}: ${last.message?.trim()})` : 'is gone'
}

function podText(pod: Pod): string {
  const end = podEnd(pod)
  return end === null ? 'runs' : `has ended (${end.text})`
}

function countText({ jobs, pods }: { readonly jobs: readonly Job[]; readonly pods: readonly Pod[] }): string {
  const living = pods.filter(pod => podEnd(pod) === null).length
  if (living > 0)
    return `${living} pod${living === 1 ? '' : 's'} take${living === 1 ? 's' : ''} groups one after another`
  return jobs.length === 0 ? 'none of its jobs is there' : 'none of its pods runs'
}

/** The names of the jobs of handles for people. */
export function describeJobs(handles: readonly JobHandle[]): string {
  const counts = new Map<string, number>()
  for (const handle of handles) {
    const stem = jobStem(handle)
    counts.set(stem, (counts.get(stem) ?? 0) + Number(handle.data.workers))
  }
  return `Kubernetes jobs ${Array.from(counts, ([stem, count]) => `${stem}* (${count})`).join(', ')}`
}
