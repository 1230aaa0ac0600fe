import { groupBy } from '../group-by.js'
import { fewInSentence } from '../text/names.js'

/** A run together with others that rerun the same one, directly or through others. All of them have the same groups. */
export interface ChainedRun {
  readonly id: number
  /** The id of the first run of its chain, which need not be among the others. */
  readonly root: number
  /**
   * A text that differs from that of runs of the chain with another environment or other data; empty if these do not
   * matter.
   */
  readonly origin: string
  readonly groups: number
  readonly finished: ReadonlySet<number>
}

/** The indices of groups that do not count, by the id of their run. */
export type NotCounted = ReadonlyMap<number, ReadonlySet<number>>

export const allCount: NotCounted = new Map()

/**
 * Which groups do not count, so that a run and its rerun never count twice. If several runs of a chain have the same
 * origin, each of their groups counts in one of these runs only: in the latest run in which it has finished, or in the
 * latest run if it has finished in none.
 * @param runs the oldest first
 */
export function notCounted(runs: readonly ChainedRun[]): NotCounted {
  const left = new Map<number, Set<number>>()
  for (const chain of chainsOf(runs)) {
    for (let index = 0; index < chain[0]!.groups; index++) {
      const counted = chain.findLast(({ finished }) => finished.has(index)) ?? chain.at(-1)!
      for (const { id } of chain) {
        if (id !== counted.id) left.set(id, (left.get(id) ?? new Set()).add(index))
      }
    }
  }
  return left
}

/** What {@link notCounted} left out, in words: a sentence for each chain. */
export function notCountedTexts(runs: readonly ChainedRun[], left: NotCounted): string[] {
  return chainsOf(runs).map(chain => {
    const root = chain[0]!.root
    const again = chain.filter(({ id }) => id !== root).map(({ id }) => String(id))
    const reruns = again.length === 1 ? `run ${again[0]} is a rerun` : `runs ${fewInSentence(again)} are reruns`
    const sizeOf = (id: number) => left.get(id)?.size ?? 0
    const whole = chain.filter(({ id, groups }) => sizeOf(id) === groups).map(({ id }) => String(id))
    const partly = chain.filter(({ id, groups }) => sizeOf(id) > 0 && sizeOf(id) < groups)
    const parts = [
      ...(whole.length > 0 ? [`run${whole.length === 1 ? '' : 's'} ${fewInSentence(whole)}`] : []),
      ...partly.map(({ id }) => `${sizeOf(id)} group${sizeOf(id) === 1 ? '' : 's'} of run ${id}`),
    ]
    const isOne = parts.length === 1 && (whole.length === 1 || (partly[0] && sizeOf(partly[0].id) === 1))
    return `${reruns} of run ${root}: ${fewInSentence(parts)} ${isOne ? 'is' : 'are'} not counted`
  })
}

/** The runs by their chain and origin, where there are several of them. */
function chainsOf(runs: readonly ChainedRun[]): ChainedRun[][] {
  const chains = groupBy(runs, ({ root, origin }) => `${root} ${origin}`)
  return [...chains.values()].filter(({ length }) => length > 1)
}
