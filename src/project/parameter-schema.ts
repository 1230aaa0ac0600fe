import * as v from 'valibot'
import { GIVEN_OPTION } from '../domain/parameters/arguments.js'
import { MAX_GROUPS } from '../domain/parameters/limits.js'
import { filledText, key, mapping } from './yaml/schema.js'

// The schema of a parameter file. The reader in parameter-file.ts takes its keys from here, but checks the values
// itself, since it has to name the position of each. Editors check them by this schema.

const number = v.pipe(
  v.string(),
  v.regex(/^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, 'a number'),
  v.metadata({ type: ['number', 'string'] }),
)
const step = v.pipe(number, v.metadata({ not: { const: 0 } }))
const count = v.pipe(
  v.string(),
  v.regex(/^\d+$/),
  v.metadata({ type: ['integer', 'string'], minimum: 1, maximum: MAX_GROUPS }),
)
const spacing = v.strictTuple([number, number, count])

const scalar = v.nullable(v.string())

/** The key for a value that is written as a mapping. */
export const wrappedKeys = { value: key("A value; '' is an empty string.", scalar) }
/** The key for several values of one option. */
export const severalKeys = {
  words: key('The values of an option that takes several, as in --layers 64 64.', listOf(scalar), {
    examples: [[64, 64]],
  }),
}

const wrapped = mapping(wrappedKeys)
const optionValue = v.union([scalar, wrapped, mapping(severalKeys)])
/** The value of an option. */
export const valueSchema = key(
  "A value; '' for a bare flag, {value: ''} for an empty string, a list to repeat the option, {words: [a, b]} for several values.",
  v.union([optionValue, listOf(optionValue)]),
)
/** The value of a positional. */
export const positionalValueSchema = key("A value; {value: ''} for an empty string.", v.union([filledText(), wrapped]))

const whenKey = key(
  'Only for the cells with these parameters: a value, or a list of values, by option.',
  v.optional(v.record(v.string(), v.union([scalar, listOf(scalar)]))),
  { examples: [{ '--model': 'svm' }] },
)

/** The keys of an axis that is written as a mapping. */
export const axisKeys = axisKeysOf(valueSchema)

/** An axis of an option as a mapping. */
export const axisForm = formOf(axisKeys)

/** An axis of a positional as a mapping. */
export const positionalAxisForm = formOf(axisKeysOf(positionalValueSchema))

/** The keys of a set of parameters. */
export const partKeys = targetKeys('Values', valueSchema, positionalValueSchema, { '--mean': 10 })

/** The same for a set that belongs only to some cells. */
export const conditionalKeys = { ...partKeys, when: whenKey }

/** A set of parameters. */
export const partSchema = v.nullable(mapping(partKeys))

const zip = v.pipe(
  mapping({
    ...targetKeys(
      'Lists of values',
      v.union([listOf(valueSchema), axisForm]),
      v.union([listOf(positionalValueSchema), positionalAxisForm]),
      { '--a': [1, 2], '--b': ['x', 'y'] },
    ),
    when: whenKey,
  }),
  v.metadata({
    anyOf: ['options', 'positional'].map(name => ({
      required: [name],
      properties: { [name]: { type: 'object', minProperties: 1 } },
    })),
  }),
)

const ranges = mapping({
  ...targetKeys('Ranges and lists of values', axisOf(axisForm), axisOf(positionalAxisForm), { '--seed': [0, 10, 1] }),
  when: whenKey,
})

/** The keys of varying_args. */
export const varyingKeys = {
  range: key(
    'Ranges and lists of values, each combined with all others; a list of such mappings does the same.',
    v.nullish(v.union([ranges, v.array(v.nullable(ranges))])),
  ),
  groups: key(
    'Sets of parameters. An option of a group replaces the same one of fixed_args.',
    v.nullish(v.array(v.nullable(mapping(conditionalKeys)))),
    { examples: [[{ options: { '--species': 'setosa' } }]] },
  ),
  zip: key(
    'Lists of one length, walked in step; a list of such mappings multiplies.',
    v.nullish(v.union([zip, v.array(zip)])),
    { examples: [{ options: { '--a': [1, 2], '--b': ['x', 'y'] } }] },
  ),
}

/** The keys of the file. */
export const fileKeys = {
  fixed_args: key('Parameters of every group.', v.optional(partSchema), { examples: [{ options: { '--bins': 20 } }] }),
  varying_args: key(
    'Parameters that differ between groups: groups, ranges and zips multiply.',
    v.nullish(mapping(varyingKeys)),
  ),
}

/** A parameter file. */
export const parameterSchema = key(
  'The groups of a run, for: qanat run NAME -f. Every scalar is passed on as written.',
  mapping(fileKeys),
  { title: 'Parameters' },
)

function listOf(each: v.GenericSchema) {
  return v.pipe(v.array(each), v.nonEmpty())
}

function axisKeysOf(each: v.GenericSchema) {
  return {
    start: key('The first value.', v.optional(number)),
    stop: key('The end of the range, excluded.', v.optional(number)),
    step: key('The difference between two values; negative to count down.', v.optional(step)),
    values: key('The values, one by one.', v.optional(listOf(each))),
    when: whenKey,
    linspace: key('[start, stop, count]: evenly spaced numbers, both ends included.', v.optional(spacing), {
      examples: [[0.1, 0.5, 5]],
    }),
    logspace: key(
      '[start, stop, count]: numbers from 10^start to 10^stop, evenly spaced in the exponent, both ends included.',
      v.optional(spacing),
      { examples: [[-3, 0, 4]] },
    ),
  }
}

function formOf(keys: ReturnType<typeof axisKeysOf>) {
  const together: readonly (keyof typeof keys)[][] = [['start', 'stop', 'step'], ['values'], ['linspace'], ['logspace']]
  const oneOf = together
    .flatMap(names => [names, [...names, 'when']])
    .map(names => ({ required: names, maxProperties: names.length }))
  return v.pipe(mapping(keys), v.metadata({ oneOf }))
}

function axisOf(form: v.GenericSchema) {
  return key(
    '[start, stop, step] with stop excluded, or one of {start, stop, step}, {values: […]}, {linspace: […]}, {logspace: […]}.',
    v.union([v.strictTuple([number, number, step]), form]),
    { examples: [[0, 10, 1], { values: ['small', 'large'] }, { linspace: [0, 1, 5] }] },
  )
}

/** The keys for options and positionals. @param what describes their values */
function targetKeys(what: string, option: v.GenericSchema, positional: v.GenericSchema, example: object) {
  const name = v.pipe(v.string(), v.regex(GIVEN_OPTION, 'options are written with their dashes, as in --mean: 10'))
  const place = v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'number the positionals 0, 1, 2 …'))
  return {
    options: key(`${what} by option.`, v.nullish(v.record(name, option)), { examples: [example] }),
    positional: key(
      `${what} by the number that orders the positionals, from 0. They come before the options.`,
      v.nullish(v.record(place, positional)),
    ),
  }
}
