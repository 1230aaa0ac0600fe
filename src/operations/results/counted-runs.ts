import type { ParameterGrid } from '../../domain/parameters/grid.js'
import { areDistinct, type GridColumn, gridColumns } from '../../domain/parameters/group-parameters.js'
import { allCount, type NotCounted, notSpeaking, type SpeakingRun } from '../../domain/results/comparison/speaking.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { otherData } from '../data/other-data.js'
import { programNames } from '../registry/launched-experiment.js'
import type { Workspace } from '../workspace.js'
import { everything, notFitting, notLookedAt, refuseNothing, union } from './looked-at.js'
import { originColumns, originsOf } from './run-origins.js'

/** The parameters of runs, each read once. */
export class Grids {
  private readonly known = new Map<number, { readonly grid: ParameterGrid; readonly columns: readonly GridColumn[] }>()

  constructor(private readonly store: Workspace['store']) {}

  of(run: number) {
    const known = this.known.get(run)
    if (known) return known
    const grid = this.store.runs.grid(run)
    const found = { grid, columns: gridColumns(grid) }
    this.known.set(run, found)
    return found
  }
}

/** Runs with the groups that speak for their cells. */
export interface CountedRuns {
  /** Those of which at least one group counts, the oldest first. */
  readonly runs: readonly Run[]
  /** Which groups of these and of other runs do not count. */
  readonly left: NotCounted
  /** Sentences on these, and on groups whose data are not recorded. */
  readonly notes: readonly string[]
}

/**
 * Leaves out retired runs, and the groups that do not speak for their cells among those of the others, see {@link notSpeaking}.
 * @param runs of one experiment, the oldest first
 * @param apart the parts of their origins that tell cells apart besides the program; null if all groups count, however often
 * their cells were run
 * @param looked what somebody looks at: no other group counts
 * @throws UserError if all runs are retired, and if no group is left
 */
export async function countedRuns(
  workspace: Workspace,
  runs: readonly Run[],
  apart: readonly string[] | null,
  looked = everything,
): Promise<CountedRuns & { readonly grids: Grids }> {
  const retired = runs.filter(run => run.retired)
  if (retired.length > 0 && retired.length === runs.length) throw allRetired(runs)
  const counting = retired.length === 0 ? runs : runs.filter(run => !run.retired)
  const others = notLookedAt(workspace, counting, looked)
  const grids = new Grids(workspace.store)
  const silent = apart === null ? allCount : await groupsLeftOut(workspace, counting, grids, apart, others)
  const left = union(others, silent, notFitting(workspace, counting, looked))
  const counted =
    left.size === 0 ? counting : counting.filter(({ id, counts }) => left.get(id)?.size !== totalOf(counts))
  refuseNothing(looked, counted.length > 0)
  return {
    runs: counted,
    left,
    grids,
    notes: [...retiredTexts(retired), ...notCountedTexts(silent), ...otherData(workspace, counted)],
  }
}

async function groupsLeftOut(
  workspace: Workspace,
  runs: readonly Run[],
  grids: Grids,
  apart: readonly string[],
  without: NotCounted,
): Promise<NotCounted> {
  const { store } = workspace
  const [only, ...others] = runs
  if (others.length === 0 && only && areDistinct(grids.of(only.id).grid)) return allCount
  const programs = programNames(workspace, runs)
  const origins = apart.length === 0 ? null : (await originsOf(workspace, runs)).origins
  const programOf = ({ id }: Run): GridColumn[] =>
    programs.has(id) ? [{ name: 'executable', stride: 1, values: [programs.get(id)] }] : []
  const speaking = store.reading(() =>
    runs.map((run): SpeakingRun => {
      const { id, counts } = run
      const groups = totalOf(counts)
      const finished = counts.finished === groups ? null : store.runs.finishedGroups(id)
      return {
        ...{ id, groups, rank: workspace.store.cells.first(run) },
        columns: [
          ...grids.of(id).columns,
          ...(origins ? originColumns(workspace, id, origins, apart, groups) : []),
          ...programOf(run),
        ],
        hasFinished: finished === null ? () => true : index => finished.has(index),
      }
    }),
  )
  return notSpeaking(speaking, without)
}

function allRetired(runs: readonly Run[]): UserError {
  const ids = runs.map(({ id }) => String(id))
  const [are, them] = ids.length === 1 ? [`run ${ids[0]} is`, 'it'] : [`runs ${fewInSentence(ids)} are`, 'them']
  return new UserError(
    `${are} retired, and there are no others`,
    `qanat run_retire --undo ${ids.join(' ')}        lets ${them} count again`,
  )
}

function retiredTexts(runs: readonly Run[]): string[] {
  const ids = fewInSentence(runs.map(({ id }) => String(id)))
  return runs.length === 0
    ? []
    : [runs.length === 1 ? `run ${ids} is retired, and not used` : `runs ${ids} are retired, and not used`]
}

/** How many groups do not count, of which runs, in words; none if all count. */
function notCountedTexts(left: NotCounted): string[] {
  const count = [...left.values()].reduce((sum, { size }) => sum + size, 0)
  if (count === 0) return []
  const runs = `run${left.size === 1 ? '' : 's'} ${fewInSentence([...left.keys()].map(String))}`
  const [groups, are, have] = count === 1 ? ['group', 'is', 'another one has'] : ['groups', 'are', 'others have']
  return [`${count} ${groups} of ${runs} ${are} not used: ${have} the same parameters`]
}
