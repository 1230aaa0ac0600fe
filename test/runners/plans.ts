import type { JobEnvironment } from '../../src/domain/job-environment.js'
import type { RunPlan } from '../../src/domain/runs/run-plan.js'

/** What a template that says nothing asks for. */
export const plainEnvironment: JobEnvironment = {
  resources: {},
  modules: [],
  afterModules: '',
  conda: '',
  venv: '',
  env: {},
  secrets: {},
  setup: '',
  teardown: '',
  arguments: [],
  background: [],
  launcher: [],
  scratch: false,
  shell: [],
  maxParallel: null,
}

/** A plan of one group that runs `sh it.sh`, with these facts different. */
export function planWith(facts: Partial<RunPlan>): RunPlan {
  return {
    runId: 1,
    experiment: 'it',
    jobName: 'it_1',
    token: 'a-token',
    projectRoot: '/project',
    workingDirectory: '/project',
    storagePath: '/project/results/it/run_1',
    attempt: 1,
    indices: null,
    groupCount: 1,
    slots: 1,
    jobsAhead: [],
    maxFailures: null,
    executableCommand: ['sh'],
    executable: 'it.sh',
    datasetPaths: [],
    commit: 'c0ffee',
    outputs: [],
    environment: plainEnvironment,
    container: null,
    boundPaths: [],
    umask: 0o022,
    argumentsOf: () => [],
    ...facts,
  }
}
