import type { Asked } from '../domain/job-environment.js'
import { type Standing, standingText } from '../domain/results/comparison/standing.js'
import { fewOf } from '../domain/text/names.js'
import { displayCommand } from '../domain/text/shell-text.js'
import type { DryRun } from '../operations/launch/dry-run.js'
import type { CopyContents } from '../operations/launch/frozen/contents.js'
import { counted } from './format/counted.js'
import { memoryText } from './format/sizes.js'
import { duration } from './format/times.js'
import { standingJson } from './results/standing.js'

/** What a dry run shows of a submission to a scheduler; empty lists without one. */
interface Submission {
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
export function dryRunJson({ groups, copy, standing }: DryRun, { files, commands }: Submission) {
  const [first = null, ...others] = commands
  const all = others.length > 0 && { submit_commands: commands }
  const fill = standing && { fill: standingJson(standing) }
  return { groups: [...groups], copy, submit: files, submit_command: first, ...all, ...fill }
}

function limitsText({ time, memory }: Asked): string {
  const limits = [time && `time ${duration(1000 * time)}`, memory && `memory ${memoryText(memory)}`]
  return limits.filter(text => text).join(', ')
}

function* copyLines({ linked, cloned, empty, prepare }: CopyContents): Generator<string> {
  const parts = [
    ['links to the tree', linked],
    ['cloned from the tree', cloned],
    ['empty at first', empty],
  ] as const
  const lines = parts.filter(([, paths]) => paths.length > 0).map(([name, paths]) => `  ${name}: ${fewOf(paths)}`)
  const commands = prepare.map(command => `  prepared by: ${command}`)
  if (lines.length + commands.length > 0) yield ['\nThe frozen copy:', ...lines, ...commands].join('\n')
}

/** What a dry run shows if none of the cells is to be filled. */
export function nothingToFill(standing: Standing): string {
  return `${standingText(standing)}; nothing to run`
}

/** The commands that would run, one a line, and the limits that are kept; for a scheduler also the files and the command of the submission. */
export function* dryRunLines(
  { standing, groupCount, groups, asked, copy }: Pick<DryRun, 'standing' | 'groupCount' | 'groups' | 'asked' | 'copy'>,
  { files, commands }: Submission,
): Generator<string> {
  if (standing) yield standingText(standing)
  yield `${counted(groupCount, 'group')}; nothing is run`
  let index = 0
  for (const { command } of groups) yield `  ${index++}  ${displayCommand(command)}`
  const limits = files.length > 0 ? '' : limitsText(asked)
  if (limits) yield `\nLimits of each group: ${limits}`
  if (copy) yield* copyLines(copy)
  for (const { path, text } of files) yield `\n${path}\n${text.replace(/^/gm, '  ').trimEnd()}`
  for (const command of commands) yield `\n${displayCommand(command)}`
}
