import { readFileSync } from 'node:fs'
import { block, code, list, page, plain, section } from './markdown.mjs'

/** The part of a JSON Schema that the reference shows. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: Schema | readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly $ref?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly definitions?: Readonly<Record<string, Schema>>
  readonly doNotSuggest?: boolean
}

/** A kind of file, and what its page says besides its keys. */
interface Kind {
  readonly path: string
  readonly title: string
  readonly schema: string
  readonly intro: string
  /** Path of a file that is shown. */
  readonly example: string
}

const kinds: readonly Kind[] = [
  {
    path: 'experiment-file.md',
    title: 'The file of an experiment',
    schema: 'experiment',
    intro: 'For everybody who describes a script. `qanat experiment new -f FILE` reads the file.',
    example: 'examples/iris/classifier.yaml',
  },
  {
    path: 'dataset-file.md',
    title: 'The file of a dataset',
    schema: 'dataset',
    intro: 'For everybody whose experiments read data. `qanat dataset new -f FILE` reads the file.',
    example: 'examples/iris/dataset.yaml',
  },
  {
    path: 'document-file.md',
    title: 'The file of a document',
    schema: 'document',
    intro: 'For everybody who writes a paper from runs. `qanat document new -f FILE` reads the file.',
    example: 'examples/iris/report.yaml',
  },
  {
    path: 'parameter-file.md',
    title: 'The file of parameters',
    schema: 'parameters',
    intro: 'For everybody with a grid that is too long for one line. `qanat run NAME -f FILE` reads the file.',
    example: 'examples/iris/grid.yaml',
  },
  {
    path: 'template.md',
    title: 'Submit templates',
    schema: 'template',
    intro:
      'For everybody who asks a scheduler for resources. A template stands under the name of its runner in the settings, or in a file of its own: `qanat run --submit_template NAME`.',
    example: 'examples/templates/slurm_gpu.yaml',
  },
  {
    path: 'settings.md',
    title: 'Settings',
    schema: 'config',
    intro:
      'For everybody who changes how a project behaves. The settings are in `.qanat/config.yaml`, which git tracks; `qanat config set KEY VALUE` changes them.',
    example: '',
  },
]

/** A page for each kind of file. @param schemas those for editors, by their names */
export function fileReference(schemas: Readonly<Record<string, Schema>>): Record<string, string> {
  return Object.fromEntries(kinds.map(kind => [kind.path, fileText(kind, schemas[kind.schema]!)]))
}

function fileText({ title, schema: name, intro, example }: Kind, schema: Schema): string {
  const { definitions = {} } = withValues(schema)
  const main = name === 'template' ? definitions.template! : withValues(schema)
  // Those of positionals are like those of options.
  const rest = Object.entries(definitions).filter(([word, each]) => each !== main && !word.startsWith('positional'))
  const named = rest.map(([word, each]) => section(`${word[0]!.toUpperCase()}${word.slice(1)}`, keysText(each)))
  const own = name === 'template' ? rest.map(([runner, each]) => ownKeys(runner, each)) : named
  const text = example === '' ? '' : readFileSync(example, 'utf8').replace(/^# yaml-language-server.*\n/, '')
  const shown = text === '' ? '' : block('yaml', `# ${name}\n${text}`)
  return page(title, intro, shown, section('Keys', keysText(main)), ...own.filter(each => each !== ''))
}

/** The schema with the definitions of plain values where they are referred to, as only mappings have a section. */
function withValues(schema: Schema): Schema {
  const { definitions = {} } = schema
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const definition = definitions[nameIn(String(value?.$ref))]
    return definition && !definition.properties ? definition : value
  })
}

/** The keys of a scheduler. */
function ownKeys(runner: string, { additionalProperties: value }: Schema): string {
  const text = typeof value === 'object' ? (value.description ?? '') : ''
  return text === '' ? '' : section(`Keys of ${runner}`, plain(text))
}

/** The keys of a mapping, those of mappings in it below each. */
function keysText(schema: Schema): string {
  const items = Object.entries(schema.properties ?? {})
    .filter(([, { doNotSuggest, description }]) => !doNotSuggest && description !== undefined)
    .map(([key, value]) => {
      const inner = new Set(innerOf(value).map(keysText))
      inner.delete('')
      return [keyText(key, value, schema.required?.includes(key) ?? false), ...[...inner].map(indented)].join('\n')
    })
  return list(items)
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ')
}

/** The mappings within a value: itself, the items of a list, or the values of any keys. */
function innerOf(schema: Schema): Schema[] {
  const { properties, items, anyOf = [], additionalProperties } = schema
  const below = [
    ...[items ?? []].flat(),
    ...anyOf,
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  return [...(properties ? [schema] : []), ...below.flatMap(innerOf)]
}

function keyText(key: string, schema: Schema, isRequired: boolean): string {
  const { description = '', default: preset, examples = [] } = schema
  const notes = [
    ...[typeText(schema)].filter(text => text !== ''),
    ...(isRequired ? ['required'] : []),
    ...(preset === undefined ? [] : [`default ${code(valueText(preset))}`]),
  ]
  const shown =
    examples.length > 0 ? ` For example ${examples.map(each => code(`${key}: ${valueText(each)}`)).join(' or ')}.` : ''
  return `${code(key)} (${notes.join(', ')}). ${plain(description)}${shown}`
}

/** A value in one line of YAML. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}: ${valueText(each)}`)
    .join(', ')}}`
}

function typeText(schema: Schema): string {
  const { enum: choices, anyOf, allOf, $ref, items } = schema
  if (choices)
    return `one of ${choices
      .filter(isWritten)
      .map(each => code(String(each)))
      .join(', ')}`
  const reference = $ref ?? allOf?.[0]?.$ref
  if (reference) return `[${nameIn(reference)}](#${nameIn(reference).toLowerCase()})`
  if (anyOf) return either(anyOf.map(typeText))
  const types = [schema.type ?? []].flat()
  const scalars = types.includes('string') ? ['text'] : types.flatMap(type => typeWords[type] ?? [])
  const item = items && !Array.isArray(items) ? typeText(items as Schema) : ''
  const lists = types.includes('array') ? [item === '' ? 'list' : `list of ${item}`] : []
  return either([...scalars, ...lists, ...(types.includes('object') ? ['mapping'] : [])])
}

/** What a value may be; null needs no word. */
function either(types: readonly string[]): string {
  const different = [...new Set(types.filter(type => type !== ''))]
  const [single, ...others] = different
  const isBoth = others.length === 1 && (others[0] === `list of ${single}` || single === `list of ${others[0]}`)
  return isBoth ? `${single!.length < others[0]!.length ? single : others[0]}, or a list` : different.join(' or ')
}

/** Whether a choice is shown: true and false stand for the texts of the same name. */
function isWritten(choice: unknown): boolean {
  return typeof choice !== 'string' || !/^(true|false)$/.test(choice)
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1)!
}

const typeWords: Readonly<Record<string, string>> = {
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
}
