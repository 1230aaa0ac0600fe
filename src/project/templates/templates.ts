import { existsSync, statSync } from 'node:fs'
import type { JobEnvironment } from '../../domain/job-environment.js'
import type { NewAttempt } from '../../domain/runs/launch.js'
import { namedInCode } from '../../domain/text/key-names.js'
import { nearest, shortened } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import type { Config, Template } from '../config.js'
import { check, checkYaml, isMapping } from '../yaml/schema.js'
import { displayPath, keepAsWritten, readYaml } from '../yaml/yaml-source.js'
import { templateKeys, templateSchema } from './template-schema.js'

/** A submit template with `extends` resolved; `name` is the name or file that the user gave. */
export interface ResolvedTemplate {
  readonly name: string
  readonly template: Template
}

/** The same with its origin. */
export interface FoundTemplate extends ResolvedTemplate {
  /** The file that was read, as typed; null for a template of the config. */
  readonly file: string | null
}

/** The templates of one runner by name. */
interface Library {
  readonly runner: string
  readonly templates: Readonly<Record<string, Template>>
}

/**
 * The submit template of a runner by name, or from a YAML file; if neither is given, `default`, or an empty template.
 * Throws a UserError for a missing template, for a circle of `extends` and for a broken file.
 */
export function resolveTemplate(config: Config, runner: string, nameOrFile?: string): FoundTemplate {
  const library = { runner, templates: config.templates()[runner] ?? {} }
  if (nameOrFile !== undefined && !Object.hasOwn(library.templates, nameOrFile) && isFile(nameOrFile)) {
    const template = extended(library, readTemplateFile(nameOrFile), [nameOrFile])
    return { name: nameOrFile, template, file: nameOrFile }
  }
  const name = nameOrFile ?? 'default'
  return { name, template: named(library, name, []), file: null }
}

/** A template that deals only some of the GPUs of a machine. @throws UserError if it deals none */
export function withGpuDevices({ name, template }: ResolvedTemplate, numbers: string): ResolvedTemplate {
  const { resources } = template
  if (isMapping(resources) && resources.gpus !== undefined)
    return { name, template: { ...template, resources: { ...resources, gpu_devices: numbers } } }
  throw new UserError(
    `--gpus ${numbers}: the submit template ${name} deals no GPUs`,
    'give it how many each group gets: resources: {gpus: 1}, by qanat config edit',
  )
}

/**
 * Splits a template into the keys that are the same for every runner, and the scheduler's own keys as written.
 * Throws a UserError that names the template, the key and the allowed values.
 */
export function parseJobEnvironment({ name, template }: ResolvedTemplate): {
  environment: JobEnvironment
  rest: Record<string, unknown>
} {
  const hint = 'to change a template: qanat config edit'
  const { extends: _, ...given } = check(
    templateSchema,
    template,
    (path, message) => new UserError(`submit template ${name}: ${displayPath(path)}${message}`, hint),
  )
  if (given.conda && given.venv) throw new UserError(`submit template ${name}: it has both conda and venv`, hint)
  const twice = Object.keys(given.secrets).find(secret => Object.hasOwn(given.env, secret))
  if (twice !== undefined) throw new UserError(`submit template ${name}: ${twice} is in both env and secrets`, hint)
  const { pack } = given
  if (pack && pack.slots > pack.groups)
    throw new UserError(
      `submit template ${name}: pack has ${pack.slots} slots for ${pack.groups} groups of a job`,
      hint,
    )
  return {
    environment: namedInCode(given),
    rest: Object.fromEntries(Object.entries(template).filter(([key]) => !Object.hasOwn(templateKeys, key))),
  }
}

/** A template as runs record it: only the names of its variables, whose values are in a file that its owner alone can read. */
export function templateToRecord(template: Template): Template {
  return isMapping(template.env) ? { ...template, env: Object.keys(template.env) } : template
}

/** A template as somebody has written it: without the image that a launch has built. */
export function templateAsWritten({ image, ...template }: Template): Template {
  return image === undefined || isMapping(template.build) ? template : { ...template, image }
}

/** The same as {@link parseJobEnvironment} for a template as a run has recorded it, without its variables. */
export function parseRecordedTemplate({ submitTemplate, resolved }: Pick<NewAttempt, 'submitTemplate' | 'resolved'>) {
  const { env: _, ...template } = resolved
  return parseJobEnvironment({ name: submitTemplate ?? 'default', template })
}

function named(library: Library, name: string, above: readonly string[]): Template {
  if (above.includes(name)) {
    throw new UserError(
      `the ${library.runner} template '${name}' extends itself: ${[...above, name].join(' → ')}`,
      'to change a template: qanat config edit',
    )
  }
  if (Object.hasOwn(library.templates, name)) return extended(library, library.templates[name]!, [...above, name])
  if (name === 'default') return {}
  throw unknownTemplate(library, name, above.at(-1) ?? null)
}

function extended(library: Library, template: Template, names: readonly string[]): Template {
  const { extends: parent, ...own } = template
  return merged(parent === undefined || parent === null ? {} : named(library, String(parent), names), own)
}

function merged(base: Template, changes: Template): Template {
  const result = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(changes)) {
    const below = result.get(key)
    if (value === null) result.delete(key)
    else result.set(key, isMapping(value) ? merged(isMapping(below) ? below : {}, value) : value)
  }
  return Object.fromEntries(result)
}

/** @param below the template that extends it, or its file; null for one that was asked for */
function unknownTemplate({ runner, templates }: Library, name: string, below: string | null): UserError {
  const names = Object.keys(templates)
  const meant = nearest(name, names)
  const problem =
    below === null
      ? `no ${runner} template '${shortened(name)}', and no file of that name`
      : `${below} extends '${shortened(name)}', but no ${runner} template has this name`
  return new UserError(
    `${problem}${meant ? `. Did you mean ${meant}?` : ''}`,
    names.length > 0 ? `the ${runner} templates are ${names.join(', ')}` : 'to add one: qanat config edit',
  )
}

function readTemplateFile(file: string): Template {
  const source = readYaml(file)
  if (source.document.contents) keepAsWritten(source.document.contents)
  const template = (source.value() ?? {}) as Template
  checkYaml(source, templateSchema, template, { hint: `correct ${file}` })
  return template
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}
