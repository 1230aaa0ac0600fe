import type { DryRun } from '../operations/launch/dry-run.js'

/** What a dry run shows of a submission to a scheduler; empty lists without one. */
export interface Submission {
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly commands: readonly (readonly string[])[]
}

/** What a launch would submit to a scheduler. */
export function submissionOf({ prepared }: DryRun): Submission {
  const commands = prepared.submissions.map(({ command }) => command)
  const files = commands.length > 0 ? prepared.files.map(({ path, text }) => ({ path, text: [...text].join('') })) : []
  return { files, commands }
}

/** A dry run as JSON: the groups, the frozen copy, and what would be submitted. */
export function dryRunJson({ groups, copy }: DryRun, { files, commands }: Submission) {
  const [first = null, ...others] = commands
  const all = others.length > 0 && { submit_commands: commands }
  return { groups: [...groups], copy, submit: files, submit_command: first, ...all }
}
