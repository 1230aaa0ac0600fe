import type { Asked } from '../domain/job-environment.js'
import { fewOf } from '../domain/text/names.js'
import { displayCommand } from '../domain/text/shell-text.js'
import type { DryRun } from '../operations/launch/dry-run.js'
import type { CopyContents } from '../operations/launch/frozen/contents.js'
import { memoryText } from './format/sizes.js'
import { duration } from './format/times.js'

interface Submission {
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly commands: readonly (readonly string[])[]
}

function limitsText({ time, memory }: Asked): string {
  const limits = [
    time === null ? '' : `time ${duration(1000 * time)}`,
    memory === null ? '' : `memory ${memoryText(memory)}`,
  ]
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

/** The commands that would run, one a line, and the limits that are kept; for a scheduler also the files and the command of the submission. */
export function* dryRunLines(
  dryRun: Pick<DryRun, 'groupCount' | 'groups' | 'asked' | 'copy'> & Submission,
): Generator<string> {
  const { groupCount, groups, asked, copy, files, commands } = dryRun
  yield `${groupCount === 1 ? '1 group' : `${groupCount} groups`}; nothing is run`
  let index = 0
  for (const { command } of groups) yield `  ${index++}  ${displayCommand(command)}`
  const limits = files.length > 0 ? '' : limitsText(asked)
  if (limits) yield `\nLimits of each group: ${limits}`
  if (copy) yield* copyLines(copy)
  for (const { path, text } of files) yield `\n${path}\n${text.replace(/^/gm, '  ').trimEnd()}`
  for (const command of commands) yield `\n${displayCommand(command)}`
}
