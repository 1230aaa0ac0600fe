import type { GridColumn } from '../../parameters/group-parameters.js'
import { columnsOfRuns, numbersOfEqual } from './columns.js'

/** A run whose groups may speak for cells. */
export interface SpeakingRun {
  readonly id: number
  /** The id of the launch that it repeats, directly or through other reruns; its own if it repeats none. */
  readonly rank: number
  readonly groups: number
  /** What tells cells apart: the parameters and the program of a group, and origins that are asked for. */
  readonly columns: readonly GridColumn[]
  readonly hasFinished: (index: number) => boolean
}

/** The indices of groups that do not count, by the id of their run. */
export type NotCounted = ReadonlyMap<number, ReadonlySet<number>>

export const allCount: NotCounted = new Map()

/**
 * The groups that do not speak for their cells, since another one does. The newest group that has finished speaks, whatever its code
 * and its data; if none has finished, the newest one speaks. A rerun is as old as the launch that it repeats: it speaks only where
 * that has not finished.
 * @param runs the oldest first
 * @param without groups that do not speak, and silence no other one
 */
export function notSpeaking(runs: readonly SpeakingRun[], without: NotCounted = allCount): NotCounted {
  const count = runs.reduce((sum, { groups }) => sum + groups, 0)
  const cells = numbersOfEqual(
    columnsOfRuns(runs).filter(({ varies }) => varies),
    count,
  )
  const speakers: { run: SpeakingRun; index: number }[] = []
  const left = new Map<number, Set<number>>()
  let at = 0
  for (const run of runs) {
    for (let index = 0; index < run.groups; index++) {
      const cell = cells[at++]!
      if (without.get(run.id)?.has(index)) continue
      const group = { run, index }
      const known = speakers[cell]
      const isSilent = known !== undefined && !speaksBefore(group, known)
      if (!isSilent) speakers[cell] = group
      const silent = isSilent ? group : known
      if (silent) left.set(silent.run.id, (left.get(silent.run.id) ?? new Set()).add(silent.index))
    }
  }
  return left
}

interface Group {
  readonly run: Pick<SpeakingRun, 'rank' | 'hasFinished'>
  readonly index: number
}

/** Whether a group speaks for a cell rather than one that was launched before it. */
export function speaksBefore(group: Group, earlier: Group): boolean {
  const [has, had] = [group, earlier].map(({ run, index }) => run.hasFinished(index))
  if (has !== had) return has!
  if (group.run.rank !== earlier.run.rank) return group.run.rank > earlier.run.rank
  return !has || group.run === earlier.run
}
