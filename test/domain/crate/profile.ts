/** An entity of the metadata of a crate. */
export interface Entity extends Readonly<Record<string, unknown>> {
  readonly '@id': string
  readonly '@type': string | readonly string[]
}

const listed = <Value>(value: unknown) => (value === undefined ? [] : [value].flat()) as Value[]
const isTime = (value: unknown) => typeof value === 'string' && new Date(value).toISOString() === value

/**
 * What RO-Crate 1.1 and the Process Run Crate 0.5 demand (MUST) and recommend (SHOULD) of metadata, as far as it can be seen
 * in them: one sentence for each breach.
 * @param files the names of all files in the crate
 */
export function breaches(text: string, files: readonly string[]): string[] {
  const { '@context': context, '@graph': graph } = JSON.parse(text) as { '@context': unknown; '@graph': Entity[] }
  const byId = new Map(graph.map(entity => [entity['@id'], entity]))
  const typesOf = (entity: Entity | undefined) => listed<string>(entity?.['@type'])
  const is = (id: string, types: readonly string[]) => typesOf(byId.get(id)).some(type => types.includes(type))
  const found: string[] = []
  const must = (holds: boolean, sentence: string) => void (holds || found.push(sentence))
  const refers = (entity: Entity | undefined, property: string) =>
    listed<Entity>(entity?.[property]).map(reference => reference['@id'])

  must(listed(context)[0] === 'https://w3id.org/ro/crate/1.1/context', 'the context of RO-Crate 1.1 comes first')
  const terms = 'https://w3id.org/ro/terms/workflow-run/context'
  must(listed(context).includes(terms), 'the context of the profile is there')
  must(byId.size === graph.length, 'no two entities have the same @id')
  for (const entity of graph) {
    must(typeof entity['@id'] === 'string' && typesOf(entity).length > 0, 'each entity has an @id and a @type')
    for (const [property, value] of Object.entries(entity)) {
      for (const each of listed<unknown>(value)) {
        must(each !== null && each !== '', `${entity['@id']} has no empty ${property}`)
        if (typeof each !== 'object' || each === null) continue
        const target = (each as Entity)['@id']
        const isKnown = byId.has(target) || /^https?:\/\//.test(target)
        must(Object.keys(each).join() === '@id' && isKnown, `${property} of ${entity['@id']} refers to an entity`)
      }
    }
  }
  const descriptor = byId.get('ro-crate-metadata.json')
  must(is('ro-crate-metadata.json', ['CreativeWork']), 'the descriptor is a CreativeWork')
  const standard = 'https://w3id.org/ro/crate/1.1'
  must(refers(descriptor, 'conformsTo').includes(standard), 'the descriptor conforms to RO-Crate 1.1')
  must(refers(descriptor, 'about').join() === './', 'the descriptor is about the root')

  const root = byId.get('./')
  must(is('./', ['Dataset']), 'the root is a Dataset')
  for (const property of ['name', 'description', 'datePublished', 'license'])
    must(root?.[property] !== undefined, `the root has ${property}`)
  must(isTime(root?.datePublished), 'datePublished is in ISO 8601')
  const profile = 'https://w3id.org/ro/wfrun/process/0.5'
  must(refers(root, 'conformsTo').includes(profile), 'the root conforms to the profile')
  must(is(profile, ['CreativeWork']), 'the profile is a CreativeWork')

  const data = graph.filter(entity => typesOf(entity).includes('File'))
  const parts = new Set(refers(root, 'hasPart'))
  for (const { '@id': id } of data) must(parts.has(id), `the root has the file ${id} as a part`)
  const names = data.map(entity => decodeURIComponent(entity['@id'])).sort()
  must(names.join('\n') === [...files].sort().join('\n'), 'the files are those of the crate')
  for (const { '@id': id } of data) must(URL.parse?.(id, 'https://example.org/') !== null, `${id} is a relative URI`)

  const actions = graph.filter(entity => typesOf(entity).includes('CreateAction'))
  must(actions.length > 0, 'something was executed')
  for (const action of actions) {
    const id = action['@id']
    must(refers(root, 'mentions').includes(id), `the root mentions ${id}`)
    const [tool, ...more] = refers(action, 'instrument')
    const tools = ['SoftwareApplication', 'SoftwareSourceCode', 'ComputationalWorkflow']
    must(more.length === 0 && is(tool!, tools), `${id} has an instrument, a tool`)
    must(byId.get(tool!)?.name !== undefined, `the tool of ${id} has a name`)
    for (const property of ['name', 'description']) must(action[property] !== undefined, `${id} has ${property}`)
    for (const property of ['startTime', 'endTime'])
      must(action[property] === undefined || isTime(action[property]), `${property} of ${id} is in ISO 8601`)
    must(is(refers(action, 'agent')[0]!, ['Person']), `${id} has an agent, a person`)
    const kinds = ['File', 'Dataset', 'Collection', 'CreativeWork', 'PropertyValue']
    for (const each of [...refers(action, 'object'), ...refers(action, 'result')])
      must(is(each, kinds), `${each} of ${id} is data or a value`)
    const [status] = refers(action, 'actionStatus')
    must(/^http:\/\/schema\.org\/(Completed|Failed)ActionStatus$/.test(status ?? ''), `${id} has a status`)
    must(action.error === undefined || status!.endsWith('FailedActionStatus'), `only what failed has an error: ${id}`)
  }
  return [...new Set(found)]
}
