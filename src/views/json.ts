import type { Dataset, StoredDataset } from '../domain/dataset.js'
import { type DependencyStatus, documentData, type StoredDocument } from '../domain/documents/document.js'
import type { Experiment, ExperimentSummary } from '../domain/experiment.js'
import type { Asked } from '../domain/job-environment.js'
import type { ListedRun } from '../domain/results/best.js'
import type { GroupDetails, GroupStatus, Run } from '../domain/runs/run.js'
import type { Mirror } from '../operations/folder/mirror.js'
import type { CachedCode } from '../operations/project/cache.js'
import type { DeletedRun } from '../operations/runs/trash.js'
import { cacheColumns } from './cache.js'
import { fingerprintColumn, fromColumn, placeColumn } from './registry/dataset.js'
import { changedColumn, dependencyColumns, documentColumns } from './registry/document.js'
import { experimentColumns, runCountColumn } from './registry/experiment.js'
import { type JsonObject, jsonRow } from './render/json.js'
import { bestColumn, groupCountColumns, runColumns } from './runs/columns.js'
import { groupColumns, usedBy } from './runs/groups.js'
import { descriptionColumn, idColumn, nameColumn, tagsColumn } from './shared-columns.js'
import { trashColumns } from './trash.js'

/** The JSON that other programs read. A change of a key here breaks them. */

/** A dataset. */
export function datasetJson(dataset: Dataset): JsonObject {
  return jsonRow([nameColumn, descriptionColumn, placeColumn, fromColumn, tagsColumn, fingerprintColumn], dataset)
}

/** A dataset in the list of all. */
export function listedDatasetJson(dataset: StoredDataset): JsonObject {
  return { ...jsonRow([idColumn], dataset), ...datasetJson(dataset) }
}

/** An experiment as it is registered. */
export function experimentJson(experiment: Experiment): JsonObject {
  const { name, description, path, executable, executableCommand, datasets, tags, actions, ...others } =
    experimentColumns
  const described = [name, description, path, executable, executableCommand, datasets, tags, actions]
  return jsonRow([...described, ...Object.values(others)], experiment)
}

/** An experiment in the list of all. */
export function experimentSummaryJson(summary: ExperimentSummary): JsonObject {
  return {
    ...jsonRow([idColumn], summary),
    ...experimentJson(summary.experiment),
    ...jsonRow([runCountColumn], summary),
  }
}

/** A document: the keys of its description file, and when it was compiled. */
export function documentJson(document: StoredDocument): JsonObject {
  return { ...documentData(document), ...jsonRow([documentColumns.compiled], document) }
}

/** A document in the list of all. */
export function listedDocumentJson(document: StoredDocument): JsonObject {
  return { ...jsonRow([idColumn], document), ...documentJson(document) }
}

/**
 * A document with the state of its dependencies.
 * @param changes of the tree that no commit has, with their paths in the repository
 */
export function documentStatusJson(
  document: StoredDocument,
  statuses: readonly DependencyStatus[],
  changes: readonly { readonly path: string }[],
): JsonObject {
  const { experiment, argumentsFile, action, files, status, runs, why } = dependencyColumns
  const columns = [experiment, argumentsFile, action, files, status, runs, changedColumn, why]
  return {
    document: documentJson(document),
    dependencies: statuses.map(each => jsonRow(columns, each)),
    uncommitted: changes.map(({ path }) => path),
  }
}

/** A run: times in ISO 8601, its duration in seconds, null for unknown values. */
export function runJson(run: Run, { remotePath, isFetched }: Mirror): JsonObject {
  const { id, experiment, status, runner, context, submitTemplate, resolved, slots, container, gpu } = runColumns
  const { commit, dirty, codeUsed, codeChanged, storagePath, description, tags, rerunOf, fillOf, retired } = runColumns
  const { launched, started, finished, duration, progress, slotsNow, halt } = runColumns
  const columns = [
    ...[id, experiment, status],
    ...groupCountColumns,
    ...[runner, context, submitTemplate, resolved, slots, container, gpu],
    ...[commit, dirty, codeUsed, codeChanged, storagePath, description, tags, rerunOf, fillOf, retired],
    ...[launched, started, finished, duration, progress, slotsNow, halt],
  ]
  return { ...jsonRow(columns, run), remote_path: remotePath, fetched: isFetched }
}

/** A run in a list: its best metrics by name; null if not all metrics have been read yet. */
export function listedRunJson(run: ListedRun, mirror: Mirror): JsonObject {
  return { ...runJson(run, mirror), ...jsonRow([bestColumn], run) }
}

/** A group of a run: times in ISO 8601, null for values that are unknown or do not apply to its state. */
export function groupJson(group: GroupDetails): JsonObject {
  const { index, status, cause, exitCode, signal, host, started, finished } = groupColumns
  const { peakMemory, cpuTime, gpus, jobId, attempt, storagePath, parameters, command } = groupColumns
  const columns = [
    ...[index, status, cause, exitCode, signal, host, started, finished],
    ...[peakMemory, cpuTime, gpus, jobId, attempt, storagePath, parameters, command],
  ]
  return jsonRow(columns, group)
}

/** What a group has used, and what its template asks for: bytes and seconds, null for unknown values. */
export function usageJson(status: GroupStatus, { memory, time, cpus }: Asked): JsonObject {
  const used = usedBy(status)
  return {
    ...{ peak_memory_bytes: used?.peakMemory ?? null, cpu_s: used?.cpuTime ?? null },
    asked: { memory_bytes: memory, time_s: time, cpus },
  }
}

/** A deleted run, its size in bytes. */
export function deletedRunJson(run: DeletedRun): JsonObject {
  return jsonRow(trashColumns, run)
}

/** A copy of code in the cache, its size in bytes. */
export function cachedCodeJson(code: CachedCode): JsonObject {
  return jsonRow(cacheColumns, code)
}
