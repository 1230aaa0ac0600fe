import { join } from 'node:path'
import type { Stage } from '../../domain/dataset.js'
import type { Experiment } from '../../domain/experiment.js'
import { directionOf, numberOf } from '../../domain/results/metrics.js'
import { valueText } from '../../domain/results/number-text.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { type ListedGroup, readGroupFilter } from '../../domain/runs/group-filter.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { makeStageFolder, type StageLink, stageFolder } from '../../project/data/stage-folder.js'
import { groupIn, presenceOf } from '../../runfolder/files/presence.js'
import { warnOfMissing } from '../registry/datasets-now.js'
import { findExperiment, intactDataset } from '../registry/find-experiment.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'
import { countedRuns } from './counted-runs.js'
import { listGroups } from './list-groups.js'

/** What a dataset is that an experiment makes. */
interface FoundStage {
  /** Absolute. */
  readonly path: string
  /** What a launch puts there first; none for files that are there. */
  readonly links: readonly StageLink[]
  /** Which groups it is of, in words. */
  readonly text: string
}

/** Where the datasets of a launch are, and which of them experiments make. */
interface PlacedDatasets {
  /** Absolute, in the order of the experiment's datasets. */
  readonly datasetPaths: readonly string[]
  readonly stages: readonly LaunchedStage[]
}

/** What an experiment makes for a launch. */
export interface LaunchedStage extends FoundStage {
  readonly dataset: string
}

/**
 * The places of an experiment's datasets for a launch: those that the context names, those of the project, and of what experiments
 * make, the files that are meant now. Nothing is made: see {@link provideStage}.
 * @throws UserError if it is not clear what is meant, or it is not there
 */
export async function placeDatasets(workspace: Workspace, { datasets }: Experiment): Promise<PlacedDatasets> {
  const { site } = workspace
  const there = workspace.findContext(site.name)?.datasets ?? {}
  const paths: string[] = []
  const stages: LaunchedStage[] = []
  for (const name of datasets) {
    const { path, from } = intactDataset(workspace, name)
    if (there[name] !== undefined) paths.push(there[name])
    else if (path !== null) {
      const place = absolutePath(workspace, path)
      if (site.isHere) warnOfMissing(workspace, [place])
      paths.push(place)
    } else {
      const found = await findStage(workspace, name, from!)
      stages.push({ dataset: name, ...found })
      paths.push(found.path)
    }
  }
  return { datasetPaths: paths, stages }
}

/** Says which groups a launch reads. */
export function noteStage(workspace: Workspace, { dataset, text }: LaunchedStage): void {
  workspace.note(`dataset ${dataset}: ${text}`)
}

/** Makes what a launch reads of several groups or files, and says which groups they are. */
export function provideStage(workspace: Workspace, stage: LaunchedStage): void {
  if (stage.links.length > 0) makeStageFolder(workspace.project, stage.links)
  noteStage(workspace, stage)
}

/** Finds what a stage means now. @throws UserError if that is not clear, or it is not there */
export async function findStage(workspace: Workspace, name: string, stage: Stage): Promise<FoundStage> {
  const { runs, groups } = await candidates(workspace, name, stage)
  const { chosen, text } = stage.each ? all(stage, groups) : one(workspace, name, stage, groups)
  const files = chosen.flatMap(group => filesOf(workspace, name, stage, runs, group))
  const [first] = files
  if (!stage.each && files.length === 1) return { path: first!.target, links: [], text }
  return { path: stageFolder(workspace.project, files), links: files, text }
}

/** The groups that speak for a cell and fit. @throws UserError if there is none */
async function candidates(workspace: Workspace, name: string, stage: Stage) {
  const { best, run, param } = stage
  const experiment = findExperiment(workspace, stage.experiment).name
  if (workspace.store.runs.listOf(experiment).length === 0)
    throw new UserError(`dataset ${name}: ${experiment}, which makes it, has no runs yet`, `qanat run ${experiment} …`)
  const [runWord, index] = run?.split('.') ?? []
  const filter = readGroupFilter({ param, status: ['finished'] })
  const listing = await listGroups(workspace, {
    ...{ experiment, filter, sort: null, limit: null, isComplete: best !== null },
    runs: runWord === undefined ? [] : [runWord],
  })
  const { left } = await countedRuns(workspace, listing.runs.toReversed(), [])
  const counted = new Set(listing.runs.filter(each => !each.retired).map(({ id }) => id))
  const groups = listing.groups.filter(
    group =>
      counted.has(group.run) &&
      !left.get(group.run)?.has(group.index) &&
      (index === undefined || group.index === Number(index)),
  )
  if (groups.length > 0) return { runs: new Map(listing.runs.map(each => [each.id, each])), groups }
  const fitting = param.length > 0 ? ` with ${param.join(' and ')}` : ''
  throw new UserError(
    `dataset ${name}: no group of ${run === null ? experiment : `run ${run}`}${fitting} has finished`,
    `qanat groups ${experiment}        lists them`,
  )
}

interface Chosen {
  readonly chosen: readonly ListedGroup[]
  readonly text: string
}

function all({ experiment }: Stage, groups: readonly ListedGroup[]): Chosen {
  const runs = [...new Set(groups.map(({ run }) => run))].sort((one, other) => one - other)
  const text = `${groups.length} groups of ${experiment}, run${runs.length === 1 ? '' : 's'} ${fewInSentence(runs.map(String))}`
  return { chosen: inOrder(groups), text }
}

/** The only group, or the best one; of equal ones the oldest. @throws UserError if there are several, or none has the metric */
function one(workspace: Workspace, name: string, { experiment, best }: Stage, groups: readonly ListedGroup[]): Chosen {
  if (best === null) {
    const [only, ...others] = groups
    if (others.length === 0) return { chosen: [only!], text: `group ${groupText(only!)} of ${experiment}` }
    throw new UserError(
      `dataset ${name}: ${groups.length} groups of ${experiment} fit: ${fewInSentence(inOrder(groups).map(groupText))}`,
      `qanat dataset update ${name}        says which: best, run, param, or each: true for all`,
    )
  }
  const direction = directionOf(best, findExperiment(workspace, experiment).results.best)
  if (direction === null) {
    throw new UserError(
      `dataset ${name}: ${experiment} does not say which ${best} is the best`,
      `write best: {${best}: max} into its file, or min: qanat experiment update ${experiment}`,
    )
  }
  const sign = direction === 'max' ? 1 : -1
  const known = inOrder(groups).flatMap(group => {
    const value = numberOf(group.metrics[best])
    return value === null || Number.isNaN(value) ? [] : [{ group, value }]
  })
  const [first] = known.toSorted((a, b) => sign * (b.value - a.value))
  if (first === undefined) {
    throw new UserError(
      `dataset ${name}: no group of ${experiment} has a number as ${best}`,
      `qanat groups ${experiment}        shows their metrics`,
    )
  }
  const equal = known.filter(({ group, value }) => value === first.value && group !== first.group)
  const also = equal.length === 0 ? '' : `, the first of ${equal.length + 1} with this value`
  return {
    chosen: [first.group],
    text: `group ${groupText(first.group)} of ${experiment}, ${best} ${valueText(first.value)}${also}`,
  }
}

function inOrder(groups: readonly ListedGroup[]): ListedGroup[] {
  return groups.toSorted((one, other) => one.run - other.run || one.index - other.index)
}

function groupText({ run, index }: ListedGroup): string {
  return `${run}.${index}`
}

/** @throws UserError if a file of a group is not there */
function filesOf(
  workspace: Workspace,
  name: string,
  { file, each }: Stage,
  runs: ReadonlyMap<number, Run>,
  group: ListedGroup,
) {
  const run = runs.get(group.run)!
  const folder = groupIn(readFolder(workspace, run), totalOf(run.counts), group.index)
  return (file.length > 0 ? file : ['']).map(path => {
    const presence = presenceOf(folder, path)
    if (presence === 'gone' || (presence === 'not fetched' && run.site !== workspace.site.name)) {
      const [is, next] =
        presence === 'gone'
          ? ['is gone from', `ls ${folder.path}        lists what is there`]
          : ['is not fetched of', `qanat run_fetch ${groupText(group)}        fetches it`]
      throw new UserError(`dataset ${name}: ${path || 'the folder'} ${is} group ${groupText(group)}`, next)
    }
    const inFolder = each ? join(groupText(group), path) : path
    return { name: inFolder || groupText(group), target: join(folder.path, path) }
  })
}
