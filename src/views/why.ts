import type { Asked } from '../domain/job-environment.js'
import type { GroupStatus } from '../domain/runs/run.js'
import type { Why } from '../operations/runs/why-run.js'
import { aligned } from './format/aligned.js'
import { memoryText } from './format/sizes.js'
import type { Style } from './format/style.js'
import { duration } from './format/times.js'
import { cpuText, usedBy, usedText } from './runs/groups.js'
import { causeText } from './runs/state.js'

/** Why a group is in its state: what each source says, its last lines of output, and what to type next. */
export function whyText({ symbol }: Style, { run, index, status, asked, witnesses, lastWords, next }: Why): string {
  const others = run.counts[status.state] - 1
  const more = others > 0 ? ` (${others} more ${status.state})` : ''
  const cause = status.state === 'failed' || status.state === 'lost' ? `: ${causeText(status)}` : ''
  const held = status.state === 'held' && status.reason ? `: ${status.reason}` : ''
  const suspended = status.state === 'running' && status.suspended ? ', and is suspended' : ''
  const head = `Group ${index} of run ${run.id} ${verb(status)}${cause}${held}${suspended}${more}`
  const used = usageText(status, asked)
  const said = [...witnesses, ...(used ? [{ name: 'used', text: used }] : [])].map(({ name, text }) => [
    `  ${name}`,
    text,
  ])
  const output = lastWords.fetched || lastWords.lines.length > 0 ? lastWords.lines : ['(not fetched)']
  const lines = output.map((line, at) => [at === 0 ? `  ${lastWords.stream}` : '', line])
  const table = said.length + lines.length > 0 ? [aligned([...said, ...lines])] : []
  const arrow = symbol('→').trim() || '->'
  return [head, ...table, ...next.map(command => `  ${arrow} ${command}`)].join('\n')
}

/** What a group has used of what was asked for; empty if nothing is known. */
function usageText(status: GroupStatus, asked: Asked): string {
  const used = usedBy(status)
  if (!used) return ''
  const memory = usedText(used.peakMemory, asked.memory, memoryText)
  const cpu = cpuText(used.cpuTime)
  const time = asked.time === null ? '' : usedText(lastedFor(status), 1000 * asked.time, duration)
  return [memory && `memory at least ${memory}`, cpu && `CPU time ${cpu}`, time && `time ${time}`]
    .filter(text => text)
    .join(', ')
}

/** Milliseconds from the start to the end; null if one of them is not known. */
function lastedFor(status: GroupStatus): number | null {
  if (!('finished' in status) || status.started === null || status.finished === null) return null
  return status.finished - status.started
}

function verb({ state }: GroupStatus): string {
  return state === 'failed' ? 'failed' : `is ${state}`
}
