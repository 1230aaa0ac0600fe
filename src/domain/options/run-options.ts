import { UserError } from '../../errors.js'
import type { Options, ValuesOf } from './option.js'

/** The options of a run, as `qanat run` takes them. Those of the older program are also ours after NAME. */
export const runOptions = {
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
    example: '4',
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
  group_param: {
    kind: 'list',
    char: 'g',
    helpValue: '<words>',
    example: '--option value',
    description: 'a group: "--lr 0.1 --model small"',
  },
  range_param: {
    kind: 'list',
    char: 'R',
    helpValue: '<range>',
    example: '--option 0 10 1',
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
    example: '--option value',
    description: 'groups over values: "--model small large"',
  },
  context: {
    kind: 'value',
    beforeName: true,
    helpValue: '<context>',
    description: 'where the run lives: a context, or here (default: $QANAT_CONTEXT, then the setting context)',
    completes: 'contexts',
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
  gpus: {
    kind: 'value',
    beforeName: true,
    helpValue: '<numbers>',
    example: '0,2',
    description: 'deal only these GPUs, if the template deals some (resources: {gpus: 1})',
  },
  yes: {
    kind: 'flag',
    char: 'y',
    beforeName: true,
    description: 'do not ask, neither before many groups (setting: confirm_above) nor after ten with the same error',
  },
  fill: {
    kind: 'flag',
    beforeName: true,
    description: 'launch only the cells of the grid that have no result yet, and that no run is about to run',
  },
  same: {
    kind: 'value',
    beforeName: true,
    choices: ['code', 'commit', 'any'],
    description:
      'with --fill: results count that ran the same files of code (the default), the same commit, or any code',
  },
  from: {
    kind: 'value',
    beforeName: true,
    helpValue: '<run>',
    completes: 'all_runs',
    description: 'with --fill: the cells of this run that did not finish, with the code of now',
  },
  snapshot: {
    kind: 'value',
    beforeName: true,
    choices: ['auto', 'always', 'never'],
    description:
      'when to run in a frozen copy: always, never, or auto (always, but not for a single group in the foreground)',
  },
} as const satisfies Options

/** What is asked of a run: the values of its options, by name, as text; what was not asked is not there. */
export type Asked = ValuesOf<typeof runOptions>

/** The number that an option was given. @throws UserError for any but a whole number from 1 to 999999 */
export function readCount(option: 'n_threads' | 'max_failures', text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UserError(`--${option} ${text}: expected a whole number above 0`, `write, for example: --${option} 4`)
}
