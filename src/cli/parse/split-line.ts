import { buildGrid } from '../../domain/parameters/build-grid.js'
import { checkLine } from './check-line.js'
import { checkTogether } from './launch-options.js'
import { olderOptions } from './named-options.js'
import { nothingRegistered, type Registry } from './registry.js'
import type { GivenOptions } from './run-options.js'
import { type Piece, Scan } from './scan-line.js'
import { Slip } from './slip.js'

export interface SplitLine {
  readonly options: GivenOptions
  /** Empty if help is asked for. */
  readonly name: string
  readonly experimentArguments: string[]
}

/** More slips than anybody makes in a line. */
const mostSlips = 50

/**
 * Splits `qanat run …` into our options, the experiment's name and its arguments. Before the name every option is ours;
 * after it only those of the older program; after the first `--` none.
 * @throws UserError for a line that was hardly meant so. Its hint has the line that was meant, without any mistake.
 */
export function splitLine(argv: readonly string[], registry: Registry = nothingRegistered): SplitLine {
  try {
    return split(argv, registry)
  } catch (error) {
    if (!(error instanceof Slip)) throw error
    throw error.explained(words => corrected(words, registry))
  }
}

/** The line without its slips. @throws UserError for a mistake that cannot be corrected */
function corrected(argv: readonly string[], registry: Registry): readonly string[] {
  let words = argv
  for (let slips = 0; ; slips++) {
    try {
      const { options, experimentArguments } = split(words, registry)
      const { group_param: groups = [], range_param: ranges = [], values = [] } = options
      buildGrid({ experimentArguments, groups, ranges, values })
      return words
    } catch (error) {
      if (!(error instanceof Slip) || slips === mostSlips) throw error
      words = error.meant
    }
  }
}

function split(argv: readonly string[], registry: Registry): SplitLine {
  const { pieces, options } = scan(argv, registry)
  if (options.help) return { options, name: '', experimentArguments: [] }
  checkTogether(options)
  const name = checkLine(argv, pieces, registry)
  const experimentArguments = pieces
    .filter(({ kind }) => kind === 'argument' || kind === 'verbatim')
    .flatMap(({ words }) => words)
  return { options, name, experimentArguments }
}

function scan(argv: readonly string[], registry: Registry) {
  // Many scripts have an option --gpu: after the name it is ours only if a container is asked for.
  const withoutGpu = olderOptions.filter(option => option.name !== 'gpu')
  const { pieces } = new Scan(argv, withoutGpu, registry)
  const options = optionsOf(pieces)
  if (options.container !== undefined) {
    const { pieces: all } = new Scan(argv, olderOptions, registry)
    return { pieces: all, options: optionsOf(all) }
  }
  if (options.gpu) throw new Slip('--gpu works only together with --container', ['--container', 'IMAGE', ...argv])
  return { pieces, options }
}

function optionsOf(pieces: readonly Piece[]): GivenOptions {
  const given: Record<string, string | string[] | true> = {}
  for (const piece of pieces) {
    if (piece.kind !== 'option') continue
    const { option, value } = piece
    const earlier = given[option.name]
    if (value === false) delete given[option.name]
    else if (value === true) given[option.name] = true
    else given[option.name] = option.kind === 'list' ? [...(Array.isArray(earlier) ? earlier : []), value] : value
  }
  return given as GivenOptions
}
