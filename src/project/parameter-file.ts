import { visit } from 'yaml'
import { GIVEN_OPTION, type Given, parameterName } from '../domain/parameters/arguments.js'
import type { FileGrid } from '../domain/parameters/build-grid.js'
import type { Condition, Conditional } from '../domain/parameters/conditional-grid.js'
import {
  type Axis,
  axisLength,
  axisPart,
  type ListAxis,
  type Part,
  partWith,
  type Target,
} from '../domain/parameters/grid.js'
import { MAX_GROUPS } from '../domain/parameters/limits.js'
import { linspace, logspace, looksLikeValues, makeRange } from '../domain/parameters/range.js'
import { orElse, QanatError } from '../errors.js'
import {
  axisKeys,
  conditionalKeys,
  fileKeys,
  partKeys,
  severalKeys,
  varyingKeys,
  wrappedKeys,
} from './parameter-schema.js'
import { entries, excerpt, explained, fail, isNothing, items, type Place, sections } from './yaml/place.js'
import { isMapping } from './yaml/schema.js'
import { readText, readYaml } from './yaml/yaml-source.js'

type Variation = { readonly target: Target; readonly place: Place }

const FILE_FORM = 'a parameter file is a mapping of fixed_args and varying_args'
const VARYING_FORM = 'varying_args is a mapping of range, groups and zip'
const PART_FORM = "as in {positional: {0: x}, options: {'--mean': 10}}"
const VALUE_FORM =
  "write a value, '' for a bare flag, {value: ''} for an empty string, a list to repeat the option, or {words: [a, b]} for several values"
const AXIS_FORM =
  'as in [0, 10, 1], {start: 0, stop: 10, step: 1}, {values: [a, b]}, {linspace: [0, 1, 5]}, {logspace: [-3, 0, 4]}'
const WHEN_FORM = "a condition names parameters with a value, or a list of values, as in when: {'--model': svm}"
const ZIP_FORM = "a zip walks lists of one length in step, as in {options: {'--a': [1, 2], '--b': [3, 4]}}"

/**
 * Reads the YAML file given with `-f`. Every scalar is passed on as written: `0.10`, `007`, `null`.
 * @throws UserError that names the file, line and column of a mistake.
 */
export function readParameterFile(file: string): FileGrid {
  const source = readYaml(file, 'text')
  visit(source.document, {
    Scalar(role, scalar) {
      // Keys are text already, except the merge key `<<`, which must stay as it is.
      if (role !== 'key') scalar.value = scalar.source ?? ''
    },
  })
  const root = { source, path: [], value: source.value() }
  if (isNothing(root)) throw fail(root, 'the file is empty', FILE_FORM)
  const { fixed_args, varying_args } = sections(root, fileKeys, FILE_FORM)
  const varying = varying_args ? sections(varying_args, varyingKeys, VARYING_FORM) : {}
  return {
    fixed: fixed_args ? readPart(fixed_args) : { args: [] },
    groups: varying.groups ? readGroups(varying.groups) : [],
    ranges: varying.range ? readRanges(varying.range) : [],
    zips: varying.zip ? readZips(varying.zip) : [],
  }
}

/** Whether a file is a parameter file, which a person may have meant with a word of a line. */
export function isParameterFile(file: string): boolean {
  return orElse(() => /^(fixed_args|varying_args)[ ]*:/m.test(readText(file)), false, QanatError)
}

function readRanges(place: Place): Conditional<Axis>[] {
  return (items(place) ?? [place]).flatMap(at => {
    const when = readWhen(at)
    return readVariations(at, conditionalKeys).map(variation => {
      const axis = readAxis(variation)
      return when ? { ...axis, when: { ...when, ...axis.when } } : axis
    })
  })
}

function readGroups(place: Place): Conditional<Part>[] {
  const groups = isNothing(place) ? [] : items(place)
  if (!groups) throw fail(place, 'is not a list', "groups are a list, as in [{options: {'--mean': 10}}]")
  return groups.map(at => ({ ...readPart(at, conditionalKeys), ...whenOf(readWhen(at)) }))
}

function readPart(place: Place, keys: Readonly<Record<string, unknown>> = partKeys): Part {
  return mergeParts(readVariations(place, keys).map(readAlternative))
}

/** The options and the positionals at a place, in the order of the file. */
function readVariations(place: Place, keys: Readonly<Record<string, unknown>> = partKeys): Variation[] {
  const written = Object.entries(sections(place, keys, PART_FORM))
  const variations = written
    .filter(([kind]) => kind !== 'when')
    .flatMap(([kind, section]) =>
      entries(section!, PART_FORM).map(([key, at]) => ({
        target: kind === 'options' ? readOption(key, at) : readNumber(key, at),
        place: at,
      })),
    )
  const seen = new Set<string>()
  for (const { target, place: at } of variations) {
    const id = 'option' in target ? parameterName(target.option) : target.positional
    if (seen.has(id)) throw fail(at, 'is given twice', 'number the positionals 0, 1, 2 …', 'key')
    seen.add(id)
  }
  return variations
}

function readOption(key: string, place: Place): Target {
  if (GIVEN_OPTION.test(key)) return { option: key }
  const hint = /^\w+$/.test(key) ? `did you mean '--${key}'?` : "options are written as in '--mean': 10"
  throw fail(place, 'is not an option', hint, 'key')
}

function readNumber(key: string, place: Place): Target {
  if (/^\d{1,9}$/.test(key)) return { positional: String(Number(key)) }
  throw fail(place, 'is not the number of a positional', 'number the positionals 0, 1, 2 …', 'key')
}

/** One choice of an option or a positional. */
function readAlternative({ target, place }: Variation): Part {
  if ('positional' in target) {
    if (isNothing(place)) throw fail(place, 'has no value', "an empty string is written {value: ''}")
    return partWith(target, readScalar(place))
  }
  const given = items(place) ?? [place]
  if (given.length === 0) throw fail(place, 'is an empty list', VALUE_FORM)
  return { args: given.map(at => readGiven(target.option, at)) }
}

/** An option with what is written for it. */
function readGiven(option: string, place: Place): Given {
  if (isNothing(place)) return [option]
  if (!isMapping(place.value) || !Object.hasOwn(place.value, 'words')) return [option, readScalar(place)]
  const several = sections(place, severalKeys, VALUE_FORM).words!
  const values = items(several) ?? []
  if (values.length === 0) throw fail(several, 'is not a list of values', VALUE_FORM)
  if (option.endsWith('=') && values.length > 1) throw fail(several, `${option} takes one value`, VALUE_FORM)
  return [option, ...values.map(readScalar)]
}

/** A scalar, or the one in `{value: …}`. */
function readScalar(place: Place): string {
  const wrapped = isMapping(place.value) ? sections(place, wrappedKeys, VALUE_FORM).value : place
  if (wrapped && isNothing(wrapped)) return ''
  if (typeof wrapped?.value === 'string') return wrapped.value
  throw fail(wrapped ?? place, 'is not a single value', VALUE_FORM)
}

function readAxis({ target, place }: Variation): Conditional<Axis> {
  const bounds = items(place)
  if (bounds) {
    const range = readRange(target, place, bounds)
    const [start, stop, step] = bounds.map(({ value }) => String(value)) as [string, string, string]
    if (!looksLikeValues(start, stop, step)) return range
    const message = `is a range of one value, ${start}: it goes from ${start} to ${stop} in steps of ${step}`
    throw fail(
      place,
      message,
      `for these values, write {values: ${excerpt(place.value)}}; for one: {values: [${start}]}`,
    )
  }
  if (!isMapping(place.value)) throw fail(place, 'is not a range', AXIS_FORM)
  return { ...readForm(target, place), ...whenOf(readWhen(place)) }
}

function readForm(target: Target, place: Place): Axis {
  const { when: _, ...given } = sections(place, axisKeys, AXIS_FORM)
  const form = Object.keys(given).sort().join(' ')
  if (form === 'start step stop') return readRange(target, place, [given.start!, given.stop!, given.step!])
  if (form === 'values') return readValues(target, given.values!)
  if (form === 'linspace') return readSpacing(target, given.linspace!, linspace)
  if (form === 'logspace') return readSpacing(target, given.logspace!, logspace)
  throw fail(place, 'is none of the known forms', AXIS_FORM)
}

function readRange(target: Target, place: Place, bounds: readonly Place[]): Axis {
  const written = excerpt(place.value)
  const values = isMapping(place.value) ? '' : `; for these values, write {values: ${written}}`
  const hint = `a range is [start, stop, step], here ${written}${values}`
  const [start, stop, step] = readNumbers(place, bounds, hint)
  return { ...target, ...explained(place, hint, () => makeRange(start, stop, step)) }
}

function readSpacing(target: Target, place: Place, space: typeof linspace): ListAxis {
  const hint = `${place.path.at(-1)} is [start, stop, count], here ${excerpt(place.value)}`
  const [start, stop, count] = readNumbers(place, items(place) ?? [], hint)
  const values = explained(place, hint, () => space(start, stop, count))
  return { parts: values.map(value => partWith(target, value)) }
}

function readNumbers(place: Place, numbers: readonly Place[], hint: string): [string, string, string] {
  if (numbers.length !== 3) throw fail(place, `expected 3 numbers, found ${numbers.length}`, hint)
  const wrong = numbers.find(({ value }) => typeof value !== 'string')
  if (wrong) throw fail(wrong, 'is not a number', hint)
  return numbers.map(({ value }) => value) as [string, string, string]
}

function readValues(target: Target, place: Place): ListAxis {
  const values = items(place) ?? []
  if (values.length === 0) throw fail(place, 'is not a list of values', AXIS_FORM)
  return { parts: values.map(at => readAlternative({ target, place: at })) }
}

function readZips(place: Place): Conditional<ListAxis>[] {
  return isNothing(place) ? [] : (items(place) ?? [place]).map(readZip)
}

/** Lists that are walked in step: the first value of each, then the second of each … */
function readZip(place: Place): Conditional<ListAxis> {
  const lists = readVariations(place, conditionalKeys).map(variation => ({
    place: variation.place,
    parts: readZipped(variation),
  }))
  const [first] = lists
  if (!first) throw fail(place, 'contains no list', ZIP_FORM)
  if (lists.some(({ parts }) => parts.length !== first.parts.length)) {
    const lengths = lists.map(list => `${list.place.path.at(-1)} has ${list.parts.length}`)
    throw fail(place, `the lists differ in length: ${lengths.join(', ')}`, ZIP_FORM)
  }
  const parts = first.parts.map((_, index) => mergeParts(lists.map(list => list.parts[index]!)))
  return { parts, ...whenOf(readWhen(place)) }
}

/** The condition that stands beside a part; null without one. */
function readWhen({ source, path, value }: Place): Condition | null {
  if (!isMapping(value) || !Object.hasOwn(value, 'when')) return null
  const place = { source, path: [...path, 'when'], value: value.when }
  const written = isMapping(place.value) ? entries(place, WHEN_FORM) : []
  if (written.length === 0) throw fail(place, 'is not a condition', WHEN_FORM)
  return Object.fromEntries(
    written.map(([key, at]) => {
      if (!GIVEN_OPTION.test(key) && !/^pos_\d+$/.test(key)) readOption(key, at)
      const values = (items(at) ?? [at]).map(each => (isNothing(each) ? '' : readScalar(each)))
      if (values.length === 0) throw fail(at, 'is an empty list', WHEN_FORM)
      return [parameterName(key), values]
    }),
  )
}

const whenOf = (when: Condition | null) => (when === null ? {} : { when })

function readZipped(variation: Variation): readonly Part[] {
  if (Array.isArray(variation.place.value)) return readValues(variation.target, variation.place).parts
  const axis = readAxis(variation)
  const length = axisLength(axis)
  if (length > MAX_GROUPS) throw fail(variation.place, `has ${length} values, more than a run has groups`, ZIP_FORM)
  return Array.from({ length }, (_, index) => axisPart(axis, index))
}

function mergeParts(parts: readonly Part[]): Part {
  const positional = Object.assign({}, ...parts.map(part => part.positional))
  const args = parts.flatMap(part => part.args)
  return Object.keys(positional).length > 0 ? { positional, args } : { args }
}
