import type { JobEnvironment } from '../../src/domain/job-environment.js'
import type { Place, RunPlan } from '../../src/domain/runs/run-plan.js'

/** What a template that says nothing asks for. */
export const plainEnvironment: JobEnvironment = {
  ...{ resources: {}, modules: [], afterModules: '', conda: '', venv: '', env: {}, secrets: {}, shell: [] },
  ...{
    setup: '',
    teardown: '',
    background: [],
    scratch: false,
    arguments: [],
    nice: null,
    launcher: [],
    maxParallel: null,
    pack: null,
  },
}

/** The folder of a run of this machine. */
export function placeAt(folder: string): Place {
  return { here: folder, there: folder }
}

/** A plan of one group that runs `sh it.sh`, with these facts different. */
export function planWith(facts: Partial<RunPlan>): RunPlan {
  return {
    ...{ runId: 1, experiment: 'it', jobName: 'it_1', token: 'a-token', attempt: 1, commit: 'c0ffee', umask: 0o022 },
    ...{ projectRoot: '/project', workingDirectory: '/project' },
    ...{ place: { here: '/mirror/run_1', there: '/project/results/it/run_1' } },
    ...{ indices: null, groupCount: 1, slots: 1, jobsAhead: [], maxFailures: null, argumentsOf: () => [] },
    ...{ executableCommand: ['sh'], executable: 'it.sh', datasetPaths: [], outputs: [] },
    ...{ storageOption: '--storage_path', datasetOption: '--dataset_path' },
    ...{ environment: plainEnvironment, container: null, boundPaths: [], copied: null, storage: null },
    ...facts,
  }
}
