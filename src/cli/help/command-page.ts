import type { CommandClass } from '../base-command.js'
import type { Kind } from '../completion/kinds.js'
import type { Declared, DeclaredAll } from '../completion/shapes.js'
import { commonOptions, flagsOf } from '../parse/flags.js'

/** What is said of a command: on a terminal, in the reference and in its man page. */
export interface CommandPage {
  /** The words that call it, such as `why` or `dataset list`. */
  readonly name: string
  readonly summary: string
  /** Paragraphs, and lines that begin with two blanks, which stay as they are. */
  readonly description: string
  readonly usage: readonly string[]
  readonly arguments: readonly Entry[]
  /** The options under their titles. The last ones are those of every command. */
  readonly options: readonly { readonly title: string; readonly entries: readonly Entry[] }[]
  readonly examples: readonly Example[]
  readonly topics: readonly string[]
}

export interface Entry {
  readonly term: string
  readonly text: string
}

export interface Example {
  /** What the line is for; empty if that is plain. */
  readonly title: string
  readonly line: string
}

/** How the values of options are called in the help, by what completes them. */
const valueNames: Partial<Record<Kind, string>> = {
  all_runs: 'run',
  axes: 'axis',
  best_metrics: 'condition',
  causes: 'causes',
  commits: 'commit',
  comparison_sortings: 'key',
  ends: 'causes',
  files: 'file',
  folders: 'folder',
  group_sortings: 'key',
  groups: 'n',
  hosts: 'host',
  metrics: 'metrics',
  parameter_values: 'parameter',
  parameters: 'parameters',
  runners: 'runner',
  sortings: 'key',
  statuses: 'statuses',
  tags: 'tag',
  templates: 'template',
}

/** @param name the words that call the command: its own, or its short name */
export function commandPage(name: string, command: CommandClass): CommandPage {
  const { summary = '', description = '', examples, topics } = command
  const args = shownOf(command.args as DeclaredAll)
  const own = shownOf(command.flags as DeclaredAll)
  const common = Object.entries(flagsOf(commonOptions(command)) as DeclaredAll)
  const usage = command.usage ?? [...argumentsOf(args, command.strict), ...required(own), '[OPTIONS]'].join(' ')
  const [leading, others] = [true, false].map(leads => own.filter(([, flag]) => (flag.leads ?? false) === leads))
  const sections = [
    { title: leading!.length > 0 ? 'OPTIONS BEFORE OR AFTER NAME' : 'OPTIONS', flags: others! },
    { title: 'OPTIONS BEFORE NAME', flags: leading! },
    { title: command.passesOn ? 'COMMON OPTIONS BEFORE NAME' : 'COMMON OPTIONS', flags: common },
  ]
  return {
    name,
    summary,
    description,
    usage: [usage].flat().map(words => `qanat ${name} ${words}`),
    arguments: args.map(([key, each]) => ({ term: argumentTerm(key, each), text: textOf(each) })),
    options: sections
      .filter(({ flags }) => flags.length > 0)
      .map(({ title, flags }) => ({ title, entries: flags.map(([key, flag]) => optionEntry(key, flag)) })),
    examples: examples.map(each =>
      typeof each === 'string' ? { title: '', line: each } : { title: each.description, line: each.command },
    ),
    topics,
  }
}

function shownOf(declared: DeclaredAll = {}): [string, Declared][] {
  return Object.entries(declared).filter(([, { hidden }]) => hidden !== true)
}

/** @param strict false if the last argument may be repeated */
function argumentsOf(args: readonly [string, Declared][], strict: boolean): string[] {
  return args.map(([name, each], at) => {
    const term = `${argumentTerm(name, each)}${!strict && at === args.length - 1 ? '…' : ''}`
    return each.required ? term : `[${term}]`
  })
}

function argumentTerm(name: string, { shown }: Declared): string {
  return shown ?? name.toUpperCase()
}

function required(flags: readonly [string, Declared][]): string[] {
  return flags.filter(([, flag]) => flag.required).map(([name, flag]) => `${spelled(name, flag)[0]} ${valueTerm(flag)}`)
}

function optionEntry(name: string, flag: Declared): Entry {
  const [first, second] = spelled(name, flag)
  const word = second === undefined ? `    ${first}` : `${first}, ${second}`
  return { term: flag.type === 'boolean' ? word : `${word} ${valueTerm(flag)}`, text: textOf(flag) }
}

function spelled(name: string, { char }: Declared): string[] {
  return [...(char === undefined ? [] : [`-${char}`]), `--${name}`]
}

function valueTerm({ options, completes, helpValue }: Declared): string {
  return helpValue ?? `<${options?.join('|') ?? (completes && valueNames[completes]) ?? 'value'}>`
}

function textOf({ description = '', multiple = false, default: preset, dependsOn = [] }: Declared): string {
  const notes = [
    ...dependsOn.map(name => `with --${name}`),
    ...(multiple ? ['repeatable'] : []),
    ...(preset === undefined || preset === '' || preset === false ? [] : [`default: ${preset}`]),
  ]
  return `${description}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`
}
