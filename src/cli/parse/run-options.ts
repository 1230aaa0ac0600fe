import { snapshots } from '../../project/config.js'
import { globalOptions } from './globals.js'
import { flagsOf, type Given, helpOption, jsonOption, type Options } from './option.js'

/** The options of `qanat run`. Those of the older program are also ours after NAME. */
const ownOptions = {
  runner: {
    kind: 'value',
    char: 'r',
    description: 'where the groups run',
    default: 'local',
    completes: 'runners',
  },
  submit_template: {
    kind: 'value',
    description: 'submit template: a name in the settings, or a YAML file',
    completes: 'templates',
  },
  n_threads: {
    kind: 'value',
    helpValue: '<n>',
    description: 'at most n groups at a time (default: 1; with a scheduler: no limit)',
  },
  wait: { kind: 'switch', description: 'wait until the run ends, as a local run always does' },
  container: {
    kind: 'value',
    description: 'run in this image: a file for Apptainer or Singularity, a name for Docker or Podman',
    completes: 'files',
    helpValue: '<image>',
  },
  gpu: { kind: 'switch', description: 'with --container: give it the GPUs' },
  param_file: { kind: 'value', char: 'f', description: 'take the parameters from this YAML file', completes: 'files' },
  group_param: { kind: 'list', char: 'g', helpValue: '<words>', description: 'a group: "--lr 0.1 --model small"' },
  range_param: {
    kind: 'list',
    char: 'R',
    helpValue: '<range>',
    description: 'groups over a range: "--seed 0 10 1" is 0 to 9 in steps of 1',
  },
  storage_path: { kind: 'value', description: 'folder of the run; it has to be new or empty', completes: 'folders' },
  tag: { kind: 'list', char: 't', description: 'tag of the run', completes: 'tags' },
  description: { kind: 'value', helpValue: '<text>', description: 'description of the run' },
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
    helpValue: '<values>',
    description: 'groups over values: "--model small large"',
  },
  detach: { kind: 'flag', beforeName: true, description: 'return at once; the run goes on' },
  commit: {
    kind: 'value',
    beforeName: true,
    helpValue: '<message>',
    description: 'first commit all changes, with this message',
  },
  allow_dirty: {
    kind: 'flag',
    beforeName: true,
    description: 'run with uncommitted changes, and keep them as a patch',
  },
  max_failures: {
    kind: 'value',
    beforeName: true,
    helpValue: '<n>',
    description: 'after n failures cancel the groups that have not started; run_retry runs them later',
  },
  yes: {
    kind: 'flag',
    char: 'y',
    beforeName: true,
    description: 'do not ask, neither before many groups (setting: confirm_above) nor after ten with the same error',
  },
  snapshot: {
    kind: 'value',
    beforeName: true,
    choices: snapshots,
    description:
      'when to run in a frozen copy: always, never, or auto (always, but not for a single group in the foreground)',
  },
} as const satisfies Options

/** Whose an option is, for the help. */
export const runDescription = `Before NAME, all options are Qanat's. After NAME, everything is passed to the experiment in order, but for the options of the first list. Everything after a bare -- is passed on, too. The options of the other lists are refused after NAME, except those that the YAML file of the experiment claims, as in passes: [--json].`

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
