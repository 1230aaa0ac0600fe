import { Args, Flags } from '@oclif/core'

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

/** The arguments of every command on one run. */
export const runArguments = {
  name: experimentArgument,
  run: Args.string({ required: true, description: 'the id of the run', completes: 'runs' }),
}

/** The same for commands that only make sense for a live run. */
export const liveRunArguments = {
  ...runArguments,
  run: Args.string({ required: true, description: 'the id of the run', completes: 'live_runs' }),
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
