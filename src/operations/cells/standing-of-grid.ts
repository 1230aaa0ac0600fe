import { gridValues } from '../../domain/parameters/group-parameters.js'
import { spellingNote, spellingsBeside } from '../../domain/results/comparison/spellings.js'
import {
  finishedGroups,
  type Standing,
  type StandingRun,
  standingOf,
} from '../../domain/results/comparison/standing.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import { HERE, haltOf, hasEnded, type Run } from '../../domain/runs/run.js'
import { asFarAsStored } from '../as-far-as-stored.js'
import { comparedCodeOf } from '../code/code-definition.js'
import { politeAgeOf } from '../refresh/polling.js'
import { openRuns, refreshRuns } from '../refresh/refresh-runs.js'
import { programText } from '../registry/launched-experiment.js'
import { runnerOf, type Workspace } from '../workspace.js'
import { otherCodeNote } from './other-code.js'
import { runsOfCode } from './same-code.js'
import type { WantedCells } from './wanted-cells.js'

/** How far they have come. */
export interface GridStanding extends Standing {
  /** Sentences on numbers in other words, on runs of which nobody knows how far they are, and on results of other code. */
  readonly notes: () => Promise<readonly string[]>
  /** For each group of the grid, the finished one that speaks for its cell; null if none has finished. */
  readonly groups: () => ReturnType<typeof finishedGroups>
  /**
   * For a launch of what is missing, which calls it in the transaction that makes the run.
   * @throws TakenError if a launch or a retry has begun since, or a run was retired, deleted, or counts again
   */
  readonly refuseTaken: () => void
}

/** Another launch may have taken cells since they were found missing: they have to be looked for again. */
class TakenError extends Error {}

/** Launches what is missing, and looks again as long as others launch some of it at the same moment. */
export async function untilUntaken<Result>(launch: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await launch()
    } catch (error) {
      if (!(error instanceof TakenError)) throw error
    }
  }
}

/**
 * How far cells have come, as of now. Groups count whose run is not retired and has the same program, the same container, and the
 * same code. Those of a run that cannot be asked, or that nothing will start, count as pending.
 */
export async function standingOfGrid(workspace: Workspace, wanted: WantedCells): Promise<GridStanding> {
  const { store } = workspace
  const { experiment, grid, code, same, uncountedFiles } = wanted
  const live = openRuns(workspace).filter(run => run.experiment === experiment.name)
  if (live.length > 0) await asFarAsStored(workspace, () => refreshRuns(workspace, live))
  const launches = store.cells.launches(experiment.name)
  const fitting = fittingRuns(workspace, wanted)
  const counts = comparedCodeOf(workspace, experiment, uncountedFiles)
  const runs = code === null ? fitting : await runsOfCode(workspace, fitting, code, counts, same)
  const silent = new Set(runs.filter(run => isSilent(workspace, run)))
  const known = store.reading(() => runs.map(run => standingRun(workspace, run, silent.has(run))))
  const standing = standingOf(grid, known)
  return {
    ...standing,
    refuseTaken() {
      if (store.cells.launches(experiment.name) !== launches) throw new TakenError('cells were taken')
    },
    groups: () => finishedGroups(grid, known),
    async notes() {
      const spellings = spellingsBeside(
        gridValues(grid)!,
        known.map(each => gridValues(each.grid)!),
      )
      const counted = new Set(runs)
      const otherCode = await otherCodeNote(workspace, wanted, {
        indices: standing.missing.map(({ index }) => index),
        others: fitting.filter(run => !counted.has(run)),
        standingRun: run => standingRun(workspace, run, false),
      })
      return [...spellings.map(spellingNote), ...waitNotes(runs, silent, standing), ...otherCode]
    },
  }
}

/** Those whose cells count, whatever their code is; the oldest first. */
function fittingRuns({ store }: Workspace, wanted: WantedCells): Run[] {
  const { experiment, container } = wanted
  const program = programText(experiment)
  const inContainer = (run: Run) => run.runnerParameters.container?.image === container?.image
  const isWanted = (run: Run) =>
    !run.retired &&
    wanted.counts?.(run) !== false &&
    inContainer(run) &&
    programText(store.runs.definition(run.id).experiment) === program
  return store.reading(() => store.runs.listOf(experiment.name).filter(isWanted)).reverse()
}

function standingRun(workspace: Workspace, run: Run, isSilent: boolean): StandingRun {
  const { id, counts } = run
  const { runs, cells } = workspace.store
  const groups = totalOf(counts)
  const states = counts.finished === groups ? null : cells.states(id)
  const stateOf = (index: number) => states?.get(index) ?? { state: 'pending' as const, cause: null }
  return {
    ...{ id, groups, grid: runs.grid(id), rank: workspace.store.cells.first(run) },
    hasFinished: index => states === null || states.get(index)?.state === 'finished',
    unfinished: index => {
      const known = stateOf(index)
      return isSilent && !hasEnded(known.state) ? { state: 'pending', cause: null } : known
    },
  }
}

/** Whether a live run did not answer when it was asked last, such as one on another machine. */
function isSilent(workspace: Workspace, run: Run): boolean {
  return !isOver(run.counts) && Date.now() - run.asOf > politeAgeOf(workspace, runnerOf(workspace, run))
}

/** For each run that holds cells, and of which nobody knows when they will run, why it does, and what to type. */
function waitNotes(runs: readonly Run[], silent: ReadonlySet<Run>, { pending }: Standing): string[] {
  return runs.flatMap(run => {
    const { id, site } = run
    const halt = haltOf(run)
    if (!pending.has(id) || !(silent.has(run) || halt)) return []
    const [why, next] = silent.has(run)
      ? [
          `run ${id}${site === HERE ? '' : ` (${site})`} does not answer`,
          `${site === HERE ? `qanat why ${id}` : `qanat context test ${site}`}        shows the reason`,
        ]
      : halt === 'paused'
        ? [`run ${id} is paused`, `qanat run_slots ${id} 1        goes on with it`]
        : [`run ${id} has no worker`, `qanat run_wait ${id} --yes        goes on with it`]
    const waiting = pending.get(id)!
    const [cells, count] = waiting === 1 ? ['cell', 'counts'] : ['cells', 'count']
    return [
      `${why}, and ${waiting} ${cells} of it ${count} as pending\n${next}; qanat run_retire ${id} lets the ${cells} be launched again`,
    ]
  })
}
