import { isMapping } from '../yaml/schema.js'
import { keepAsWritten, readYaml } from '../yaml/yaml-source.js'

type Keys = Readonly<Record<string, unknown>>

/** A context of mrunner as a context of ours. */
export interface Imported {
  readonly name: string
  readonly keys: Keys
  /** What was left out, in sentences. */
  readonly notes: readonly string[]
}

/**
 * Reads the contexts in a settings file of mrunner, of its first or its later generation.
 * @param project its name: mrunner names the namespace and the claim of a project in Kubernetes after it
 * @returns those that run on Slurm or Kubernetes, and why others cannot be taken
 * @throws UserError if the file has no contexts
 */
export function readMrunner(
  file: string,
  project: string,
): {
  readonly imported: readonly Imported[]
  readonly refused: readonly string[]
} {
  const source = readYaml(file)
  if (source.document.contents) keepAsWritten(source.document.contents)
  const value = source.value()
  const contexts = isMapping(value) ? value.contexts : null
  if (!isMapping(contexts))
    throw source.fail([], 'there are no contexts of mrunner', "expected a mapping under 'contexts:'")
  const imported: Imported[] = []
  const refused: string[] = []
  for (const [name, keys] of Object.entries(contexts)) {
    const reason = isMapping(keys) ? reasonAgainst(keys) : 'it is no mapping of keys'
    if (reason !== null) refused.push(`${name} was left out: ${reason}`)
    else if (backendOf(keys as Keys) === 'kubernetes') imported.push(clusterOf(name, keys as Keys, project))
    else imported.push(contextOf(name, keys as Keys))
  }
  return { imported, refused }
}

function backendOf(keys: Keys): string {
  return textOf(keys.backend_type ?? keys.type) || 'slurm'
}

function reasonAgainst(keys: Keys): string | null {
  const backend = backendOf(keys)
  if (backend === 'kubernetes') return null
  if (backend !== 'slurm') return `it is for ${backend}, which no context can have yet`
  if (textOf(keys.slurm_url) === '') return 'it has no slurm_url'
  return textOf(keys.scratch_dir) || textOf(keys.storage_dir) ? null : 'it has neither storage_dir nor scratch_dir'
}

/** Keys that need no word: they are the name, or are taken elsewhere. */
const taken = ['context_name', 'name', 'backend_type', 'type', 'slurm_url', 'user_id', 'storage_dir', 'scratch_dir']
/** Keys of a template of ours, by those of mrunner that mean the same. */
const templateKeys: Readonly<Record<string, string>> = {
  venv: 'venv',
  conda: 'conda',
  nodelist: '--nodelist',
  exclude_nodes: '--exclude',
}
const resourceKeys: Readonly<Record<string, string>> = {
  ...{ time: 'time', ntasks: 'tasks', nodes: 'nodes', partition: 'partition', account: 'account', qos: 'qos' },
}

function contextOf(name: string, keys: Keys): Imported {
  const notes: string[] = []
  const template: Record<string, unknown> = {}
  const resources: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(keys)) {
    if (taken.includes(key) || value === null || value === '') continue
    if (key === 'resources') Object.assign(resources, resourcesOf(value, Number(keys.ntasks ?? 1), name, notes))
    else if (Object.hasOwn(resourceKeys, key)) resources[resourceKeys[key]!] = value
    else if (Object.hasOwn(templateKeys, key)) template[templateKeys[key]!] = textsOf(value).join(',')
    else if (key === 'modules_to_load') template.modules = textsOf(value)
    else if (key === 'after_module_load_cmd') template.after_modules = lines(value)
    else if (key === 'prolog_cmd') template.setup = lines(value)
    else if (key === 'env' && isMapping(value)) template.env = value
    else if (key === 'sbatch_options') Object.assign(template, optionsOf(value))
    else if (key === 'singularity_container')
      notes.push(`${name}: give the container at a launch: --container ${textOf(value)}`)
    else notes.push(`${name}: ${key} was left out`)
  }
  if (Object.keys(resources).length > 0) template.resources = resources
  const [url, user] = [textOf(keys.slurm_url), textOf(keys.user_id)]
  return {
    name,
    notes,
    keys: {
      host: url.includes('@') || user === '' ? url : `${user}@${url}`,
      root: textOf(keys.scratch_dir) || textOf(keys.storage_dir),
      runner: 'slurm',
      ...(Object.keys(template).length > 0 && { slurm: { default: template } }),
    },
  }
}

/** A context of a cluster. mrunner makes a namespace, a claim and an image for each project. */
function clusterOf(name: string, keys: Keys, project: string): Imported {
  const object =
    project
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 50) || 'project'
  const path = textOf(keys.storage) || '/storage'
  const size = textOf(keys.default_pvc_size)
  const registry = textOf(keys.registry_url).replace(/^https?:\/\/|\/+$/g, '')
  const other = Object.keys(keys).filter(key => !clusterKeys.includes(key) && textOf(keys[key]) !== '')
  const notes = [
    registry === ''
      ? `${name}: mrunner made an image: name one in its template, as in image: registry.example.org/${object}:1`
      : `${name}: its image is built from ${usualImage.base} and ${usualImage.requirements}: correct 'build' in its template if that is not so`,
    ...other.map(key => `${name}: ${key} was left out`),
  ]
  const resources = resourcesOf(keys.resources ?? {}, 1, name, notes, true)
  return {
    name,
    notes,
    keys: {
      cluster: { namespace: object },
      volume: { claim: object, path, ...(size !== '' && { size }) },
      kubernetes: {
        default: {
          ...(registry !== '' && { build: { ...usualImage, repository: `${registry}/${object}` } }),
          ...(Object.keys(resources).length > 0 && { resources }),
          env: { STORAGE_DIR: path },
        },
      },
    },
  }
}

/** What the images of mrunner are usually made of: each launch says that. */
const usualImage = { base: 'python:3.12', requirements: 'requirements.txt' }

/** Keys of mrunner for a cluster that need no word. */
const clusterKeys = [
  'context_name',
  'name',
  'backend_type',
  'type',
  'registry_url',
  'storage',
  'default_pvc_size',
  'resources',
]

/** Resources, also as text: `cpu=4 mem=2G`. The CPUs are those of all tasks together. */
function resourcesOf(value: unknown, tasks: number, name: string, notes: string[], isOfCluster = false): Keys {
  const pairs = isMapping(value) ? Object.entries(value) : textsOf(value).map(text => text.split('=', 2))
  const found: Record<string, unknown> = {}
  for (const [key, amount] of pairs as [string, unknown][]) {
    if (key === 'cpu') {
      found.cpus = Math.max(1, Math.floor(Number(amount) / tasks))
      if (Number(amount) % tasks !== 0)
        notes.push(`${name}: ${amount} CPUs of ${tasks} tasks became ${found.cpus} for each`)
    } else if (key === 'mem') found.memory = textOf(amount).replace(/i?b?$/i, '').toUpperCase()
    else if (key === 'gpu') found.gpus = /^\d+$/.test(textOf(amount)) ? Number(amount) : amount
    else if (key === 'tpu' && isOfCluster) found.extended = { 'google.com/tpu': Number(amount) }
    else notes.push(`${name}: resources.${key} was left out`)
  }
  return found
}

/** Options of sbatch, as in `--constraint=a100`, `-C a100` or `--exclusive`. */
function optionsOf(value: unknown): Keys {
  const words = (Array.isArray(value) ? value : [value]).map(each =>
    /^(-{1,2}[\w-]+)(?:[=\s]+(.*))?$/s.exec(textOf(each)),
  )
  return Object.fromEntries(words.flatMap(found => (found ? [[found[1]!, found[2] ?? true]] : [])))
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value).trim()
}

/** A list, or the words of a text. */
function textsOf(value: unknown): string[] {
  const all = Array.isArray(value) ? value.map(textOf) : textOf(value).split(/\s+/)
  return all.filter(text => text !== '')
}

/** Lines of a shell, which may be a list. */
function lines(value: unknown): string {
  return (Array.isArray(value) ? value : [value]).map(textOf).join('\n')
}
