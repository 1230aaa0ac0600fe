import { halves, underscored } from '../../domain/options/spelled.js'
import { isRunWord } from '../../domain/runs/run-ids.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'

/** The parsed words of `qanat action …`. */
interface ActionLine {
  readonly action: string
  /** An experiment and its run, or one of them. */
  readonly run: readonly string[]
  readonly group: string | null
  /** Words directly behind the run that may name further runs and groups. */
  readonly more: readonly string[]
  /** The other arguments of the action, in order. */
  readonly words: readonly string[]
}

/**
 * Splits `NAME ACTION RUN [ARGUMENTS]`, `ACTION RUN [ARGUMENTS]` and `NAME ACTION`. RUN is an id, `latest`, or behind ACTION
 * also `NAME` or `NAME 4`. Only the option `--group_no` is ours, anywhere before a bare `--`; the `--` is dropped. What is
 * behind it names no run.
 * @param isExperiment whether a word is the name of an experiment
 * @throws UserError for an unknown option before RUN, for a `--group_no` without a number, and for a missing action or run
 */
export function splitActionLine(argv: readonly string[], isExperiment: (word: string) => boolean): ActionLine {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const ours = argv.slice(0, end)
  const words: string[] = []
  let group: string | null = null
  for (let at = 0; at < ours.length; at++) {
    const { stem, attached } = halves(underscored(ours[at]!))
    if (stem !== '--group_no') words.push(ours[at]!)
    else group = attached ?? ours[++at] ?? ''
  }
  if (group !== null && !/^\d+$/.test(group)) {
    throw new UserError(`--group_no ${group}: expected the number of a group`, 'write, for example: --group_no 3')
  }
  const isNamed = isExperiment(words[1] ?? '')
  const isShort = (isRunWord(words[1] ?? '') || isNamed) && !isExperiment(words[0]!)
  const count = isShort && !(isNamed && isRunWord(words[2] ?? '')) ? 2 : 3
  const unknown = words.slice(0, count).find(word => word.startsWith('-'))
  if (unknown !== undefined)
    throw new UserError(`unknown option ${unknown}`, 'options of the action come after the run')
  const [first, second, third] = words
  const action = isShort ? first : second
  if (action === undefined) throw partMissing(first !== undefined && !isExperiment(first) ? first : '')
  const others = words.slice(count)
  const behind = others.findIndex(word => !isRunWord(word))
  const more = behind === -1 ? others : others.slice(0, behind)
  return {
    action,
    run: [isShort ? second : first, count === 3 ? third : undefined].filter(word => word !== undefined),
    group,
    more,
    words: [...others.slice(more.length), ...argv.slice(end + 1)],
  }
}

/** @param word the only one that was given and is no experiment; empty if there is none */
function partMissing(word: string): UserError {
  return word === '' || isRunWord(word)
    ? new UserError('which action?', 'qanat action ACTION RUN')
    : new UserError('on which run?', `qanat action ${displayCommand([word])} RUN`)
}
