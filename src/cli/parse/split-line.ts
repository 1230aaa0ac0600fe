import { givenTwice, isGiven } from '../../domain/parameters/added-options.js'
import { isOptionName } from '../../domain/parameters/arguments.js'
import { fewOf, nearest } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import type { TypedRequest } from '../../operations/launch/request.js'
import { type GivenOptions, olderOptions } from './line-options.js'
import { oddWords } from './odd-words.js'
import type { Registry } from './registry.js'
import { lineOf, Scan, typedAt } from './scan-line.js'

/** A request with all options of its line. The name is empty if help is asked for. */
export interface SplitLine extends TypedRequest {
  readonly options: GivenOptions
}

/**
 * Splits `qanat run …` into our options, the experiment's name and its arguments. Before the name every option is ours;
 * after it only those of the older program; after the first `--` none.
 * @throws UserError for a line that was hardly meant so
 */
export function splitLine(argv: readonly string[], registry: Registry): SplitLine {
  const scanned = scan(argv, registry)
  const { options, nameAt, argumentsAt } = scanned
  const nothingOdd = { forgotten: [], nearOurs: [] }
  if (options.help) return { options, experiment: '', experimentArguments: [], typed: argv, odd: nothingOdd }
  checkTogether(options)
  if (options.gpu && options.container === undefined) {
    throw new UserError('--gpu works only together with --container', lineOf(['--container', 'IMAGE', ...argv]))
  }
  const name = argv[nameAt]
  const { names } = registry
  if (name === undefined && options.from !== undefined) {
    return { options, experiment: '', experimentArguments: [], typed: argv, odd: nothingOdd }
  }
  if (name === undefined) {
    const known = names.length > 1 ? ` There are ${fewOf(names)}` : ''
    const example = names.length === 1 ? names[0]! : 'NAME'
    throw new UserError(`which experiment?${known}`, lineOf([...argv, example]))
  }
  const near = names.includes(name) ? null : nearest(name, names)
  if (near !== null) {
    throw new UserError(`no experiment '${name}'. Did you mean ${near}?`, lineOf(argv.with(nameAt, near)))
  }
  refuseAdded(argv, name, argumentsAt, registry)
  if (options.param_file === undefined) refuseParameterFile(argv, argumentsAt, registry)
  const experimentArguments = argumentsAt.map(at => argv[at]!)
  return { options, experiment: name, experimentArguments, typed: argv, odd: oddWords(argv, scanned, registry) }
}

const contradictory = [
  ['detach', 'wait'],
  ['commit', 'allow_dirty'],
  ['commit', 'commit_sha'],
] as const

/** @throws UserError for options that contradict each other */
function checkTogether(options: GivenOptions): void {
  for (const [one, other] of contradictory) {
    if (options[one] !== undefined && options[other] !== undefined)
      throw new UserError(`--${one} and --${other} contradict each other`, 'give one of them')
  }
  const only = (['from', 'same'] as const).find(name => options[name] !== undefined)
  if (only !== undefined && !options.fill)
    throw new UserError(
      `--${only} works only together with --fill`,
      `add --fill, as in: qanat run --fill --${only} ${options[only]}`,
    )
  if (options.commit?.trim() === '')
    throw new UserError('--commit needs a message', 'write, for example: --commit "what changed"')
}

/** Reads a line as it is. @throws UserError for one that was hardly meant so */
function scan(argv: readonly string[], registry: Registry): Scan {
  // Many scripts have an option --gpu: after the name it is ours only if a container is asked for.
  const withoutGpu = olderOptions.filter(option => option.name !== 'gpu')
  const scanned = new Scan(argv, withoutGpu, registry)
  return scanned.options.container === undefined ? scanned : new Scan(argv, olderOptions, registry)
}

/** An option that Qanat adds would reach the script twice. After `--` it may be meant for another program that this one calls. */
function refuseAdded(argv: readonly string[], name: string, argumentsAt: readonly number[], registry: Registry): void {
  const typed = typedAt(argv, argumentsAt)
  const added = typed.length === 0 ? null : registry.added(name)
  const text =
    added &&
    givenTwice(
      typed.map(at => argv[at]!),
      added,
    )
  if (!added || !text) return
  const at = typed.find(each => isGiven(argv[each]!, added.storageOption))
  const value = at === undefined ? '' : (/=.*$/s.exec(argv[at]!)?.[0] ?? '')
  const line = at === undefined ? null : lineOf(argv.with(at, `--storage_path${value}`))
  const hints = line === null ? [] : [`${line}        chooses the folder of the run`]
  throw new UserError(text, [...hints, `if another program is meant that ${name} calls, write it after --`].join('\n'))
}

/** A parameter file among the arguments lacks its `-f`, unless it is the value of an option or stands after `--`. */
function refuseParameterFile(argv: readonly string[], argumentsAt: readonly number[], registry: Registry): void {
  const at = typedAt(argv, argumentsAt).find(
    each => /\.ya?ml$/i.test(argv[each]!) && !isOptionName(argv[each - 1]!) && registry.isParameterFile(argv[each]!),
  )
  if (at === undefined) return
  throw new UserError(
    `${argv[at]} is a parameter file, and here it would be an argument of the experiment`,
    [lineOf(argv.toSpliced(at, 0, '-f')), 'if it is an argument, write it after --'].filter(Boolean).join('\n'),
  )
}
