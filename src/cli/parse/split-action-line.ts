import { UserError } from '../../errors.js'

/** The parsed words of `qanat action …`. */
interface ActionLine {
  readonly name: string | undefined
  readonly action: string | undefined
  readonly run: string | undefined
  readonly group: string | null
  /** The arguments of the action, in order. */
  readonly words: readonly string[]
}

/**
 * Splits `NAME ACTION RUN [ARGUMENTS]`. Only the option `--group_no` is ours, anywhere before a bare `--`; the `--` is
 * dropped.
 * @throws UserError for an unknown option before RUN, and for a `--group_no` without a number
 */
export function splitActionLine(argv: readonly string[]): ActionLine {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const ours = argv.slice(0, end)
  const words: string[] = []
  let group: string | null = null
  for (let at = 0; at < ours.length; at++) {
    const [, attached] = /^--group[_-]no(?:=(.*))?$/s.exec(ours[at]!) ?? [null]
    if (!/^--group[_-]no(=|$)/.test(ours[at]!)) words.push(ours[at]!)
    else group = attached ?? ours[++at] ?? ''
  }
  if (group !== null && !/^\d+$/.test(group)) {
    throw new UserError(`--group_no ${group}: expected the number of a group`, 'write, for example: --group_no 3')
  }
  const [name, action, run, ...rest] = words
  const unknown = [name, action, run].find(word => word?.startsWith('-'))
  if (unknown !== undefined)
    throw new UserError(`unknown option ${unknown}`, 'options of the action come after the run')
  return { name, action, run, group, words: [...rest, ...argv.slice(end + 1)] }
}
