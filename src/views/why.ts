import type { GroupStatus } from '../domain/runs/run.js'
import type { Why } from '../operations/runs/why-run.js'
import { aligned } from './format/aligned.js'
import type { Style } from './format/style.js'
import { causeText } from './runs/state.js'

/** Why a group is in its state: what each source says, its last lines of output, and what to type next. */
export function whyText({ symbol }: Style, { run, index, status, witnesses, lastWords, next }: Why): string {
  const others = run.counts[status.state] - 1
  const more = others > 0 ? ` (${others} more ${status.state})` : ''
  const cause = status.state === 'failed' || status.state === 'lost' ? `: ${causeText(status)}` : ''
  const held = status.state === 'held' && status.reason ? `: ${status.reason}` : ''
  const suspended = status.state === 'running' && status.suspended ? ', and is suspended' : ''
  const head = `Group ${index} of run ${run.id} ${verb(status)}${cause}${held}${suspended}${more}`
  const said = witnesses.map(({ name, text }) => [`  ${name}`, text])
  const lines = lastWords.lines.map((line, at) => [at === 0 ? `  ${lastWords.stream}` : '', line])
  const table = said.length + lines.length > 0 ? [aligned([...said, ...lines])] : []
  const arrow = symbol('→').trim() || '->'
  return [head, ...table, ...next.map(command => `  ${arrow} ${command}`)].join('\n')
}

function verb({ state }: GroupStatus): string {
  return state === 'failed' ? 'failed' : `is ${state}`
}
