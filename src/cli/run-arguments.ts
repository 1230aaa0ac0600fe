import { Args } from '@oclif/core'

/** The arguments of every command on one run. */
export const runArguments = {
  name: Args.string({ required: true, description: 'the experiment' }),
  run: Args.string({ required: true, description: 'the id of the run' }),
}
