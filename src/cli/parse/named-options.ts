import { passable } from '../../domain/experiment.js'
import type { Option } from './option.js'
import { runOptions } from './run-options.js'

export type NamedOption = Option & { readonly name: string }

/** All options of `qanat run`. */
export const named: readonly NamedOption[] = Object.entries(runOptions).map(([name, option]) => ({ name, ...option }))

/** Those of the older program, which are ours after the name, too. */
export const olderOptions = named.filter(option => !option.beforeName)

const closed: readonly string[] = passable

/** Those that are refused after the name by their long names, unless the experiment has them itself. */
export const closedOptions = named.filter(({ name }) => closed.includes(`--${name}`))
