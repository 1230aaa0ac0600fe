import { type VariedFact, variedFacts } from '../../domain/environments/differences.js'
import {
  type Environment,
  type FactKind,
  factKinds,
  factsOf,
  notKnown,
  unknownParts,
} from '../../domain/environments/environment.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import type { ComparedEnvironments, FoundEnvironment } from '../../operations/environments/run-environments.js'
import { aligned } from '../format/aligned.js'
import { counted } from '../format/counted.js'
import type { JsonObject } from '../render/json.js'

/** What the facts of a kind are called on the screen, and all of them in JSON. */
const titles: Readonly<Record<FactKind, readonly [one: string, all: string]>> = {
  interpreter: ['interpreter', 'interpreter'],
  container: ['container', 'container'],
  module: ['module', 'modules'],
  package: ['package', 'packages'],
  conda: ['conda', 'conda'],
  npm: ['npm', 'npm'],
  r: ['R package', 'r_packages'],
  lock: ['lock file', 'lock_files'],
  system: ['system', 'system'],
  cpu: ['CPU', 'cpu'],
  gpu: ['GPU', 'gpu'],
  look: ['look', 'look'],
  unknown: ['not known', 'unknown'],
}

const shownKinds: readonly FactKind[] = [...factKinds, 'unknown']

const shownHosts = 5

/** The environments of a run: the first in full, and what differs from it in others. */
export function environmentsText(run: Run, [first, ...others]: readonly FoundEnvironment[]): string {
  const { environment } = first!
  const facts = shownKinds.flatMap(kind =>
    [...factsOf(environment, kind)].map(([name, value]) => ({ kind, name, value })),
  )
  return [
    `Environment of run ${run.id} of ${run.experiment} ${placesText(first!)}`,
    ...notes(environment),
    factRows(facts),
    ...others.flatMap(other => ['', ...otherText(environment, other)]),
  ].join('\n')
}

function otherText(first: Environment, other: FoundEnvironment): string[] {
  const facts = variedFacts([[first], [other.environment]])
  const rows = facts.length > 0 ? [factRows(changes(facts))] : []
  return [`What differs ${placesText(other)}`, ...notes(other.environment), ...rows]
}

/** `on n1, n2`, with the attempts unless there is only the first. */
function placesText({ places }: FoundEnvironment): string {
  const hosts = [...new Set(places.map(({ host }) => host))]
  const attempts = [...new Set(places.map(({ attempt }) => attempt))]
  const more = hosts.length > shownHosts ? ` and ${hosts.length - shownHosts} more hosts` : ''
  const again = attempts.some(attempt => attempt > 1) ? `, attempt ${attempts.join(', ')}` : ''
  return `on ${hosts.slice(0, shownHosts).join(', ')}${more}${again}:`
}

function notes(environment: Environment): string[] {
  const unseen = '  The packages are those of the command of the group, which was not seen while it ran.'
  const partial = '  It is partial: five seconds were not enough to find all packages.'
  return [...(wasSeen(environment) ? [] : [unseen]), ...(environment.isPartial ? [partial] : [])]
}

function wasSeen({ facts }: Environment): boolean {
  return !facts.some(({ kind }) => kind === 'look')
}

function factRows(facts: readonly { kind: FactKind; name: string; value: string }[]): string {
  return aligned(
    facts.map(({ kind, name, value }, at) => [
      `  ${facts[at - 1]?.kind === kind ? '' : titles[kind][0]}`,
      name,
      value.replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g, hash => hash.slice(0, 12)),
    ]),
  )
}

function changes(facts: readonly VariedFact[]) {
  return facts.map(({ kind, name, values }) => ({
    kind,
    name,
    value: values.map(each => each.map(value => (value === '' ? 'there' : (value ?? 'none'))).join(' | ')).join(' → '),
  }))
}

/** The environments of a run for programs. */
export function environmentsJson(run: Run, environments: readonly FoundEnvironment[]): JsonObject {
  return {
    run: run.id,
    experiment: run.experiment,
    environments: environments.map(({ hash, environment, places }) => ({
      hash,
      partial: environment.isPartial,
      seen: wasSeen(environment),
      places,
      ...Object.fromEntries(shownKinds.map(kind => [titles[kind][1], Object.fromEntries(factsOf(environment, kind))])),
    })),
  }
}

/** What differs between the environments of two runs, and between the hosts of one of them. */
export function comparedEnvironmentsText({ runs, facts }: ComparedEnvironments): string {
  const [one, other] = runs.map(({ run }) => run.id)
  const several = runs
    .filter(({ environments }) => environments.length > 1)
    .map(({ run, environments }) => `Run ${run.id} had ${environments.length} environments: qanat env show ${run.id}`)
  const unknown = runs.flatMap(({ run, unknown }) => notKnown(unknown).map(text => `Run ${run.id}: ${text}`))
  const both = `environments of runs ${one} and ${other}`
  const same = unknown.length > 0 ? `Whether the ${both} differ is not known` : `The ${both} are the same`
  const head = facts.length > 0 ? `The ${both} differ:\n${factRows(changes(facts))}` : same
  return [head, ...several, ...unknown].join('\n')
}

/** The same for programs. */
export function comparedEnvironmentsJson({ runs, facts }: ComparedEnvironments): JsonObject {
  const isUnknown = runs.some(({ unknown }) => unknown.length > 0)
  return {
    runs: runs.map(({ run }) => run.id),
    same: facts.length === 0 && isUnknown ? null : facts.length === 0,
    unknown: runs.map(({ unknown }) => unknown),
    partial: runs.map(({ environments }) => environments.some(({ environment }) => environment.isPartial)),
    hashes: runs.map(({ environments }) => environments.map(({ hash }) => hash)),
    differences: facts.map(({ kind, name, values: [before, after] }) => ({ kind, name, before, after })),
  }
}

/** `; 2 other environments on g1, and in attempt 2`. */
function othersText({ places: [place] }: FoundEnvironment, others: readonly FoundEnvironment[]): string {
  if (others.length === 0) return ''
  const places = others.flatMap(each => each.places)
  const later = [...new Set(places.map(({ attempt }) => attempt))].filter(attempt => attempt !== place?.attempt)
  const there = [...new Set(places.filter(({ attempt }) => !later.includes(attempt)).map(({ host }) => host))]
  const parts = [
    ...(there.length > 0 ? [`on ${fewInSentence(there)}`] : []),
    ...(later.length > 0 ? [`in attempt${later.length === 1 ? '' : 's'} ${fewInSentence(later.map(String))}`] : []),
  ]
  return `; ${counted(others.length, 'other environment')} ${parts.join(', and ')}`
}

/** An environment in a line; null if there is none. */
export function environmentLine(run: Run, environments: readonly FoundEnvironment[]): string | null {
  const [first, ...others] = environments
  if (!first) return null
  const { environment } = first
  const named = (kind: FactKind, name: string) => factsOf(environment, kind).get(name)
  const count = (kind: FactKind, noun: string) => {
    const { size } = factsOf(environment, kind)
    return size === 0 ? [] : `${size} ${noun}${size === 1 ? '' : 's'}`
  }
  const cpus = named('cpu', 'count')
  const parts = [
    named('interpreter', 'version') ?? named('interpreter', 'path') ?? [],
    count('package', 'package'),
    count('conda', 'conda package'),
    count('npm', 'npm package'),
    count('r', 'R package'),
    count('module', 'module'),
    named('system', 'kernel') ?? [],
    cpus === undefined ? [] : `${cpus} CPU${cpus === '1' ? '' : 's'}`,
    named('gpu', '0') ?? [],
    notKnown(unknownParts(environment)),
  ].flat()
  return `${parts.join(', ')}${othersText(first, others)}: qanat env show ${run.id}`
}
