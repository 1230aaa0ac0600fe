import { Args, Flags } from '@oclif/core'

/** The arguments of every command on one run. */
export const runArguments = {
  name: Args.string({ required: true, description: 'the experiment', completes: 'experiments' }),
  run: Args.string({ required: true, description: 'the id of the run', completes: 'runs' }),
}

/** The same where only a run that lives is of use. */
export const liveRunArguments = {
  ...runArguments,
  run: Args.string({ required: true, description: 'the id of the run', completes: 'live_runs' }),
}

/** Whether a command stays with the groups that it launches again. */
export const waitFlags = {
  wait: Flags.boolean({ description: 'wait for the jobs of a scheduler' }),
  detach: Flags.boolean({ description: 'return at once', exclusive: ['wait'] }),
}
