import { givenTwice, isGiven } from '../../domain/parameters/added-options.js'
import { isOptionName } from '../../domain/parameters/arguments.js'
import { fewOf, nearest } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { checkTogether } from './launch-options.js'
import { olderOptions } from './named-options.js'
import type { Registry } from './registry.js'
import type { GivenOptions } from './run-options.js'
import { lineOf, Scan } from './scan-line.js'

export interface SplitLine {
  readonly options: GivenOptions
  /** Empty if help is asked for. */
  readonly name: string
  readonly experimentArguments: string[]
}

/**
 * Splits `qanat run …` into our options, the experiment's name and its arguments. Before the name every option is ours;
 * after it only those of the older program; after the first `--` none.
 * @throws UserError for a line that was hardly meant so
 */
export function splitLine(argv: readonly string[], registry: Registry): SplitLine {
  const { options, nameAt, argumentsAt } = scan(argv, registry)
  if (options.help) return { options, name: '', experimentArguments: [] }
  checkTogether(options)
  if (options.gpu && options.container === undefined) {
    throw new UserError('--gpu works only together with --container', lineOf(['--container', 'IMAGE', ...argv]))
  }
  const name = argv[nameAt]
  const { names } = registry
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
  return { options, name, experimentArguments: argumentsAt.map(at => argv[at]!) }
}

/** Reads a line as it is. @throws UserError for one that was hardly meant so */
export function scan(argv: readonly string[], registry: Registry): Scan {
  // Many scripts have an option --gpu: after the name it is ours only if a container is asked for.
  const withoutGpu = olderOptions.filter(option => option.name !== 'gpu')
  const scanned = new Scan(argv, withoutGpu, registry)
  return scanned.options.container === undefined ? scanned : new Scan(argv, olderOptions, registry)
}

/** The positions of the arguments that do not stand after `--`. */
function typedAt(argv: readonly string[], argumentsAt: readonly number[]): number[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return argumentsAt.filter(at => at < end)
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
