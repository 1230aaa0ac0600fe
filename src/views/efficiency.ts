import { isOver } from '../domain/runs/aggregate.js'
import type { ResourceUse } from '../domain/runs/efficiency.js'
import type { Run } from '../domain/runs/run.js'
import { memoryText } from './format/sizes.js'
import type { Style } from './format/style.js'
import { duration } from './format/times.js'
import type { Column } from './model.js'
import { type JsonObject, jsonRow } from './render/json.js'
import { terminalTable } from './render/terminal.js'

const titles = { memory: 'memory', time: 'time', cpus: 'CPUs' } as const

const columns: readonly Column<ResourceUse>[] = [
  { key: 'resource', title: 'Resource', value: ({ resource }) => resource, text: ({ resource }) => titles[resource] },
  {
    key: 'asked',
    title: 'Asked for',
    value: ({ asked }) => asked,
    text: ({ resource, asked }) => (asked === null ? '' : amountText(resource, asked)),
  },
  { key: 'groups', title: 'Groups', value: ({ groups }) => groups },
  { key: 'median', title: 'Median', value: ({ median }) => median, text: use => usedText(use, use.median) },
  { key: 'most', title: 'Most', value: ({ most }) => most.used, text: use => usedText(use, use.most.used) },
  { key: 'most_group', title: 'of group', value: ({ most }) => most.group },
  { key: 'enough', value: ({ enough }) => enough },
]

/** What the finished groups of a run have used of what was asked for, and what would have been enough. */
export function efficiencyText(style: Style, run: Run, uses: readonly ResourceUse[]): string {
  if (uses.length === 0) {
    const { finished } = run.counts
    const why =
      finished > 0 ? 'nothing was recorded' : isOver(run.counts) ? 'none has finished' : 'none has finished yet'
    return `Nothing is known of what the groups of run ${run.id} used: ${why}`
  }
  const arrow = style.symbol('→').trim() || '->'
  const shown = columns.filter(({ title }) => title !== undefined)
  const hints = uses
    .filter(({ enough }) => enough !== null)
    .map(({ resource, enough }) => `  ${arrow} ${titles[resource]}: ${amountText(resource, enough!)} would be enough`)
  return [
    `What the finished groups of run ${run.id} used, and what the template asked for:`,
    terminalTable({ columns: shown, rows: uses }, style, 'whole'),
    ...hints,
  ].join('\n')
}

/** The same for programs: bytes, seconds, and processors on average. */
export function efficiencyJson(run: Run, uses: readonly ResourceUse[]): object {
  return { run: run.id, resources: uses.map((use): JsonObject => jsonRow(columns, use)) }
}

/** `1.2 G (15%)` */
function usedText({ resource, asked }: ResourceUse, used: number): string {
  return asked === null || asked === 0
    ? amountText(resource, used)
    : `${amountText(resource, used)} (${Math.round((100 * used) / asked)}%)`
}

function amountText(resource: ResourceUse['resource'], amount: number): string {
  if (resource === 'memory') return memoryText(amount)
  return resource === 'time' ? duration(1000 * amount) : String(Math.round(10 * amount) / 10)
}
