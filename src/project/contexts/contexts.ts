import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { SIZE, sizeBytes } from '../../domain/job-environment.js'
import { HERE } from '../../domain/runs/run.js'
import { namedInCode } from '../../domain/text/key-names.js'
import { checkName, nearest } from '../../domain/text/names.js'
import { splitWords } from '../../domain/text/words.js'
import { UserError } from '../../errors.js'
import { CONFIG_FILE, readTemplates, type Templates } from '../config.js'
import type { Project } from '../find-project.js'
import {
  check,
  checkYaml,
  type Fail,
  filledText,
  isMapping,
  key,
  mapping,
  named,
  nameText,
  shellWords,
  texts,
} from '../yaml/schema.js'
import { keepAsWritten, parseYaml, readText, type YamlPath, type YamlSource } from '../yaml/yaml-source.js'

/** Each key of a context with its type, declared only here. Besides them there are the templates of each runner. */
const contextKeys = {
  host: key(
    'What ssh takes: an alias of ~/.ssh/config, or user@host.',
    v.pipe(filledText(), v.regex(/^[^-\s]\S*$/, 'an alias, or user@host')),
    {
      examples: ['hpc'],
    },
  ),
  root: key('A folder there for everything of ours; $NAME and ~ are expanded there.', folderThere(), {
    examples: ['$SCRATCH/qanat'],
  }),
  storage: key(
    'A folder there that lasts: jobs copy finished groups into it, where the site removes files in root; $NAME and ~ are expanded there.',
    v.nullish(folderThere(), null),
    { examples: ['$HOME/results'] },
  ),
  runner: key('The runner of runs that name none.', v.optional(filledText(), 'local'), { examples: ['slurm'] }),
  submit_template: key('The template of runs that name none.', v.nullish(filledText(), null)),
  poll_interval: key(
    'It is visited at most once in this many seconds.',
    v.optional(v.pipe(v.number('a number of seconds'), v.minValue(1, '1 or more')), 120),
  ),
  shell: key('The shell that knows where programs are, if it is not sh.', v.optional(shellWords(), ''), {
    examples: ['bash -l'],
  }),
  datasets: key('Where datasets lie there, by name.', v.optional(named(nameText(), filledText()), {}), {
    examples: [{ iris: '/data/iris' }],
  }),
  fetch: key(
    'Which files of groups come here by themselves; without it, those of up to 1 MB. run_fetch fetches the others.',
    v.nullish(
      v.pipe(
        mapping({
          include: key('Patterns of paths in the folder of a group: only these come; without it, all do.', texts(), {
            examples: [['*.svg', 'plots/**']],
          }),
          exclude: key('Patterns of paths that stay there.', texts(), { examples: ['*.ckpt'] }),
          max_file: key(
            'Larger files stay there. What is larger than 1 MB comes once the group has ended.',
            fileSize(),
            {
              examples: ['10M'],
            },
          ),
        }),
        v.transform(namedInCode),
      ),
      null,
    ),
    { examples: [{ include: ['*.svg'], max_file: '10M' }] },
  ),
  prepare: key(
    'Shell commands that run in a frozen copy there before the first group, once for each commit.',
    texts(),
    { examples: ['uv sync --frozen'] },
  ),
  prepare_on: key(
    'Where they run: login, on the machine that is logged in to, or job, in a job of the template of the run, or of another one.',
    v.optional(
      v.union(
        [v.picklist(['login', 'job']), mapping({ job: key('The template of the job.', filledText()) })],
        'login, job, or {job: TEMPLATE}',
      ),
      'login',
    ),
    { examples: ['job', { job: 'short' }] },
  ),
  prepare_inputs: key('Files and patterns: copies in which they are equal share one preparation.', texts(), {
    examples: ['uv.lock'],
  }),
}

/** A path that is expanded there. */
function folderThere() {
  return v.pipe(filledText(), v.regex(/^[/~$]/, 'an absolute path, or one with ~ or $NAME at its beginning'))
}

/** In bytes. */
function fileSize() {
  const size = v.pipe(
    v.union([v.string(), v.number()], 'a size such as 10M or 2G'),
    v.transform(String),
    v.regex(SIZE, 'a size such as 10M or 2G'),
    v.transform(text => sizeBytes(text) ?? 0),
    v.metadata({ type: ['integer', 'string'], minimum: 0 }),
  )
  return v.optional(size, '1M')
}

/** A named place where runs live: another machine, reached over SSH. */
export type Context = Readonly<ReturnType<typeof namedInCode<v.InferOutput<ReturnType<typeof contextMapping>>>>> & {
  readonly name: string
  /** The file in which it is, or the first of several. */
  readonly file: string
  readonly shellWords: readonly string[]
  /** Its own, which come before those of the project. */
  readonly templates: Templates
}

function contextMapping() {
  return mapping(contextKeys)
}

/** The personal file, which `context add` writes. */
export function personalContexts(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'qanat', 'contexts.yaml')
}

/** The file of a site. */
const siteContexts = '/etc/qanat/contexts.yaml'

/** The keys of a context as files give them. */
interface Given {
  readonly source: YamlSource
  readonly path: YamlPath
  readonly value: unknown
}

/** The project whose contexts are read. */
type Read = Pick<Project, 'root' | 'runners'>

/** All contexts by name. */
export interface Contexts {
  readonly usable: ReadonlyMap<string, Context>
  /** Why the others cannot be used, with file and line of the mistake. */
  readonly broken: ReadonlyMap<string, UserError>
}

/**
 * All contexts. Keys of a personal one come before those of the project's config, and these before those of the site. A mistake
 * in one does not affect the others.
 * @param personal text in the place of that of the personal file
 * @throws UserError with file and line if a file has no mapping of contexts
 */
export function readContexts({ root, runners }: Read, personal?: string): Contexts {
  const [usable, broken] = [new Map<string, Context>(), new Map<string, UserError>()]
  for (const [name, given] of givenByName(root, personal)) {
    try {
      usable.set(name, contextOf(name, given, runners))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      broken.set(name, error)
    }
  }
  return { usable, broken }
}

/** What files say of each context, by name. The first has the last word. */
function givenByName(root: string, personal = textOf(personalContexts())): Map<string, Given[]> {
  const files = [
    ...givenIn(personal, personalContexts(), []),
    ...givenIn(textOf(join(root, CONFIG_FILE)), CONFIG_FILE, ['contexts']),
    ...givenIn(textOf(siteContexts), siteContexts, []),
  ]
  const byName = new Map<string, Given[]>()
  for (const [name, given] of files) byName.set(name, [...(byName.get(name) ?? []), given])
  return byName
}

/** The names of all contexts, also of broken ones, and of this machine. */
export function contextNames({ root }: Pick<Read, 'root'>): string[] {
  return [HERE, ...givenByName(root).keys()]
}

/** The context of that name. @param personal see {@link readContexts} @throws UserError if it is broken, or that names the nearest one */
export function findContext(project: Read, name: string, personal?: string): Context {
  const { usable, broken } = readContexts(project, personal)
  const context = usable.get(name)
  if (context) return context
  const mistake = broken.get(name)
  if (mistake) throw mistake
  throw noContext(name, [...usable.keys(), ...broken.keys()])
}

function noContext(name: string, names: readonly string[]): UserError {
  const meant = nearest(name, [...names, HERE])
  return new UserError(
    `no context '${name}'${meant ? `. Did you mean ${meant}?` : ''}`,
    names.length > 0
      ? `the contexts are: ${[HERE, ...names].join(', ')}`
      : 'qanat context add NAME --host HOST --root FOLDER',
  )
}

/** The file in which a context is, or the first of several; null if there is none of that name. It may be broken. */
export function placeOfContext({ root }: Pick<Read, 'root'>, name: string): string | null {
  return givenByName(root).get(name)?.[0]?.source.file ?? null
}

/** The keys of a context as its files give them, together. @throws UserError if there is none of that name */
export function givenKeys({ root }: Pick<Read, 'root'>, name: string): Readonly<Record<string, unknown>> {
  const all = givenByName(root)
  const given = all.get(name)
  if (!given) throw noContext(name, [...all.keys()])
  return together(given)
}

function together(given: readonly Given[]): Readonly<Record<string, unknown>> {
  const mappings = given.map(({ source, path, value }) => {
    if (isMapping(value)) return value
    throw source.fail(path, 'expected a mapping of keys to values', `correct ${source.file}`)
  })
  return Object.assign({}, ...mappings.toReversed())
}

/** Empty for a file that is not there. */
function textOf(file: string): string {
  return existsSync(file) ? readText(file) : ''
}

function givenIn(text: string, name: string, path: YamlPath): [string, Given][] {
  const source = parseYaml(text, name)
  if (source.document.contents) keepAsWritten(source.document.contents)
  const hint = `correct ${name}`
  const whole =
    path.reduce<unknown>((value, key) => (isMapping(value) ? value[String(key)] : undefined), source.value()) ?? {}
  const contexts = checkYaml(
    source,
    v.custom<Readonly<Record<string, unknown>>>(isMapping, 'a mapping of names to contexts'),
    whole,
    { path, hint },
  )
  return Object.entries(contexts).map(([each, value]) => [each, { source, path: [...path, each], value }])
}

/** @throws UserError for a name that no context can have */
export function checkContextName(name: string): void {
  checkName('context', name)
  if (name === HERE) throw new UserError(`'${HERE}' is this machine`, 'choose another name')
}

/** @param all the first has the last word */
function contextOf(name: string, all: readonly Given[], runners: readonly string[]): Context {
  const [first] = all
  first!.source.at(first!.path, () => checkContextName(name), 'key')
  const value = together(all)
  // The mistake is where the key is.
  const fail: Fail = (of, message, part, example) => {
    const { source, path } = all.find(({ value }) => Object.hasOwn(value as object, String(of[0] ?? ''))) ?? first!
    return source.fail([...path, ...of], message, example ? `for example: ${example}` : `correct ${source.file}`, part)
  }
  const own = Object.fromEntries(Object.entries(value).filter(([name]) => !runners.includes(name)))
  const given = check(contextMapping(), own, fail)
  if (!runners.includes(given.runner))
    throw fail(['runner'], `no runner '${given.runner}': the runners are ${runners.join(', ')}`, 'value', null)
  const templates = all.map(({ source, path, value }) =>
    readTemplates(source, value as Readonly<Record<string, unknown>>, runners, `correct ${source.file}`, path),
  )
  return {
    ...namedInCode(given),
    name,
    file: first!.source.file,
    shellWords: splitWords(given.shell),
    templates: mergedTemplates(templates.toReversed(), runners),
  } as Context
}

function mergedTemplates(all: readonly Templates[], runners: readonly string[]): Templates {
  return Object.fromEntries(runners.map(runner => [runner, Object.assign({}, ...all.map(each => each[runner] ?? {}))]))
}
