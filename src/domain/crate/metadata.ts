import { groupBy } from '../group-by.js'
import type { GroupDetails } from '../runs/run.js'
import { displayCommand } from '../text/shell-text.js'
import { actionReference, actionsOf, objectsOf, scriptId } from './actions.js'
import { encodingFormat } from './encoding-format.js'
import {
  type CrateContent,
  type CrateDataset,
  crateId,
  type Entity,
  fileReference,
  isIn,
  iso,
  personId,
  statusOf,
} from './entities.js'

// Process Run Crate 0.5: https://w3id.org/ro/wfrun/process/0.5, on RO-Crate 1.1: https://w3id.org/ro/crate/1.1.

const profile = 'https://w3id.org/ro/wfrun/process/0.5'

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
    ...foldersOf(content),
    ...files.map(({ name, size, sha256 }) => ({
      '@id': crateId(name),
      '@type': 'File',
      name: name.slice(name.lastIndexOf('/') + 1),
      contentSize: String(size),
      sha256,
      encodingFormat: encodingFormat(name),
      ...meaningOf(content, name),
    })),
  ]
}

/** The folder of the run, and those of groups on which actions worked. */
function foldersOf(content: CrateContent): Entity[] {
  const { folder, files, actions } = content
  const groups = [...new Set(actions.flatMap(action => objectsOf(content, action)))].filter(each => each !== folder)
  const dataset = (name: string, parts: readonly { readonly '@id': string }[]) => ({
    ...{ '@id': `${name}/`, '@type': 'Dataset', name: name.slice(name.lastIndexOf('/') + 1) },
    hasPart: [...parts, ...files.filter(isIn(name)).map(fileReference)],
  })
  return [
    dataset(
      folder,
      groups.map(name => ({ '@id': `${name}/` })),
    ),
    ...groups.map(name => dataset(name, [])),
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
  const made = groupBy(files, ({ group }) => group)
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

/** The parameters of a group; groups with the same value share an entity. */
function valuesOf({ parameters }: GroupDetails): Entity[] {
  return Object.entries(parameters).map(([name, value]) => ({
    '@id': `#parameter-${encodeURIComponent(JSON.stringify([name, value]))}`,
    '@type': 'PropertyValue',
    name,
    value,
  }))
}

const executionId = ({ token }: CrateContent, index: number) => `#${token}-${index}`
const datasetId = (name: string) => `#dataset-${encodeURIComponent(name)}`

function withoutEmpty(entity: Entity): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entity).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
