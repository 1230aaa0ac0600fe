/** An option of `qanat run`. */
export interface RunOption {
  readonly name: string
  readonly char?: string
  /** `list`: a value each time it is given; `switch`: a flag that takes an optional True or False. */
  readonly kind: 'value' | 'list' | 'flag' | 'switch'
  /** Whether it is ours after NAME too, as all options of the older program are. */
  readonly afterName: boolean
}

/** Every option of `qanat run`; the flags that the command declares must say the same. */
export const runOptions = [
  { name: 'runner', char: 'r', kind: 'value', afterName: true },
  { name: 'submit_template', kind: 'value', afterName: true },
  { name: 'n_threads', kind: 'value', afterName: true },
  { name: 'wait', kind: 'switch', afterName: true },
  { name: 'container', kind: 'value', afterName: true },
  { name: 'gpu', kind: 'switch', afterName: true },
  { name: 'param_file', char: 'f', kind: 'value', afterName: true },
  { name: 'group_param', char: 'g', kind: 'list', afterName: true },
  { name: 'range_param', char: 'R', kind: 'list', afterName: true },
  { name: 'storage_path', kind: 'value', afterName: true },
  { name: 'tag', char: 't', kind: 'list', afterName: true },
  { name: 'description', kind: 'value', afterName: true },
  { name: 'commit_sha', kind: 'value', afterName: true },
  { name: 'dry_run', kind: 'flag', afterName: true },
  { name: 'values', char: 'V', kind: 'list', afterName: false },
  { name: 'detach', kind: 'flag', afterName: false },
  { name: 'commit', kind: 'value', afterName: false },
  { name: 'allow_dirty', kind: 'flag', afterName: false },
  { name: 'snapshot', kind: 'value', afterName: false },
  { name: 'json', kind: 'flag', afterName: false },
  { name: 'help', char: 'h', kind: 'flag', afterName: false },
] as const satisfies readonly RunOption[]

type NameOf<Kind extends RunOption['kind']> = Extract<(typeof runOptions)[number], { kind: Kind }>['name']

/** What was given of our options, by their names; of a repeated single value the last. */
export type GivenOptions = { [Name in NameOf<'value'>]?: string } & { [Name in NameOf<'list'>]?: string[] } & {
  [Name in NameOf<'flag' | 'switch'>]?: true
}
