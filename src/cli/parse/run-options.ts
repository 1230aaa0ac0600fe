import { passable } from '../../domain/experiment.js'
import { snapshots } from '../../project/config.js'
import { globalOptions } from './globals.js'
import { flagsOf, type Given, helpOption, jsonOption, type Options } from './option.js'

/** The options of `qanat run`. Those of the older program are also ours after NAME. */
const ownOptions = {
  runner: {
    kind: 'value',
    char: 'r',
    description: 'runner that executes the groups',
    default: 'local',
    completes: 'runners',
  },
  submit_template: {
    kind: 'value',
    description: 'submit template: a name in the config, or a YAML file',
    completes: 'templates',
  },
  n_threads: { kind: 'value', description: 'at most N groups at a time (default: 1, or for a scheduler no limit)' },
  wait: { kind: 'switch', description: 'wait until the run is over, as the local runner always does' },
  container: {
    kind: 'value',
    description: 'run in this image: a file for Apptainer or Singularity, or a name for Docker or Podman',
    completes: 'files',
  },
  gpu: { kind: 'switch', description: 'with --container: make the GPUs available in it' },
  param_file: { kind: 'value', char: 'f', description: 'parameter file (YAML)', completes: 'files' },
  group_param: { kind: 'list', char: 'g', description: 'a group: "--opt1 v --opt2 w" (repeatable)' },
  range_param: { kind: 'list', char: 'R', description: 'a range: "--seed START STOP STEP" (repeatable)' },
  storage_path: { kind: 'value', description: 'folder of the run, new or empty', completes: 'folders' },
  tag: { kind: 'list', char: 't', description: 'tag of the run (repeatable)', completes: 'tags' },
  description: { kind: 'value', description: 'description of the run' },
  commit_sha: {
    kind: 'value',
    description: 'run this commit, tag or branch instead of what is checked out',
    completes: 'commits',
  },
  dry_run: { kind: 'flag', description: 'show what would run, and run nothing' },
  values: {
    kind: 'list',
    char: 'V',
    beforeName: true,
    description: 'values: "--model small large" (repeatable)',
  },
  detach: { kind: 'flag', beforeName: true, description: 'return at once; the run goes on' },
  commit: { kind: 'value', beforeName: true, description: 'first commit all changes, with this message' },
  allow_dirty: { kind: 'flag', beforeName: true, description: 'keep uncommitted changes as a patch with the run' },
  max_failures: {
    kind: 'value',
    beforeName: true,
    description: 'start no more groups once N have failed; the remaining ones are cancelled, and run_retry runs them',
  },
  yes: {
    kind: 'flag',
    char: 'y',
    beforeName: true,
    description:
      'do not ask before a launch of many groups (setting confirm_above), or after ten groups with the same error',
  },
  snapshot: {
    kind: 'value',
    beforeName: true,
    choices: snapshots,
    description: 'run in a frozen copy of the commit; auto: always, except for one group in the foreground',
  },
} as const satisfies Options

/** Whose an option is, for the help. */
export const runDescription = `Options before NAME are Qanat's. After NAME, the options below that do not say "before NAME" are Qanat's, wherever they stand; everything else is passed to the experiment, in order. After NAME, ${passable.join(' ')} are refused, unless the YAML file of the experiment says that it has such an option itself, as in passes: [--json]. Everything after the first bare -- is passed to the experiment.`

/** All options of a `qanat run` line. */
export const runOptions = {
  ...ownOptions,
  quiet: { ...globalOptions.quiet, beforeName: true },
  no_emoji: { ...globalOptions.no_emoji, beforeName: true },
  json: { ...jsonOption, beforeName: true },
  help: { ...helpOption, beforeName: true },
} as const satisfies Options

/** Their values. */
export type GivenOptions = Given<typeof runOptions>

/** The same for help and completion, which add the global ones, json and help to every command. */
export const runFlags = flagsOf(ownOptions)
