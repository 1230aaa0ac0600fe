import type { Run } from '../../runs/run.js'
import { fewInSentence } from '../../text/names.js'
import type { Cell, MetricChoice } from '../compare.js'

/**
 * Says how many groups that have finished have none of the metrics that others have: those whose files are not there, and those of
 * which a mean is silent, since other groups of their cell have it.
 * @returns sentences, and the cells of which no group has any of the metrics
 * @param presence whether the folder of a run is there; asked only of few runs
 */
export function withoutMetrics(
  runs: readonly Run[],
  cells: readonly Cell[],
  metrics: readonly MetricChoice[],
  presence: (run: Run) => 'there' | 'gone' | 'not fetched',
): { notes: string[]; bare: ReadonlySet<Cell> } {
  const bare = new Set<Cell>()
  const [all, silent] = [new Map<number, number>(), new Map<number, number>()]
  for (const cell of cells) {
    const { groups } = cell
    const without = groups.filter(group => !metrics.some(({ name }) => name in group.metrics))
    if (without.length === groups.length) bare.add(cell)
    for (const { run } of without) {
      all.set(run, (all.get(run) ?? 0) + 1)
      if (without.length < groups.length) silent.set(run, (silent.get(run) ?? 0) + 1)
    }
  }
  const found = runs.map(run => ({ run, presence: all.has(run.id) ? presence(run) : 'there' }))
  const absent = (['gone', 'not fetched'] as const).map(state => {
    return { state, those: found.flatMap(each => (each.presence === state ? each.run : [])) }
  })
  const others = found.flatMap(each => (each.presence === 'there' && silent.has(each.run.id) ? each.run : []))
  const notes = [
    ...absent.flatMap(({ state, those }) => {
      const [are, is] = those.length === 1 ? ['folder of', 'is'] : ['folders of', 'are']
      return text(those, all, ids => `: the ${are} ${ids} ${is} ${state}`)
    }),
    ...text(others, silent, ids => `, of ${ids}`),
  ]
  return { notes, bare }
}

function text(runs: readonly Run[], counts: ReadonlyMap<number, number>, more: (ids: string) => string): string[] {
  if (runs.length === 0) return []
  const count = runs.reduce((sum, { id }) => sum + counts.get(id)!, 0)
  const ids = `run${runs.length === 1 ? '' : 's'} ${fewInSentence(runs.map(({ id }) => String(id)))}`
  return [`${count} finished ${count === 1 ? 'group has' : 'groups have'} no metrics${more(ids)}`]
}
