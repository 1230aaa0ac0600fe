import type { Dataset } from '../domain/dataset.js'
import { type DependencyStatus, dependencyData, documentData, type StoredDocument } from '../domain/document.js'
import type { Experiment } from '../domain/experiment.js'
import { totalOf } from '../domain/runs/aggregate.js'
import type { GroupDetails, Run } from '../domain/runs/run.js'

/** The shapes that other programs read; a change here breaks them. */

/** ISO 8601 with zone, or null. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

export function experimentJson(experiment: Experiment) {
  const { name, description, path, executable, executableCommand, datasets, tags, actions } = experiment
  return {
    name,
    description,
    path,
    executable,
    executable_command: executableCommand,
    datasets,
    tags,
    actions: actions.map(({ executableCommand: executable_command, ...action }) => ({ ...action, executable_command })),
  }
}

export function datasetJson({ name, description, path, tags }: Dataset) {
  return { name, description, path, tags }
}

export function documentJson(document: StoredDocument) {
  return { ...documentData(document), compiled: isoTime(document.compiled) }
}

/** A document whose dependencies say how they stand. */
export function documentStatusJson(document: StoredDocument, statuses: readonly DependencyStatus[]) {
  const dependencies = statuses.map(({ dependency, state, run, why }) => ({
    ...dependencyData(dependency),
    state,
    run: run?.id ?? null,
    why,
  }))
  return { ...documentJson(document), experiment_dependencies: dependencies }
}

export function runJson(run: Run) {
  const { submitTemplate, resolved, slots, container } = run.runnerParameters
  return {
    id: run.id,
    experiment: run.experiment,
    status: run.status,
    groups: { total: totalOf(run.counts), ...run.counts },
    runner: run.runner,
    runner_params: {
      submit_template: submitTemplate,
      resolved,
      n_threads: slots,
      container: container?.image ?? null,
      gpu: container?.gpu ?? false,
    },
    commit_sha: run.commit,
    dirty: run.dirty,
    code_changed: run.codeChanged,
    storage_path: run.storagePath,
    description: run.description,
    tags: run.tags,
    launched: isoTime(run.launched),
    started: isoTime(run.started),
    finished: isoTime(run.finished),
    duration_s: run.started === null || run.finished === null ? null : (run.finished - run.started) / 1000,
    progress: run.progress,
  }
}

export function groupJson({ index, status, attempt, storagePath, parameters, command }: GroupDetails) {
  const started = 'started' in status ? status.started : null
  const finished = 'finished' in status ? status.finished : null
  return {
    index,
    status: status.state,
    cause: 'cause' in status ? status.cause : null,
    exit_code: 'exitCode' in status ? status.exitCode : null,
    signal: 'signal' in status ? status.signal : null,
    host: 'host' in status ? status.host : null,
    started: isoTime(started),
    finished: isoTime(finished),
    job_id: 'jobId' in status ? status.jobId : null,
    attempt,
    storage_path: storagePath,
    parameters,
    command,
  }
}
