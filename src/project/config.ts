import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import * as v from 'valibot'
import { isCollection, isMap } from 'yaml'
import { checkName } from '../domain/text/names.js'
import { UserError } from '../errors.js'
import { anyMapping, checkYaml, unknownKey } from './schema.js'
import { templateSchema } from './template-schema.js'
import { keepAsWritten, parseYaml, readText, type YamlSource } from './yaml-source.js'

/** Relative to the project's root; also how messages name it. */
export const CONFIG_FILE = '.qanat/config.yaml'

const LOG_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const
const SNAPSHOTS = ['auto', 'always', 'never'] as const
const SETTINGS = ['default_editor', 'result_dir', 'logging', 'poll_interval', 'snapshot']
/** For callers that do not know which runners are registered. */
const RUNNERS: readonly string[] = ['local', 'slurm', 'htcondor']
/** Keys of the older program that mean nothing here. */
const OLDER_KEYS = ['nohtcondorwarning']

/** A submit template as it is written, before `extends` is resolved. */
export type Template = Readonly<Record<string, unknown>>

/** What `.qanat/config.yaml` says, defaults filled in. */
export interface Config {
  readonly defaultEditor: string | null
  /** Relative to the project's root, normalised, below it. */
  readonly resultDir: string
  readonly logging: (typeof LOG_LEVELS)[number]
  /** Seconds between two questions to a scheduler. */
  readonly pollInterval: number
  readonly snapshot: (typeof SNAPSHOTS)[number]
  /** Submit templates by runner, then by name. */
  readonly templates: Readonly<Record<string, Readonly<Record<string, Template>>>>
}

/** Milliseconds that file systems and accounting may lag behind; 270 s (as Nextflow waits) where nothing is set. */
export function graceOf({ pollInterval }: Config): number {
  return 9 * 1000 * pollInterval
}

/**
 * The configuration of a project and what to warn about.
 * @param runners whose templates it may hold
 * @throws UserError with the line of an ill-typed value
 */
export function loadConfig(
  projectRoot: string,
  runners: readonly string[] = RUNNERS,
): { config: Config; warnings: string[] } {
  return checkConfigText(readConfigText(projectRoot), CONFIG_FILE, runners)
}

/** As loadConfig, for a text that is not in its place yet; `file` is its name in messages. */
export function checkConfigText(
  text: string,
  file: string,
  runners: readonly string[] = RUNNERS,
): { config: Config; warnings: string[] } {
  const source = parseYaml(text, file)
  const { settings, templates, others } = readSettings(source, runners)
  const config = {
    defaultEditor: settings.default_editor,
    resultDir: settings.result_dir,
    logging: settings.logging,
    pollInterval: settings.poll_interval,
    snapshot: settings.snapshot,
    templates,
  }
  return { config, warnings: unknownKeys(source, Object.keys(others), runners) }
}

/** The settings under the keys of the file, defaults filled in: what `config get` answers from. */
export function settingsOf(text: string): Readonly<Record<string, unknown>> {
  const { settings, templates, others } = readSettings(parseYaml(text, CONFIG_FILE), RUNNERS)
  return { ...settings, ...templates, ...others }
}

/** The text of a project's configuration. Throws a UserError where there is none. */
export function readConfigText(projectRoot: string): string {
  const file = join(projectRoot, CONFIG_FILE)
  if (!existsSync(file)) throw new UserError(`there is no ${CONFIG_FILE} in ${projectRoot}`, 'to make one: qanat init')
  return readText(file)
}

/** Throws a UserError for a top-level key that means nothing, neither to this program nor to the older one. */
export function checkConfigKey(key: string): void {
  const known = [...SETTINGS, ...RUNNERS]
  if (known.includes(key) || OLDER_KEYS.includes(key)) return
  throw new UserError(`${key}: ${unknownKey(key, known)}`, 'see: qanat config show')
}

/** The settings, the templates by runner, and what stands under any other key. */
function readSettings(source: YamlSource, runners: readonly string[]) {
  const { contents } = source.document
  for (const pair of isMap(contents) ? contents.items : []) {
    if (isCollection(pair.value)) keepAsWritten(pair.value)
  }
  const value = source.value() ?? {}
  const hint = 'to change it: qanat config edit'
  const settings = checkYaml(source, settingsSchema(), value, { hint })
  const sections = v.object(Object.fromEntries(runners.map(runner => [runner, templatesSchema()])))
  const templates = checkYaml(source, sections, value, { hint })
  for (const [runner, ofRunner] of Object.entries(templates)) {
    for (const [name, template] of Object.entries(ofRunner)) {
      source.at([runner, name], () => checkName('template', name), 'key')
      checkYaml(source, templateSchema(), template, { path: [runner, name], hint })
    }
  }
  const known = [...SETTINGS, ...runners]
  const others = Object.fromEntries(Object.entries(value).filter(([key]) => !known.includes(key)))
  return { settings, templates, others }
}

function settingsSchema() {
  return v.pipe(
    anyMapping(),
    v.object({
      default_editor: v.nullish(v.string('the command of an editor, or null'), null),
      result_dir: v.optional(resultDir(), 'results'),
      logging: v.optional(v.picklist(LOG_LEVELS, oneOf(LOG_LEVELS)), 'INFO'),
      poll_interval: v.optional(pollInterval(), 30),
      snapshot: v.optional(v.picklist(SNAPSHOTS, oneOf(SNAPSHOTS)), 'auto'),
    }),
  )
}

/** The templates of one runner by name. */
function templatesSchema() {
  const byName = v.record(v.string(), v.nullish(anyMapping(), {}))
  return v.nullish(v.pipe(anyMapping(), byName), {})
}

function pollInterval() {
  const expected = 'a number of seconds above 0'
  return v.pipe(v.number(expected), v.finite(expected), v.gtValue(0, expected))
}

/** The folder has to be one that deleting and ignoring it harms nothing else. */
function resultDir() {
  const expected = 'a folder inside the project, relative to it, that is not .git or .qanat'
  return v.pipe(
    v.string(expected),
    v.nonEmpty(expected),
    v.transform(path => posix.normalize(path).replace(/\/+$/, '')),
    v.check(path => path !== '' && !/^(?:\/|~|\$|\.{1,2}(?:\/|$)|\.(?:git|qanat)(?:\/|$))/i.test(path), expected),
  )
}

function unknownKeys(source: YamlSource, keys: readonly string[], runners: readonly string[]): string[] {
  const unknown = keys.filter(key => !OLDER_KEYS.includes(key))
  return unknown.map(key => source.fail([key], unknownKey(key, [...SETTINGS, ...runners]), null, 'key').message)
}

function oneOf(values: readonly string[]): string {
  return `one of ${values.join(', ')}`
}

/** Throws a UserError for a text that cannot be `result_dir`. */
export function checkResultDir(text: string): void {
  checkConfigText(`result_dir: ${JSON.stringify(text)}\n`, 'result_dir')
}
