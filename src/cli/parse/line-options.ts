import { passable } from '../../domain/experiment.js'
import { namedOptions } from '../../domain/options/option.js'
import { type Asked, runOptions } from '../../domain/options/run-options.js'
import { commonOptions, flagsOf } from './flags.js'
import type { Globals } from './globals.js'

/** What a line of `qanat run` says to us. */
export type GivenOptions = Asked & Globals & { json?: true; help?: true }

/** The options of a run, for help and completion, which add those of every command. */
export const runFlags = flagsOf(runOptions)

/** All options of a line of `qanat run`. */
export const lineOptions = namedOptions({
  ...runOptions,
  ...commonOptions({ enableJsonFlag: true, passesOn: true }),
})

/** Those of the older program, which are ours after the name, too. */
export const olderOptions = lineOptions.filter(option => !option.beforeName)

const closed: readonly string[] = passable

/** Those that came after the older program, and that scripts may have, too: after the name they are the script's. */
export const laterOptions = lineOptions.filter(({ name, beforeName }) => beforeName && !closed.includes(`--${name}`))

/** Those that are refused after the name by their long names, unless the experiment has them itself. */
export const closedOptions = lineOptions.filter(({ name }) => closed.includes(`--${name}`))
