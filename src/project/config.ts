import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import * as v from 'valibot'
import { isCollection, isMap } from 'yaml'
import { runOptions } from '../domain/options/run-options.js'
import { type NamedInCode, namedInCode } from '../domain/text/key-names.js'
import { checkName } from '../domain/text/names.js'
import { orElse, QanatError, UserError } from '../errors.js'
import type { Project } from './find-project.js'
import { templateSchema } from './templates/template-schema.js'
import { anyMapping, checkYaml, key, mapping, readLater, texts, unknownKey } from './yaml/schema.js'
import { keepAsWritten, parseYaml, readText, type YamlPath, type YamlSource } from './yaml/yaml-source.js'

/** Relative to the project's root; messages use this name, too. */
export const CONFIG_FILE = '.qanat/config.yaml'

/** How much is reported, from everything to nothing. */
const levels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const

/** Each setting with its type, its default and its description for editors, declared only here. */
const settings = {
  default_editor: key(
    'The editor for comments and settings if neither $VISUAL nor $EDITOR is set. null: none.',
    v.nullish(v.string('the command of an editor, or null'), null),
    { examples: ['vim', 'code --wait'] },
  ),
  /** As written; see result-folder.ts. */
  result_dir: key(
    'Where the output of runs goes: a folder of the project that git ignores, or one outside, as an absolute path or with ~ or $NAME.',
    v.optional(resultDir(), 'results'),
    { examples: ['results', '$SCRATCH/results'] },
  ),
  logging: key(
    'What Qanat reports on stderr about its own work. DEBUG: also the programs that it calls, with their durations. WARNING: no progress bar. ERROR, CRITICAL: no warnings either. Errors are always shown.',
    v.optional(oneOf(levels), 'INFO'),
  ),
  emoji: key(
    'Whether there are symbols beside words on a terminal. Without colours (NO_COLOR) there are none anyway.',
    v.optional(v.boolean('true or false'), true),
  ),
  /** Seconds between two polls of a scheduler. */
  poll_interval: key('A scheduler is polled at most once in this many seconds.', v.optional(seconds(), 30)),
  /** Seconds by which file systems and accounting may lag behind; Nextflow waits as long. */
  grace: key(
    'How many seconds after the end of a job to wait for its exit code before the group counts as lost.',
    v.optional(seconds(), 270),
  ),
  confirm_above: key(
    'On a terminal, a launch of more than this many groups asks first.',
    v.optional(wholeNumber(), 1000),
  ),
  snapshot: key(
    'Whether a run uses a frozen copy of its commit. auto: always, except for a single group in the foreground on this machine.',
    v.optional(oneOf(runOptions.snapshot.choices), 'auto'),
  ),
  link: key(
    'Ignored paths that every frozen copy shares with the tree, since they are only read. Qanat tells builds from data by itself; name a path here if it is wrong.',
    v.optional(pathsInProject(), []),
    { examples: [['build/assets']] },
  ),
  own: key(
    'Ignored paths into which groups write. Every frozen copy has its own, as it has its own builds (target/, build/, programs).',
    v.optional(pathsInProject(), []),
    { examples: [['vendor/solver']] },
  ),
  prepare: key(
    "A shell command, or several, that runs in a frozen copy before the first group, once for each commit. It builds or installs what that commit needs. Single runs are frozen, too, and environment folders (.venv, node_modules) are the copy's own.",
    v.optional(
      v.union(
        [
          v.pipe(
            v.string(),
            v.transform(text => [text]),
          ),
          v.array(v.string()),
        ],
        'a command, or a list of commands',
      ),
      [],
    ),
    { examples: ['cargo build --release', 'uv sync --frozen'] },
  ),
  prepare_inputs: key(
    'Files and patterns, such as uv.lock. Copies in which these files are equal share one preparation.',
    v.optional(v.array(v.string('a path or pattern'), 'a list of paths and patterns, as in [uv.lock]'), []),
    { examples: [['uv.lock', 'pyproject.toml']] },
  ),
  environment: key(
    'How the environments of runs are compared.',
    v.optional(
      mapping({
        ignore: key('Names of packages that no comparison looks at.', texts(), {
          examples: [['black', 'pytest']],
        }),
      }),
      {},
    ),
  ),
  context: key(
    'The context in which runs are launched that name none. null: this machine.',
    v.nullish(v.string('the name of a context'), null),
    { examples: ['hpc'] },
  ),
  /** See contexts.ts. */
  contexts: key(
    'Other machines where runs live, by name. Personal ones are in ~/.config/qanat/contexts.yaml.',
    v.optional(readLater(v.record(v.string(), anyMapping())), {}),
    { examples: [{ hpc: { host: 'hpc', root: '$SCRATCH/qanat', runner: 'slurm' } }] },
  ),
}

/** Keys of the older program, which are accepted and ignored. */
export const OLDER_KEYS: readonly string[] = ['nohtcondorwarning']

/** The settings in the file; other keys are ignored. */
export const settingsSchema = v.pipe(
  anyMapping(),
  v.object(settings),
  v.metadata({ title: 'Settings of a Qanat project' }),
)

/** A submit template as written, before `extends` is resolved. */
export type Template = Readonly<Record<string, unknown>>

/** Submit templates by runner, then by name. */
export type Templates = Readonly<Record<string, Readonly<Record<string, Template>>>>

/** The contents of `.qanat/config.yaml`, with defaults. */
export type Config = Readonly<NamedInCode<v.InferOutput<typeof settingsSchema>>> & {
  /** The submit templates, which few commands need. @throws UserError with the line of an invalid one */
  templates(): Templates
}

/** Whether what has this level is reported. */
export function reports({ logging }: Config, level: Config['logging']): boolean {
  return levels.indexOf(logging) <= levels.indexOf(level)
}

/** The configuration of a project, and warnings. @throws UserError with the line of an invalid setting */
export function loadConfig({ root, runners }: Configured): { config: Config; warnings: string[] } {
  return readConfig(readConfigText(root), CONFIG_FILE, runners)
}

/** Whether the settings of a project ask for symbols; yes if they cannot be read, which others report. */
export function wantsEmoji(root: string): boolean {
  return orElse(() => loadConfig({ root, runners: [] }).config.emoji, true, QanatError)
}

/** What is needed to read the settings of a project: its root, and the runners whose templates they may hold. */
export type Configured = Pick<Project, 'root' | 'runners'>

/** The same for a text that is not saved yet, with its templates; `file` is its name in messages. */
export function checkConfigText(...given: Parameters<typeof readConfig>): ReturnType<typeof readConfig> {
  const read = readConfig(...given)
  read.config.templates()
  return read
}

function readConfig(text: string, file: string, runners: readonly string[]): { config: Config; warnings: string[] } {
  const source = parseYaml(text, file)
  const { given, templates, others } = readSettings(source, runners)
  const unknown = Object.keys(others).filter(name => !OLDER_KEYS.includes(name))
  const warnings = unknown.map(name => source.fail([name], unknownKey(name, keysFor(runners)), null, 'key').message)
  return { config: { ...namedInCode(given), templates }, warnings }
}

/** The settings under the keys of the file, with defaults, for `config get`. */
export function settingsOf(text: string, runners: readonly string[]): Readonly<Record<string, unknown>> {
  const { given, templates, others } = readSettings(parseYaml(text, CONFIG_FILE), runners)
  return { ...given, ...templates(), ...others }
}

/** The text of a project's configuration. Throws a UserError if there is none. */
export function readConfigText(projectRoot: string): string {
  const file = join(projectRoot, CONFIG_FILE)
  if (!existsSync(file)) throw new UserError(`there is no ${CONFIG_FILE} in ${projectRoot}`, 'to make one: qanat init')
  return readText(file)
}

/** Throws a UserError for a top-level key that neither this program nor the older one knows. */
export function checkConfigKey(name: string, runners: readonly string[]): void {
  const known = keysFor(runners)
  if (known.includes(name) || OLDER_KEYS.includes(name)) return
  throw new UserError(`${name}: ${unknownKey(name, known)}`, 'see: qanat config show')
}

function keysFor(runners: readonly string[]): string[] {
  return [...Object.keys(settings), ...runners]
}

/** The settings, the templates by runner, and all other keys. */
function readSettings(source: YamlSource, runners: readonly string[]) {
  const { contents } = source.document
  for (const pair of isMap(contents) ? contents.items : []) {
    if (isCollection(pair.value)) keepAsWritten(pair.value)
  }
  const value = source.value() ?? {}
  const hint = 'to change it: qanat config edit'
  const given = checkYaml(source, settingsSchema, value, { hint })
  const others = Object.entries(value).filter(([name]) => !keysFor(runners).includes(name))
  const templates = () => readTemplates(source, value, runners, hint)
  return { given, templates, others: Object.fromEntries(others) }
}

/** The templates under the names of runners in a mapping of a file. @param at where the mapping is */
export function readTemplates(
  source: YamlSource,
  value: unknown,
  runners: readonly string[],
  hint: string,
  at: YamlPath = [],
): Templates {
  const sections = v.object(Object.fromEntries(runners.map(runner => [runner, mappingOrNothing])))
  const ofRunner = ([runner, section]: [string, object]) => {
    const templates = Object.entries(section).map(([name, template]): [string, Template] => {
      const path = [...at, runner, name]
      source.at(path, () => checkName('template', name), 'key')
      const given = checkYaml(source, mappingOrNothing, template, { path, hint })
      checkYaml(source, templateSchema, given, { path, hint })
      return [name, given]
    })
    return [runner, Object.fromEntries(templates)]
  }
  return Object.fromEntries(Object.entries(checkYaml(source, sections, value, { path: at, hint })).map(ofRunner))
}

const mappingOrNothing = v.nullish(anyMapping(), {})

function oneOf<const Values extends readonly string[]>(values: Values) {
  return v.picklist(values, `one of ${values.join(', ')}`)
}

function wholeNumber() {
  const expected = 'a whole number, 0 or above'
  return v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(0, expected))
}

function seconds() {
  const expected = 'a number of seconds above 0'
  return v.pipe(v.number(expected), v.finite(expected), v.gtValue(0, expected))
}

/** Paths of files and folders of the project. */
function pathsInProject() {
  const expected = 'a path inside the project, relative to its root'
  const path = v.pipe(
    v.string(expected),
    v.regex(/^(?!\/)(?!(?:.*\/)?\.{1,2}(?:\/|$)).+$/, expected),
    v.transform(text => posix.normalize(text).replace(/\/$/, '')),
  )
  return v.array(path, 'a list of paths, as in [build/assets]')
}

/** The text of a folder for results. Which folder it is, and whether it can be used, depends on the machine. */
function resultDir() {
  const expected =
    'a folder: inside the project, absolute, or beginning with ~ or $NAME; not .git, .qanat, or one that contains the project'
  return v.pipe(
    v.string(expected),
    v.nonEmpty(expected),
    v.check(
      path => !/^(?:\/|~[^/].*|(?:\.\.\/)*\.{1,2}\/?|\.(?:git|qanat)(?:\/.*)?)$/i.test(posix.normalize(path)),
      expected,
    ),
    // Editors see the path before it is normalised.
    v.metadata({
      pattern:
        '^(?!~[^/])(?!(\\.{1,2}/+)*\\.{0,2}/*$)(?!(\\./+)*\\.([gG][iI][tT]|[qQ][aA][nN][aA][tT])(/|$))(?!(.*/)?(?!\\.{1,2}/)[^/]+/+\\.\\.(/|$))',
      patternErrorMessage: expected,
    }),
  )
}
