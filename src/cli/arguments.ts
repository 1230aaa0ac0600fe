import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { runOptions } from '../domain/options/run-options.js'
import { unfinishedEnds } from '../domain/runs/run.js'
import { displayCommand } from '../domain/text/shell-text.js'
import type { Kind } from './completion/kinds.js'
import { valueFlag } from './parse/flags.js'

export { Args, Flags }

/** An argument that Tab completes. */
export function argument(description: string, completes: Kind) {
  return Args.string({ description, completes })
}

/** An option with a value that Tab completes. */
export function option(description: string, completes: Kind) {
  return Flags.string({ description, completes })
}

/** An option that may be given several times, each time with one value. */
export function repeatable(
  description: string,
  more: { completes?: Kind; char?: 't'; helpValue?: string; dependsOn?: string[] } = {},
) {
  return Flags.string({ multiple: true, multipleNonGreedy: true, description, ...more })
}

// Arguments and options of several commands. Options of a run are declared in domain/options/run-options.ts.

export const experimentArgument = Args.string({
  required: true,
  description: 'the experiment',
  completes: 'experiments',
})

export const datasetArgument = Args.string({ required: true, description: 'the dataset', completes: 'datasets' })

export const documentArgument = Args.string({ required: true, description: 'the document', completes: 'documents' })

export const contextArgument = Args.string({ required: true, description: 'the context', completes: 'contexts' })

export const settingArgument = Args.string({
  required: true,
  description: 'the setting; a dot leads to a key inside it: slurm.default',
  completes: 'settings',
})

/** A run is named by one word, or by the words `EXPERIMENT RUN`, of which the help only says that they work, too. */
const run = {
  required: true,
  shown: 'RUN',
  description: 'the id of a run, latest, or an experiment for its last run; EXPERIMENT RUN works, too',
} as const

/** The arguments of every command on one run. */
export const runArguments = {
  name: Args.string({ ...run, completes: 'experiments_or_runs' }),
  run: Args.string({ hidden: true, completes: 'runs' }),
}

/** The same for commands that only make sense for a live run. */
export const liveRunArguments = {
  name: Args.string({ ...run, completes: 'experiments_or_live_runs' }),
  run: Args.string({ hidden: true, completes: 'live_runs' }),
}

/** The same for commands that take a group, too. */
export const groupArguments = {
  name: Args.string({
    ...run,
    shown: 'RUN[.GROUP]',
    description: 'a run such as 4 or latest, a group such as 4.17, or an experiment for its last run',
    completes: 'experiments_or_groups',
  }),
  run: Args.string({ hidden: true, completes: 'runs_or_groups' }),
}

/** The arguments of commands on several runs. */
export const runsArguments = {
  name: Args.string({
    required: true,
    shown: 'EXPERIMENT|RUN',
    description: 'an experiment, for all its runs; or the first of the runs',
    completes: 'experiments_or_runs',
  }),
  runs: Args.string({ shown: 'RUN', description: 'runs: 4, 5-9, latest', completes: 'more_runs' }),
}

export const yesFlag = Flags.boolean({ char: 'y', description: 'do not ask' })

/** Which groups are launched again. */
export const endsFlag = Flags.string({
  description: `only groups with one of these statuses or causes, such as oom,timeout: ${unfinishedEnds.join(', ')}. failed is any cause; exit_0 (code 0, but the scheduler says failed) has to be named`,
  completes: 'ends',
})

/** Lists can be read by programs in two formats. */
export const csvFlag = Flags.boolean({ description: 'print CSV', exclusive: ['json'] })

/** The file that describes a thing can be given as an argument or with this option. */
export const fileFlag = Flags.string({ char: 'f', description: 'the same as FILE', completes: 'files' })

/** Whether a command that launches groups again waits for them. */
export const waitFlags = {
  wait: Flags.boolean({ description: 'wait for the end, also of the jobs of a scheduler' }),
  detach: Flags.boolean({ description: runOptions.detach.description, exclusive: ['wait'] }),
}

/** The template of a launch of a run that was launched before. */
export const templateFlag = valueFlag(
  runOptions.submit_template,
  'another submit template; its own name takes it as it is today',
)

function gridFlag({ char, helpValue, description }: (typeof runOptions)['group_param' | 'range_param' | 'values']) {
  return Flags.string({ char, helpValue, description, multiple: true, multipleNonGreedy: true })
}

/** Which cells of an experiment are meant. */
export const gridFlags = {
  param_file: Flags.string({ char: 'f', description: 'the cells of this parameter file', completes: 'files' }),
  group_param: gridFlag(runOptions.group_param),
  range_param: gridFlag(runOptions.range_param),
  values: gridFlag(runOptions.values),
  container: valueFlag(runOptions.container, 'those that ran in this image'),
  same: Flags.option({
    options: runOptions.same.choices,
    description: 'results count that ran the same files of code (the default), the same commit, or any code',
  })(),
}

/** The line that launches those of the cells that are missing. */
export function fillLine(
  experiment: string,
  given: { readonly [Name in keyof typeof gridFlags]?: string | readonly string[] | undefined },
): string {
  const letters = { param_file: '-f', group_param: '-g', range_param: '-R', values: '-V' } as const
  const words = (Object.keys(gridFlags) as (keyof typeof gridFlags)[]).flatMap(name => {
    const option = name in letters ? letters[name as keyof typeof letters] : `--${name}`
    return [given[name] ?? []].flat().flatMap(value => [option, value])
  })
  return displayCommand(['qanat', 'run', '--fill', ...words, experiment])
}

/** How a document launches a run that it lacks. */
export const missingRunFlags = {
  runner: Flags.string({
    description: 'where a missing run is launched',
    default: runOptions.runner.default,
    completes: runOptions.runner.completes,
  }),
  runner_params: Flags.string({
    helpValue: '<options>',
    description: 'its options, as one word: --submit_template, --n_threads, --gpu',
    default: '',
  }),
  container: valueFlag(runOptions.container, 'image that the groups run in'),
  commit_sha: valueFlag(runOptions.commit_sha, 'commit, tag or branch of the run (default: the current commit)'),
}
