import { Args, Flags } from '@oclif/core'

// Arguments and options that several commands have. An option of `run` is declared in parse/run-options.ts.

export const experimentArgument = Args.string({
  required: true,
  description: 'the experiment',
  completes: 'experiments',
})

export const datasetArgument = Args.string({ required: true, description: 'the dataset', completes: 'datasets' })

export const documentArgument = Args.string({ required: true, description: 'the document', completes: 'documents' })

export const settingArgument = Args.string({
  required: true,
  description: 'the setting, levels separated by dots',
  completes: 'settings',
})

/** The arguments of every command on one run. */
export const runArguments = {
  name: experimentArgument,
  run: Args.string({ required: true, description: 'the id of the run', completes: 'runs' }),
}

/** The same where only a run that lives is of use. */
export const liveRunArguments = {
  ...runArguments,
  run: Args.string({ required: true, description: 'the id of the run', completes: 'live_runs' }),
}

export const yesFlag = Flags.boolean({ char: 'y', description: 'do not ask' })

/** The same file as the argument of that name, where a description can be given by either. */
export const fileFlag = Flags.string({ char: 'f', description: 'the same file, as an option', completes: 'files' })

/** Whether a command stays with the groups that it launches again. */
export const waitFlags = {
  wait: Flags.boolean({ description: 'wait for the jobs of a scheduler' }),
  detach: Flags.boolean({ description: 'return at once', exclusive: ['wait'] }),
}
