import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Container } from '../../domain/container.js'
import { type VariedFact, variedFacts } from '../../domain/environments/differences.js'
import {
  type Environment,
  type EnvironmentFact,
  environmentOf,
  environmentText,
  unknownParts,
  without,
} from '../../domain/environments/environment.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { isBeingRecorded, recordedEnvironments } from '../../runfolder/evidence/environments.js'
import { asFarAsStored } from '../as-far-as-stored.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** Reads the records of environments in the folders of runs, as far as they are new, and stores them. */
export function storeEnvironments(workspace: Workspace, runs: readonly Run[]): void {
  const { store } = workspace
  const placesOf = ({ id }: Run) => new Set(store.environments.of(id).map(({ attempt, host }) => `${attempt}.${host}`))
  const incomplete = store.reading(() => runs.map(run => ({ run, known: placesOf(run) })))
  for (const { run, known } of incomplete) {
    const folder = absolutePath(workspace, run.storagePath)
    const found = recordedEnvironments(folder, overSince(run), (attempt, host) => known.has(`${attempt}.${host}`))
    if (found.length === 0) continue
    store.transaction(() => {
      for (const { attempt, host, facts, isPartial } of found) {
        const all = [...facts, ...containerFacts(run.runnerParameters.container)]
        const text = environmentText(environmentOf(all, isPartial))
        store.environments.put(run.id, { attempt, host, hash: createHash('sha256').update(text).digest('hex') }, text)
      }
    })
  }
}

/** When a run was over; null if it is not. */
function overSince({ counts, finished, launched }: Run): number | null {
  return isOver(counts) ? (finished ?? launched) : null
}

/** The same for runs of which not all may have been read when they ended, unless the database cannot be written. */
export async function findEnvironments(workspace: Workspace, runs: readonly Run[]): Promise<void> {
  const { store } = workspace
  const isKnown = (run: Run) => isOver(run.counts) && store.environments.isKnown(run.id)
  await asFarAsStored(workspace, async () => {
    const unknown = store.reading(() => runs.filter(run => !isKnown(run)))
    storeEnvironments(workspace, unknown)
  })
}

/** How often to look whether the record of a run that is over is complete, in milliseconds, and for how long. */
const lookInterval = 50
const patience = 5_000

/** The same once the records of runs that are over are complete: that of a short group is written after it has ended. */
export async function awaitEnvironments(workspace: Workspace, runs: readonly Run[]): Promise<void> {
  const isWritten = (run: Run) =>
    isOver(run.counts) &&
    !workspace.store.environments.isKnown(run.id) &&
    isBeingRecorded(absolutePath(workspace, run.storagePath), overSince(run))
  for (let waited = 0; waited < patience && runs.some(isWritten); waited += lookInterval) await sleep(lookInterval)
  await findEnvironments(workspace, runs)
}

/** An environment without what the settings leave out of comparisons. */
export function comparable({ config }: Workspace, environment: Environment): Environment {
  return without(environment, config.environment.ignore)
}

function containerFacts(container: Container | null): EnvironmentFact[] {
  if (container === null) return []
  return [
    { kind: 'container', name: 'image', value: container.image },
    container.digest === null
      ? { kind: 'unknown', name: container.image, value: 'without a digest' }
      : { kind: 'container', name: 'digest', value: container.digest },
  ]
}

/** An environment that groups of a run had. */
export interface FoundEnvironment {
  readonly hash: string
  readonly environment: Environment
  /** The attempts and hosts of those groups. */
  readonly places: readonly { readonly attempt: number; readonly host: string }[]
}

/** The environments of a run that are stored, in the order of its attempts and hosts. */
export function storedEnvironments({ store }: Workspace, run: Run): FoundEnvironment[] {
  const places = store.environments.of(run.id)
  const hashes = [...new Set(places.map(({ hash }) => hash))]
  return hashes.map(hash => ({
    hash,
    environment: store.environments.get(hash),
    places: places.filter(place => place.hash === hash).map(({ attempt, host }) => ({ attempt, host })),
  }))
}

/** All environments of a run that are recorded. @throws UserError if there is none */
export async function runEnvironments(workspace: Workspace, run: Run): Promise<readonly FoundEnvironment[]> {
  await awaitEnvironments(workspace, [run])
  const found = storedEnvironments(workspace, run)
  if (found.length > 0) return found
  const why = isOver(run.counts)
    ? 'none of its groups has started, or their nodes could not record it'
    : 'it is recorded once the interpreter of the first group has been found, or looked for in vain for a minute'
  throw new UserError(`no environment of run ${run.id} is recorded: ${why}`, `qanat run_show ${run.id}`)
}

/** What differs between the environments of two runs. */
export interface ComparedEnvironments {
  readonly runs: readonly [FoundRun, FoundRun]
  readonly facts: readonly VariedFact[]
}

interface FoundRun {
  readonly run: Run
  /** What is not known of them, in words. */
  readonly unknown: readonly string[]
  readonly environments: readonly FoundEnvironment[]
}

/** Compares the environments of two runs. @throws UserError if there is none of one of them */
export async function compareEnvironments(workspace: Workspace, one: Run, other: Run): Promise<ComparedEnvironments> {
  const found = [await runEnvironments(workspace, one), await runEnvironments(workspace, other)] as const
  const lists = found.map(each => each.map(({ environment }) => comparable(workspace, environment)))
  const [first, second] = lists.map(list => [...new Set(list.flatMap(unknownParts))])
  return {
    runs: [
      { run: one, environments: found[0], unknown: first! },
      { run: other, environments: found[1], unknown: second! },
    ],
    facts: variedFacts(lists),
  }
}
