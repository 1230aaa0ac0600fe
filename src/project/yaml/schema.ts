import * as v from 'valibot'
import { NAME, NAME_RULE, nearest, shortened } from '../../domain/text/names.js'
import { SPLITTABLE } from '../../domain/text/words.js'
import { UserError } from '../../errors.js'
import { parseYaml, type YamlPath, type YamlSource, yamlLine } from './yaml-source.js'

/**
 * Builds the error for a problem at a path below the checked value.
 * @param example a line with a valid value of the key; null if the problem is not a wrong value, or nothing has an example
 */
export type Fail = (path: YamlPath, message: string, of: 'key' | 'value', example: string | null) => UserError

/** The error about something that was typed, and stands in no file. */
export const withoutPosition: Fail = (_, message) => new UserError(message)

/**
 * Checks data against a schema whose messages say what is expected ("a number above 0"). Throws what `fail` builds
 * for the first problem; an unknown key comes first, because it is often the cause of a missing one.
 */
export function check<S extends v.GenericSchema>(schema: S, value: unknown, fail: Fail): v.InferOutput<S> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const outer = result.issues.find(isUnknownKey) ?? result.issues[0]
  const { issue, path } = innermost(outer, pathOf(outer))
  if (isUnknownKey(issue)) throw fail(path, explain(issue), 'key', null)
  throw fail(path, explain(issue), 'value', issue.input === undefined ? null : exampleAt(schema, path))
}

/** A line of YAML with the innermost key on a path that has an example, and the example; null if no key has one. */
function exampleAt(schema: v.GenericSchema, path: YamlPath): string | null {
  let found: string | null = null
  let at: readonly v.GenericSchema[] = [schema]
  for (const name of path) {
    at = at.flatMap(partsOf).flatMap(part => below(part, name))
    const [example] = at.flatMap(part => (v.getMetadata(part).examples as readonly unknown[] | undefined) ?? [])
    if (example !== undefined) found = `${name}: ${yamlLine(example)}`
  }
  return found
}

/** The schemas inside of a schema of valibot, by their kinds. */
interface Composed {
  readonly pipe?: readonly v.GenericSchema[]
  readonly wrapped?: v.GenericSchema
  readonly options?: readonly v.GenericSchema[]
  readonly entries?: Readonly<Record<string, v.GenericSchema>>
  readonly item?: v.GenericSchema
  readonly value?: v.GenericSchema
}

/** A schema and those that it applies to the same value. */
function partsOf(schema: v.GenericSchema): v.GenericSchema[] {
  const { pipe = [], wrapped, options = [] } = schema as Composed
  const inner = [...pipe, ...(wrapped ? [wrapped] : []), ...(Array.isArray(options) ? options : [])]
  return [schema, ...inner.filter(({ kind }) => kind === 'schema').flatMap(partsOf)]
}

/** The schemas of a key or of an element. */
function below(schema: v.GenericSchema, name: string | number): v.GenericSchema[] {
  const { entries, item, value } = schema as Composed
  const entry = entries && Object.hasOwn(entries, name) ? entries[name] : undefined
  return [entry, item, value].filter(part => part !== undefined)
}

/** If a value may be of several kinds, such as a list or a mapping, and is of one of them, the problem is what it contains. */
function innermost(issue: v.BaseIssue<unknown>, path: YamlPath): { issue: v.BaseIssue<unknown>; path: YamlPath } {
  const inner = issue.issues?.find(each => pathOf(each).length > 0)
  return inner ? innermost(inner, [...path, ...pathOf(inner)]) : { issue, path }
}

function pathOf({ path }: v.BaseIssue<unknown>): YamlPath {
  return (path ?? []).map(item => item.key as string | number)
}

/** Checks the value at a path of a YAML file; errors carry its position, and an example or else the hint. */
export function checkYaml<S extends v.GenericSchema>(
  source: YamlSource,
  schema: S,
  value: unknown,
  { path = [], hint = null }: { path?: YamlPath; hint?: string | null },
): v.InferOutput<S> {
  return check(schema, value, (inner, message, of, example) =>
    source.fail([...path, ...inner], message, example === null ? hint : `for example: ${example}`, of),
  )
}

/**
 * Adds to a schema what editors show about its key.
 * @param keywords of JSON Schema that cannot be derived from the schema: `examples`, and constraints that its checks and
 *   transformations hide
 */
export function key<S extends v.GenericSchema>(description: string, schema: S, keywords: Keywords = {}) {
  return v.pipe(schema, v.metadata({ description, ...keywords }))
}

/** Keywords of JSON Schema, for editors. A key `toldAs` has the valibot schema that editors get instead. */
type Keywords = Readonly<Record<string, unknown>>

/** Accepts anything, since its reader checks it later; editors get the given schema. */
export function readLater(toldAs: v.GenericSchema) {
  return v.pipe(v.unknown(), v.metadata({ toldAs }))
}

/** A mapping with exactly these keys. */
export function mapping<E extends v.ObjectEntries>(entries: E) {
  const keys = Object.keys(entries)
  return v.pipe(
    anyMapping(),
    v.strictObject(entries, issue => (issue.expected === 'never' ? unknownKey(issue.input, keys) : 'missing')),
  )
}

/** A mapping with any keys. */
export function anyMapping() {
  return v.custom<Readonly<Record<string, unknown>>>(isMapping, 'a mapping of keys to values')
}

/** The keys that valibot leaves out of a mapping, and says nothing of it. */
const lostKeys = ['__proto__', 'prototype', 'constructor']

/** A mapping from names to values. */
export function named<Name extends v.GenericSchema<string, string>, Value extends v.GenericSchema>(
  name: Name,
  value: Value,
) {
  return v.pipe(
    anyMapping(),
    v.rawCheck(({ dataset, addIssue }) => {
      const key = dataset.typed ? lostKeys.find(each => Object.hasOwn(dataset.value, each)) : undefined
      if (key === undefined) return
      const input = dataset.value as Record<string, unknown>
      const message = `a name other than ${lostKeys.join(', ')}`
      addIssue({ message, input: key, path: [{ type: 'object', origin: 'key', input, key, value: key }] })
    }),
    v.record(name, value),
  )
}

/** A list of texts; a single text counts as a list of one, an empty value as the empty list. */
export function texts(text: v.GenericSchema<unknown, string> = filledText()) {
  const list = v.pipe(
    v.unknown(),
    v.transform(value => (typeof value === 'string' ? [value] : (value ?? []))),
    v.array(text, 'a list of texts'),
    v.metadata({ toldAs: v.nullable(v.union([v.array(text), text])) }),
  )
  return v.optional(list, null)
}

/** Text; an empty value is the empty text. */
export function optionalText() {
  return v.nullish(v.string('text'), '')
}

/** Text that is not empty. */
export function filledText() {
  return v.pipe(v.string('text'), v.nonEmpty('text that is not empty'))
}

/** Text that its reader checks to be a name, so that the error can say of what kind. */
export function nameText() {
  return v.pipe(filledText(), v.metadata({ pattern: NAME.source, patternErrorMessage: NAME_RULE, minimum: 0 }))
}

/** Text that a POSIX shell can split into words. */
export function shellWords() {
  return v.pipe(v.string('words as for a shell'), v.regex(SPLITTABLE, 'words whose quotes are closed'))
}

/** The value of a file, in which keys that are not there have the values of another text. @param text YAML; null for none */
export function completed(source: YamlSource, text: string | null): unknown {
  const value = source.value()
  if (text === null || !isMapping(value)) return value
  return { ...(parseYaml(text, source.file, 'text').value() as object), ...value }
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The message for an unknown key: the nearest known key, and all of them. */
export function unknownKey(key: unknown, known: readonly string[]): string {
  const meant = nearest(String(key), known)
  return `unknown key. ${meant ? `Did you mean ${meant}? ` : ''}The keys are ${known.join(', ')}`
}

function isUnknownKey(issue: v.BaseIssue<unknown>): boolean {
  return issue.type === 'strict_object' && issue.expected === 'never'
}

function explain(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'strict_object') return issue.message
  if (issue.input === null || issue.input === undefined) return `missing, expected ${issue.message}`
  return `expected ${issue.message}, not ${describe(issue.input)}`
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isMapping(value)) return 'a mapping'
  return typeof value === 'string' ? `'${shortened(value)}'` : String(value)
}
