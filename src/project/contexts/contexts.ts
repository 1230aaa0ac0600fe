import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { HERE } from '../../domain/runs/run.js'
import { namedInCode } from '../../domain/text/key-names.js'
import { checkName, nearest } from '../../domain/text/names.js'
import { splitWords } from '../../domain/text/words.js'
import { UserError } from '../../errors.js'
import { CONFIG_FILE, readTemplates, type Templates } from '../config.js'
import type { Project } from '../find-project.js'
import { check, checkYaml, type Fail, isMapping } from '../yaml/schema.js'
import { keepAsWritten, parseYaml, readText, type YamlPath, type YamlSource } from '../yaml/yaml-source.js'
import { type ClusterKeys, clusterMapping, type MachineKeys, machineMapping } from './keys.js'
import { stateFolder } from './roots.js'

/** What every context has besides its keys. */
interface Found {
  readonly name: string
  /** The file in which it is, or the first of several. */
  readonly file: string
  /** Its own, which come before those of the project. */
  readonly templates: Templates
}

/** Another machine, reached over SSH. */
export type MachineContext = MachineKeys & Found & { readonly cluster: null; readonly shellWords: readonly string[] }

/** A namespace of a cluster. Its root is where pods mount the volume, or, without one, a folder of this machine. */
export type ClusterContext = ClusterKeys &
  Found &
  Pick<MachineKeys, 'root' | 'prepare' | 'prepareInputs' | 'prepareOn' | 'storage'>

/** A named place where runs live. */
export type Context = MachineContext | ClusterContext

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
  const found = {
    name,
    file: first!.source.file,
    templates: mergedTemplates(
      all
        .map(({ source, path, value }) =>
          readTemplates(source, value as Readonly<Record<string, unknown>>, runners, `correct ${source.file}`, path),
        )
        .toReversed(),
      runners,
    ),
  }
  return Object.hasOwn(own, 'cluster') ? clusterOf(own, found, fail) : machineOf(own, found, fail, runners)
}

function machineOf(own: object, found: Found, fail: Fail, runners: readonly string[]): MachineContext {
  const given = check(machineMapping(), own, fail)
  if (!runners.includes(given.runner))
    throw fail(['runner'], `no runner '${given.runner}': the runners are ${runners.join(', ')}`, 'value', null)
  if (given.runner === 'kubernetes')
    throw fail(['runner'], "the runner kubernetes is for contexts with 'cluster' in the place of 'host'", 'value', null)
  return { ...namedInCode(given), ...found, cluster: null, shellWords: splitWords(given.shell) }
}

function clusterOf(own: object, found: Found, fail: Fail): ClusterContext {
  const preparing = ['prepare', 'prepare_inputs', 'prepare_on'].find(name => Object.hasOwn(own, name))
  if (preparing !== undefined)
    throw fail(
      [preparing],
      'it is for machines, and what pods need is in their image: a template of kubernetes can build that',
      'key',
      "build: {base: 'python:3.12', requirements: requirements.txt, repository: registry.example.org/lab/iris}",
    )
  const given = check(clusterMapping(), own, fail)
  const { volume, results } = given
  if (volume === null && results !== 'log')
    throw fail(
      [],
      'volume is missing',
      'value',
      'volume: {claim: scratch, size: 40Gi}, or results: log, without a claim',
    )
  if (volume !== null && results === 'log') throw fail(['volume'], 'with results: log there is no claim', 'key', null)
  return {
    ...namedInCode(given),
    ...found,
    root: volume === null ? join(stateFolder(), 'pods', found.name) : volume.path,
    prepare: [],
    prepareInputs: [],
    prepareOn: 'login',
    storage: null,
  }
}

function mergedTemplates(all: readonly Templates[], runners: readonly string[]): Templates {
  return Object.fromEntries(runners.map(runner => [runner, Object.assign({}, ...all.map(each => each[runner] ?? {}))]))
}
