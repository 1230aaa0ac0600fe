import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'

// Arguments and options of several commands. Options of `run` are declared in parse/run-options.ts.

export const experimentArgument = Args.string({
  required: true,
  description: 'the experiment',
  completes: 'experiments',
})

export const datasetArgument = Args.string({ required: true, description: 'the dataset', completes: 'datasets' })

export const documentArgument = Args.string({ required: true, description: 'the document', completes: 'documents' })

export const settingArgument = Args.string({
  required: true,
  description: 'the setting, with dots between levels',
  completes: 'settings',
})

const inPlaceOfBoth = 'the experiment; or, without RUN, the id of a run, or latest'
const ofTheExperiment = 'the id of the run; without it the last run of the experiment'

/** The arguments of every command on one run. */
export const runArguments = {
  name: Args.string({ required: true, description: inPlaceOfBoth, completes: 'experiments_or_runs' }),
  run: Args.string({ description: ofTheExperiment, completes: 'runs' }),
}

/** The same for commands that only make sense for a live run. */
export const liveRunArguments = {
  name: Args.string({ required: true, description: inPlaceOfBoth, completes: 'experiments_or_live_runs' }),
  run: Args.string({ description: ofTheExperiment, completes: 'live_runs' }),
}

/** The same for commands that take a group, too. */
export const groupArguments = {
  name: Args.string({
    required: true,
    description: `${inPlaceOfBoth}, or RUN.GROUP`,
    completes: 'experiments_or_groups',
  }),
  run: Args.string({ description: `${ofTheExperiment}; or RUN.GROUP`, completes: 'runs_or_groups' }),
}

/** The arguments of commands on several runs. */
export const runsArguments = {
  name: Args.string({
    required: true,
    description: 'the experiment; or the first of the runs',
    completes: 'experiments_or_runs',
  }),
  runs: Args.string({ description: 'ids of runs, ranges such as 5-9, or latest', completes: 'more_runs' }),
}

export const yesFlag = Flags.boolean({ char: 'y', description: 'do not ask' })

/** Lists can be read by programs in two formats. */
export const csvFlag = Flags.boolean({ description: 'print CSV', exclusive: ['json'] })

/** The file that describes a thing can be given as an argument or with this option. */
export const fileFlag = Flags.string({ char: 'f', description: 'the same file, as an option', completes: 'files' })

/** Whether a command that launches groups again waits for them. */
export const waitFlags = {
  wait: Flags.boolean({ description: 'wait for the jobs of a scheduler' }),
  detach: Flags.boolean({ description: 'return at once', exclusive: ['wait'] }),
}
