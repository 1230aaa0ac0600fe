import type { ActionRecord } from '../action-record.js'
import type { Fingerprint } from '../data/fingerprint.js'
import type { Dataset } from '../dataset.js'
import type { GroupDetails, Run } from '../runs/run.js'
import { displayCommand } from '../text/shell-text.js'

// Process Run Crate 0.5: https://w3id.org/ro/wfrun/process/0.5, on RO-Crate 1.1: https://w3id.org/ro/crate/1.1.

const profile = 'https://w3id.org/ro/wfrun/process/0.5'

/** A file of a crate. */
export interface CrateFile {
  /** Its place in the crate, with slashes. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** The index of the group that it belongs to; null for a file of the run. */
  readonly group: number | null
}

/** A dataset that the run read. It is not in the crate. */
interface CrateDataset extends Pick<Dataset, 'name' | 'description' | 'path'> {
  /** Null if it was not recorded. */
  readonly fingerprint: Fingerprint | null
  /** The name of the file in the crate that lists its files; null without one. */
  readonly listing: string | null
}

/** All that a crate says. */
export interface CrateContent {
  readonly run: Run
  readonly token: string
  readonly groups: readonly GroupDetails[]
  readonly files: readonly CrateFile[]
  /** The name of the folder of the run in the crate. */
  readonly folder: string
  readonly program: { readonly command: string; readonly description: string; readonly repository: string | null }
  /** The name of the file in the crate with uncommitted changes; null without any. */
  readonly patch: string | null
  readonly datasets: readonly CrateDataset[]
  /** The files in the crate with environments, and which groups had them. */
  readonly environments: readonly {
    readonly name: string
    readonly places: readonly { readonly attempt: number; readonly host: string }[]
  }[]
  /** The user who launched the run. */
  readonly agent: string
  readonly actions: readonly ActionRecord[]
  /** The names in the crate of files that actions have made, by their paths. */
  readonly nameOf: (path: string) => string | null
  /** What is not in the crate, one sentence each. */
  readonly missing: readonly string[]
  /** Milliseconds since the epoch. */
  readonly exported: number
}

type Entity = { readonly '@id': string; readonly '@type': string | readonly string[] } & Readonly<
  Record<string, unknown>
>

/** The text of `ro-crate-metadata.json`. */
export function crateMetadata(content: CrateContent): string {
  const graph = [...headEntities(content), ...sourceEntities(content), ...executions(content), ...actionsOf(content)]
  const context = ['https://w3id.org/ro/crate/1.1/context', 'https://w3id.org/ro/terms/workflow-run/context']
  return `${JSON.stringify({ '@context': context, '@graph': graph.map(withoutEmpty) }, null, 1)}\n`
}

function headEntities(content: CrateContent): Entity[] {
  const { run, files, folder, groups, actions, missing } = content
  const text = run.description === '' ? `Run ${run.id} of the experiment ${run.experiment}` : run.description
  return [
    {
      '@id': 'ro-crate-metadata.json',
      '@type': 'CreativeWork',
      conformsTo: { '@id': 'https://w3id.org/ro/crate/1.1' },
      about: { '@id': './' },
    },
    {
      '@id': './',
      '@type': 'Dataset',
      name: `Run ${run.id} of ${run.experiment}`,
      description: [text, ...missing.map(each => `Missing: ${each}`)].join('. '),
      datePublished: iso(content.exported),
      license: { '@id': '#license' },
      conformsTo: { '@id': profile },
      keywords: run.tags.join(', '),
      hasPart: [{ '@id': `${folder}/` }, ...files.map(fileReference)],
      mentions: [
        ...groups.map(({ index }) => ({ '@id': executionId(content, index) })),
        ...actions.map(actionReference),
      ],
    },
    { '@id': profile, '@type': 'CreativeWork', name: 'Process Run Crate', version: '0.5' },
    {
      '@id': '#license',
      '@type': 'CreativeWork',
      name: 'No license was chosen',
      description: 'Whoever publishes this crate says here under which license.',
    },
    { '@id': `${folder}/`, '@type': 'Dataset', name: folder, hasPart: files.filter(isIn(folder)).map(fileReference) },
    ...files.map(({ name, size, sha256 }) => ({
      '@id': crateId(name),
      '@type': 'File',
      name: name.slice(name.lastIndexOf('/') + 1),
      contentSize: String(size),
      sha256,
      ...meaningOf(content, name),
    })),
  ]
}

/** What a file says about the run that the run did not write itself. */
function meaningOf(content: CrateContent, name: string): Readonly<Record<string, unknown>> {
  const environment = content.environments.find(each => each.name === name)
  if (environment) {
    const had = content.groups.filter(({ attempt, status }) =>
      environment.places.some(place => place.attempt === attempt && 'host' in status && place.host === status.host),
    )
    const hosts = [...new Set(environment.places.map(({ host }) => host))]
    return {
      description: `The environment of groups on ${hosts.join(', ')}: a line a fact, with its kind, its name and its value`,
      encodingFormat: 'text/tab-separated-values',
      about: had.map(({ index }) => ({ '@id': executionId(content, index) })),
    }
  }
  const dataset = content.datasets.find(({ listing }) => listing === name)
  if (!dataset) return {}
  return {
    description: `The files of the dataset ${dataset.name} when the run was launched: path, bytes, time and hash of each`,
    encodingFormat: 'application/jsonl',
    about: { '@id': datasetId(dataset.name) },
  }
}

/** What was executed, by whom, and what it read. */
function sourceEntities(content: CrateContent): Entity[] {
  const { run, program, patch, datasets, agent, groups, actions } = content
  const { repository } = program
  const users = [...new Set([agent, ...actions.map(({ user }) => user)])]
  const scripts = new Map(actions.map(action => [scriptId(action), action]))
  const values = groups.flatMap(group => valuesOf(group))
  return [
    {
      '@id': '#experiment',
      '@type': 'SoftwareSourceCode',
      name: run.experiment,
      description: [program.description, `Called as: ${program.command}`].filter(text => text !== '').join('. '),
      url: repository,
      codeRepository: repository,
      version: run.commit,
      identifier: run.codeUsed,
      hasPart: patch === null ? null : { '@id': crateId(patch) },
    },
    ...users.map(user => ({ '@id': personId(user), '@type': 'Person', name: user })),
    ...datasets.map(datasetEntity),
    ...[...scripts].map(([id, { action, script }]) => ({
      ...{ '@id': id, '@type': 'SoftwareSourceCode', name: `action ${action}`, alternateName: script.path },
      ...{ url: repository, codeRepository: repository, version: script.commit },
    })),
    ...[...new Map(values.map(value => [value['@id'], value])).values()],
  ]
}

function datasetEntity({ name, description, path, fingerprint, listing }: CrateDataset): Entity {
  const digest = fingerprint?.digest
  const counts =
    digest &&
    `It had ${fingerprint.files} file${fingerprint.files === 1 ? '' : 's'} of ${fingerprint.bytes} bytes${fingerprint.partial === null ? '' : `, as far as they were seen (${fingerprint.partial})`}`
  return {
    '@id': datasetId(name),
    '@type': 'CreativeWork',
    name,
    description: [description, `It is not in the crate. It was read at ${path}`, counts]
      .filter(text => text)
      .join('. '),
    identifier: digest ? `${fingerprint.level}:${digest}` : null,
    subjectOf: listing === null ? null : { '@id': crateId(listing) },
  }
}

/** One for each group: a group is one execution. */
function executions(content: CrateContent): Entity[] {
  const { run, groups, files, datasets, agent } = content
  const made = byGroup(files)
  const inputs = datasets.map(({ name }) => ({ '@id': datasetId(name) }))
  return groups.map(group => {
    const { status } = group
    const [started, finished] = 'finished' in status ? [status.started, status.finished] : [null, null]
    const isDone = status.state === 'finished'
    return {
      '@id': executionId(content, group.index),
      '@type': 'CreateAction',
      name: `Group ${run.id}.${group.index} of ${run.experiment}`,
      description: displayCommand(group.command),
      instrument: { '@id': '#experiment' },
      agent: { '@id': personId(agent) },
      startTime: started === null ? null : iso(started),
      endTime: finished === null ? null : iso(finished),
      object: [...inputs, ...valuesOf(group).map(value => ({ '@id': value['@id'] }))],
      result: (made.get(group.index) ?? []).map(fileReference),
      actionStatus: statusOf(isDone),
      error: isDone ? null : 'cause' in status ? `${status.state}: ${status.cause}` : status.state,
    }
  })
}

function byGroup(files: readonly CrateFile[]): Map<number | null, CrateFile[]> {
  const found = new Map<number | null, CrateFile[]>()
  for (const file of files) {
    const others = found.get(file.group)
    if (others) others.push(file)
    else found.set(file.group, [file])
  }
  return found
}

/** The actions of the experiment that were called on the run. */
function actionsOf({ actions, folder, nameOf }: CrateContent): Entity[] {
  return actions.map(action => ({
    ...{ '@id': `#action-${action.id}`, '@type': 'CreateAction', name: `Action ${action.action}` },
    description: displayCommand(action.command),
    instrument: { '@id': scriptId(action) },
    agent: { '@id': personId(action.user) },
    startTime: iso(action.started),
    endTime: action.finished === null ? null : iso(action.finished),
    object: { '@id': `${folder}/` },
    result: action.made.flatMap(({ path, change }) => {
      const name = change === 'removed' ? null : nameOf(path)
      return name === null ? [] : [{ '@id': crateId(name) }]
    }),
    actionStatus: statusOf(action.exitCode === 0),
    error: errorOf(action),
  }))
}

function errorOf({ exitCode, finished }: ActionRecord): string | null {
  if (exitCode === null) return finished === null ? 'its end is not known' : 'it was interrupted'
  return exitCode === 0 ? null : `code ${exitCode}`
}

function statusOf(isDone: boolean) {
  return { '@id': `http://schema.org/${isDone ? 'Completed' : 'Failed'}ActionStatus` }
}

/** The parameters of a group; groups with the same value share an entity. */
function valuesOf({ parameters }: GroupDetails): Entity[] {
  return Object.entries(parameters).map(([name, value]) => ({
    '@id': `#parameter-${encodeURIComponent(JSON.stringify([name, value]))}`,
    '@type': 'PropertyValue',
    name,
    value,
  }))
}

/** The id of a file in the crate: a relative URI. */
function crateId(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}

const isIn = (folder: string) => (file: CrateFile) => file.name.startsWith(`${folder}/`)
const fileReference = ({ name }: CrateFile) => ({ '@id': crateId(name) })
const actionReference = ({ id }: ActionRecord) => ({ '@id': `#action-${id}` })
const executionId = ({ token }: CrateContent, index: number) => `#${token}-${index}`
const datasetId = (name: string) => `#dataset-${encodeURIComponent(name)}`
const personId = (user: string) => `#person-${encodeURIComponent(user)}`
const scriptId = ({ script }: ActionRecord) =>
  `#script-${encodeURIComponent(`${script.path}@${script.content ?? script.commit}`)}`

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** Properties that are not known are left out. */
function withoutEmpty(entity: Entity): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entity).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
