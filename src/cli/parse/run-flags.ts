import { Flags } from '@oclif/core'

const beforeName = '(before NAME)'

/** The options of `qanat run` for its help; they are read by {@link splitLine}, since oclif cannot pass the rest on. */
export const runFlags = {
  runner: Flags.string({ char: 'r', description: 'where groups execute', default: 'local', completes: 'runners' }),
  submit_template: Flags.string({
    description: 'submit template: a name in the config, or a YAML file',
    completes: 'templates',
  }),
  n_threads: Flags.string({ description: 'at most so many groups at a time', default: '1' }),
  wait: Flags.boolean({ description: 'wait until the run is over, as the local runner always does' }),
  container: Flags.string({
    description: 'run in this image: a file of Apptainer or Singularity, or the name of one of Docker or Podman',
    completes: 'files',
  }),
  gpu: Flags.boolean({ description: 'with --container: GPUs are seen inside it' }),
  param_file: Flags.string({ char: 'f', description: 'YAML file of parameters', completes: 'files' }),
  group_param: Flags.string({ char: 'g', multiple: true, description: 'a group: "--opt1 v --opt2 w" (repeatable)' }),
  range_param: Flags.string({
    char: 'R',
    multiple: true,
    description: 'a range: "--seed START STOP STEP" (repeatable)',
  }),
  storage_path: Flags.string({ description: 'folder of the run, new or empty', completes: 'folders' }),
  tag: Flags.string({ char: 't', multiple: true, description: 'tag of the run (repeatable)', completes: 'tags' }),
  description: Flags.string({ description: 'description of the run' }),
  commit_sha: Flags.string({
    description: 'run that commit, tag or branch instead of what is checked out',
    completes: 'commits',
  }),
  dry_run: Flags.boolean({ description: 'show what would run, and run nothing' }),
  values: Flags.string({
    char: 'V',
    multiple: true,
    description: `values: "--model small large" (repeatable) ${beforeName}`,
  }),
  detach: Flags.boolean({ description: `return at once; the run goes on ${beforeName}` }),
  commit: Flags.string({ description: `commit all changes with that message first ${beforeName}` }),
  allow_dirty: Flags.boolean({ description: `keep uncommitted changes as a patch with the run ${beforeName}` }),
  snapshot: Flags.string({
    options: ['auto', 'always', 'never'],
    description: `run in a frozen copy of the commit; auto: always but for one group in the foreground ${beforeName}`,
  }),
}
