import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { NAME, NAME_RULE } from '../../src/domain/text/names.js'
import { OLDER_KEYS, settingsSchema } from '../../src/project/config.js'
import { datasetSchema } from '../../src/project/dataset-description.js'
import { dependencySchema, documentSchema } from '../../src/project/document-description.js'
import { actionSchema, experimentSchema } from '../../src/project/experiment-description.js'
import * as parameters from '../../src/project/parameter-schema.js'
import { templateSchema } from '../../src/project/templates/template-schema.js'
import { runnerKinds } from '../../src/runners/index.js'
import type { TemplateDialect } from '../../src/runners/template-dialect.js'

// Run by build.js: prints the schemas by which editors complete and check YAML files, made from those of the readers.

type Json = Record<string, unknown>

const dialects = Object.fromEntries(runnerKinds.map(({ name, template }) => [name, template]))

/** `text` where the reader takes every scalar as the text that is written, `typed` where it tells them apart. */
type Scalars = 'text' | 'typed'

process.stdout.write(
  JSON.stringify({
    experiment: fileSchema(experimentSchema, 'text', { action: actionSchema }),
    dataset: fileSchema(datasetSchema, 'text'),
    document: fileSchema(documentSchema, 'text', { dependency: dependencySchema }),
    parameters: fileSchema(parameters.parameterSchema, 'text', {
      part: parameters.partSchema,
      value: parameters.valueSchema,
      positionalValue: parameters.positionalValueSchema,
      form: parameters.axisForm,
      positionalForm: parameters.positionalAxisForm,
    }),
    config: configSchema(),
    template: templateFileSchema(),
  }),
)

/** @param definitions what is written once, and referred to by its name */
function fileSchema(
  schema: v.GenericSchema,
  scalars: Scalars,
  definitions: Readonly<Record<string, v.GenericSchema>> = {},
): Json {
  const config: ConversionConfig = {
    definitions,
    // What JSON Schema has no word for is said by metadata beside it.
    errorMode: 'ignore',
    overrideRef: ({ referenceId }) => `#/definitions/${referenceId}`,
    overrideSchema: ({ valibotSchema, jsonSchema }) => overridden(valibotSchema, jsonSchema as Json, scalars),
    overrideAction: ({ valibotAction, jsonSchema }) => withMessage(valibotAction, jsonSchema as Json),
  }
  const { $schema, $defs = {}, ...converted } = toJsonSchema(schema, config)
  const tidy = (json: Json) => tidied(json, config)
  const named = Object.keys($defs).length > 0 ? { definitions: mapped($defs as Record<string, Json>, tidy) } : {}
  return { $schema, ...tidy(converted as Json), ...named }
}

/** What the library does not know of a schema, or would say otherwise. */
function overridden(schema: v.GenericSchema, json: Json, scalars: Scalars): Json | null {
  // All of them are mappings of any keys.
  if (schema.type === 'custom') return { ...json, type: 'object' }
  if (scalars === 'typed') return null
  if (schema.type === 'string') return { ...json, type: ['string', 'number', 'boolean'] }
  if (schema.type === 'picklist') {
    const { options } = schema as v.PicklistSchema<readonly string[], undefined>
    return { enum: options.flatMap(option => (/^(true|false)$/.test(option) ? [option === 'true', option] : [option])) }
  }
  return null
}

/** What is said where a text does not match is what the reader expects. Editors need no bounds of whole numbers. */
function withMessage(action: { readonly type: string }, json: Json): Json | null {
  const { message } = action as { readonly message?: unknown }
  if (action.type === 'regex' && typeof message === 'string') return { ...json, patternErrorMessage: message }
  if (action.type === 'safe_integer') return { ...json, type: 'integer', minimum: undefined, maximum: undefined }
  return null
}

/** The same in fewer words, and with the schemas that editors get in place of those of the reader. */
function tidied(json: Json, config: ConversionConfig): Json {
  const tidy = (inner: Json) => tidied(inner, config)
  const { toldAs, anyOf, $ref, required, ...rest } = withTidiedParts(json, tidy)
  if (toldAs) {
    const { $schema, $defs, ...told } = toJsonSchema(toldAs as v.GenericSchema, config)
    const { description, examples } = rest
    return { ...tidy(told as Json), description, examples }
  }
  return {
    ...($ref && Object.keys(rest).length > 0 ? { allOf: [{ $ref }] } : { $ref }),
    ...(anyOf ? alternatives(anyOf as Json[]) : {}),
    ...rest,
    ...(isNothing(required) ? {} : { required }),
    default: isNothing(rest.default) ? undefined : rest.default,
  }
}

function withTidiedParts(json: Json, tidy: (json: Json) => Json): Json {
  const parts = Object.entries(json).map(([keyword, value]) => {
    if (keyword === 'properties') return [keyword, mapped(value as Record<string, Json>, tidy)]
    if (/^(anyOf|items)$/.test(keyword) && Array.isArray(value)) return [keyword, value.map(tidy)]
    if (/^(items|additionalProperties)$/.test(keyword) && typeof value === 'object')
      return [keyword, tidy(value as Json)]
    // Keys are always texts.
    if (keyword === 'propertyNames') return [keyword, { ...tidy(value as Json), type: undefined }]
    return [keyword, value]
  })
  return Object.fromEntries(parts)
}

/** Alternatives of different types are one schema: no keyword of one type is about another. */
function alternatives(schemas: readonly Json[]): Json {
  const types = schemas.flatMap(({ type }) => (type ?? []) as string | string[])
  const isSimple = (schema: Json) =>
    schema.type && !['enum', 'anyOf', 'oneOf', 'allOf', 'not', 'description'].some(keyword => schema[keyword])
  if (!schemas.every(isSimple) || new Set(types).size < types.length) return { anyOf: schemas }
  return { ...Object.assign({}, ...schemas), type: types }
}

function isNothing(value: unknown): boolean {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return value === undefined || value === null || value === '' || isEmpty
}

function mapped<In, Out>(record: Readonly<Record<string, In>>, change: (value: In, key: string) => Out) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

function configSchema(): Json {
  const settings = fileSchema(settingsSchema, 'typed')
  const sections = mapped<TemplateDialect, Json>(dialects, ({ description }, runner) => ({
    description: `${description} Each has a name; \`default\` is used where none is given.`,
    type: ['object', 'null'],
    propertyNames: { pattern: NAME.source, patternErrorMessage: NAME_RULE },
    additionalProperties: {
      allOf: [{ $ref: 'template.json#/definitions/template' }, { $ref: `template.json#/definitions/${runner}` }],
    },
  }))
  const older = OLDER_KEYS.map(key => [
    key,
    { description: 'A setting of the older program, which means nothing here.', doNotSuggest: true },
  ])
  return {
    ...settings,
    type: ['object', 'null'],
    properties: { ...(settings.properties as Json), ...sections, ...Object.fromEntries(older) },
    additionalProperties: false,
  }
}

/** A template by itself, of whichever runner; the settings refer to its parts. */
function templateFileSchema(): Json {
  const { $schema, ...template } = fileSchema(templateSchema, 'typed')
  const keys = Object.keys(template.properties as Json)
  return {
    $schema,
    allOf: [{ $ref: '#/definitions/template' }],
    anyOf: Object.keys(dialects).map(runner => ({ $ref: `#/definitions/${runner}` })),
    definitions: {
      template: { ...template, type: ['object', 'null'] },
      ...mapped<TemplateDialect, Json>(dialects, dialect => dialectSchema(dialect, keys)),
    },
  }
}

/** What a runner asks of a template. @param keys those of every runner */
function dialectSchema({ owned, keys: own, shared }: TemplateDialect, keys: readonly string[]): Json {
  const ofAll = `^(${keys.join('|')})$`
  const known = [ofAll, ...(own ? [own.pattern.source] : [])]
  return {
    propertyNames: {
      allOf: [
        { pattern: `${ofAll}|^(?!(${owned.join('|')})$)`, patternErrorMessage: 'Qanat sets this itself: leave it out' },
        {
          pattern: known.join('|'),
          patternErrorMessage: ['a key of every runner', ...(own ? [own.name] : [])].join(', or '),
        },
      ],
    },
    properties: { ...Object.fromEntries(keys.map(key => [key, true])), ...shared },
    additionalProperties: own?.value ?? true,
  }
}
