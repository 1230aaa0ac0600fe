import { relative } from 'node:path'
import { fitsAny } from '../../domain/code-used.js'
import { differenceText } from '../../domain/data/compare-listings.js'
import type { DataFile, DataListing } from '../../domain/data/fingerprint.js'
import { variedFacts } from '../../domain/environments/differences.js'
import { softwareKinds, unknownParts } from '../../domain/environments/environment.js'
import {
  compareMetrics,
  isDifference,
  type MetricPair,
  metricPair,
  type Verdict,
} from '../../domain/results/reproduced.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder, groupOfFile } from '../../domain/runs/run-plan.js'
import { fewInSentence } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { compareFiles } from '../../runfolder/files/compare-files.js'
import { groupIn, presenceOf } from '../../runfolder/files/presence.js'
import { dataBetween } from '../data/compare-data.js'
import { otherData } from '../data/other-data.js'
import { awaitEnvironments, comparable, storedEnvironments } from '../environments/run-environments.js'
import { runFolder } from '../folder/run-files.js'
import { changesSince } from '../outputs/changes-since.js'
import { completeOutputs } from '../outputs/keep-outputs.js'
import { outputsOf } from '../outputs/outputs.js'
import { productsIn } from '../outputs/products.js'
import { findExperiment } from '../registry/find-experiment.js'
import { indexMetrics } from '../results/index-metrics.js'
import { readFolder, type Workspace } from '../workspace.js'

/** What counts as the same. */
export interface VerifyRequest {
  /** How much numbers may differ, relative to the larger one. */
  readonly rtol: number
  /** Patterns of files that are not compared, as in .gitignore; relative to the folder of a group. */
  readonly ignore: readonly string[]
}

/** What became of something that a run has left. */
export interface Compared {
  readonly group: number
  /** A file relative to the folder of the group, or the name of a metric. */
  readonly name: string
  readonly verdict: Verdict
}

interface ComparedMetric extends Compared, MetricPair {}

/** How a run that was launched again compares with the first one. */
export interface Verification {
  readonly run: number
  readonly again: number
  readonly isReproduced: boolean
  readonly files: readonly Compared[]
  readonly metrics: readonly ComparedMetric[]
  /** Groups that did not end as they did in the first run, by their index. */
  readonly groups: readonly { readonly group: number; readonly before: string; readonly after: string }[]
  /** What could not be made the same. */
  readonly conditions: readonly string[]
  /** What is not known of the environments of both runs, in words. */
  readonly unknown: readonly string[]
}

/** If more packages differ, the others are counted. */
const namedFacts = 5

/** @throws UserError for a run that cannot be compared with a later one */
export function refuseUnverifiable(workspace: Workspace, run: Run): void {
  if (!isOver(run.counts)) throw new UserError(`run ${run.id} is not over yet`, `qanat run_wait ${run.id}`)
  const isHashed = outputsOf(workspace, run)?.files.some(({ hash }) => hash !== null)
  if (!isHashed || presenceOf(readFolder(workspace, run)) === 'there') runFolder(workspace, run)
}

/** Compares what two runs of the same groups have left: their files, their metrics, and how the groups ended. */
export async function verifyRun(
  workspace: Workspace,
  run: Run,
  again: Run,
  { rtol, ignore }: VerifyRequest,
): Promise<Verification> {
  const { metrics: sources } = findExperiment(workspace, run.experiment).results
  indexMetrics(workspace, [run, again], sources)
  await awaitEnvironments(workspace, [run, again])
  const isIgnored = fitsAny(ignore)
  const total = totalOf(run.counts)
  const changes = await changesSince(workspace, run)
  const kept = [await completeOutputs(workspace, run, true), await completeOutputs(workspace, again, true)]
  const keptIn = kept.map(listing => (listing ? byGroup(listing, total) : new Map()))
  const areProducts = [run, again].map(each => productsIn(workspace, each))
  const files: Compared[] = []
  const metrics: ComparedMetric[] = []
  for (let group = 0; group < total; group++) {
    const folders = [run, again].map((each, at) => ({
      folder: groupIn(readFolder(workspace, each), total, group),
      kept: keptIn[at]!.get(group) ?? new Map(),
      isProduct: (file: DataFile) =>
        areProducts[at]!({ ...file, path: `${groupFolder('.', total, group)}/${file.path}` }),
    }))
    const compared = await compareFiles(folders[0]!, folders[1]!, rtol, isIgnored)
    for (const each of compared) files.push({ group, ...each })
    for (const each of metricsOf(workspace, run, again, group, rtol)) metrics.push(each)
  }
  const groups = endsOf(workspace, run, again)
  return {
    ...{ run: run.id, again: again.id, files, metrics, groups },
    isReproduced: groups.length === 0 && ![...files, ...metrics].some(({ verdict }) => isDifference(verdict)),
    conditions: [
      ...(changes === '' ? [] : [`the files of run ${run.id}, since it ended: ${changes}`]),
      ...conditionsOf(workspace, run, again),
    ],
    unknown: unknownOf(workspace, [run, again]),
  }
}

/** What each group has left, by paths relative to its folder; null for links and the like. */
function byGroup({ files, skipped }: DataListing, total: number): Map<number, Map<string, DataFile | null>> {
  const groups = new Map<number, Map<string, DataFile | null>>()
  const add = (place: string, file: DataFile | null) => {
    const group = groupOfFile(total, place)
    if (group === null) return
    const path = relative(groupFolder('.', total, group), place)
    const those = groups.get(group) ?? new Map<string, DataFile | null>()
    groups.set(group, those.set(path, file && { ...file, path }))
  }
  for (const file of files) add(file.path, file)
  // Names that are not UTF-8 are not kept as they are.
  for (const path of skipped) if (!path.includes('\uFFFD')) add(path, null)
  return groups
}

function metricsOf(workspace: Workspace, run: Run, again: Run, group: number, rtol: number): ComparedMetric[] {
  const { store } = workspace
  const mirrors = [run, again].map(each => readFolder(workspace, each).isMirror)
  const [before, after] = [store.readings.of(run.id, group) ?? {}, store.readings.of(again.id, group) ?? {}]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.map(name => {
    const [one, other] = [before, after].map(metrics => (Object.hasOwn(metrics, name) ? metrics[name] : undefined))
    const isAbsent = [one, other].some((metric, at) => metric === undefined && mirrors[at])
    const verdict = isAbsent ? 'not_fetched' : compareMetrics(one, other, rtol)
    return { group, name, verdict, ...metricPair(one, other) }
  })
}

function endsOf({ store }: Workspace, run: Run, again: Run): Verification['groups'] {
  const statesOf = ({ id }: Run) => new Map(store.runs.groups(id).map(({ index, status }) => [index, status.state]))
  const [before, after] = [statesOf(run), statesOf(again)]
  return [...before].flatMap(([group, state]) => {
    const now = after.get(group) ?? 'pending'
    return now === state ? [] : [{ group, before: state, after: now }]
  })
}

function conditionsOf(workspace: Workspace, run: Run, again: Run): string[] {
  const hosts = [run, again].map(({ id }) => {
    const found = workspace.store.runs.groups(id).flatMap(({ status }) => ('host' in status ? (status.host ?? []) : []))
    return [...new Set(found)].sort().join(', ')
  })
  const environments = [run, again].map(each =>
    storedEnvironments(workspace, each).map(({ environment }) => comparable(workspace, environment)),
  )
  const facts = environments.every(each => each.length > 0) ? variedFacts(environments, softwareKinds) : []
  const named = facts
    .slice(0, namedFacts)
    .map(({ name, values }) => `${name} ${values.map(each => each[0] ?? 'none').join(' → ')}`)
  return [
    ...(hosts[0] === hosts[1] ? [] : [`the host: ${hosts.map(host => host || 'unknown').join(' → ')}`]),
    ...(run.codeChanged === false ? [] : [`the code, which changed while run ${run.id} ran, or may have`]),
    ...dataConditions(workspace, run, again),
    ...named,
    ...(facts.length > named.length ? [`${facts.length - named.length} more of the environment`] : []),
  ]
}

/** What is not known of the environments, with the ids of the runs: `the interpreter (behind sh) of runs 1 and 4`. */
function unknownOf(workspace: Workspace, runs: readonly Run[]): string[] {
  const found = new Map<string, number[]>()
  for (const run of runs) {
    const stored = storedEnvironments(workspace, run)
    const parts = stored.flatMap(({ environment }) => unknownParts(comparable(workspace, environment)))
    for (const part of new Set(stored.length === 0 ? ['the environment, which is not recorded,'] : parts)) {
      if (!found.get(part)?.push(run.id)) found.set(part, [run.id])
    }
  }
  return [...found].map(
    ([part, ids]) => `${part} of run${ids.length === 1 ? '' : 's'} ${fewInSentence(ids.map(String))}`,
  )
}

function dataConditions(workspace: Workspace, run: Run, again: Run): string[] {
  const { store } = workspace
  const pathsOf = ({ id }: Run) => {
    const { experiment, datasetPaths } = store.runs.launch(id)
    return new Map(experiment.datasets.map((name, at) => [name, datasetPaths[at]!]))
  }
  const after = pathsOf(again)
  const moved = [...pathsOf(run)].filter(([name, path]) => after.get(name) !== path)
  const missing = store.data.of(again.id).filter(({ listing, level }) => listing === null && level !== 'off')
  return [
    ...moved.map(([name, path]) => `the path of dataset ${name}: ${path} → ${after.get(name) ?? 'none'}`),
    ...missing.map(
      ({ name, partial }) => `dataset ${name}, of which run ${again.id} has recorded no files: ${partial}`,
    ),
    ...dataBetween(workspace, run, again).map(each => `dataset ${each.dataset}: ${differenceText(each.difference)}`),
    ...otherData(workspace, [run, again]),
  ]
}
