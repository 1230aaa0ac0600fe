import { randomBytes } from 'node:crypto'
import { barePod, little, podSpec } from '../../domain/pods/manifest.js'
import type { Pod } from '../../domain/pods/objects.js'
import { mainContainer } from '../../domain/pods/reasons.js'
import { SchedulerError } from '../../errors.js'
import type { Transport } from '../far/transport.js'
import { createPod, removeEnded, removePod, waitForPod } from './begin.js'
import { provideClaim, type Volume } from './claim.js'
import { findObject } from './kubectl.js'
import { lacksNamespace, provideNamespace } from './namespace.js'

/** A namespace, and what a courier in it is made of. */
export interface CourierPlace {
  /** What people call the namespace. */
  readonly title: string
  /** The words with which kubectl is called for it. */
  readonly kubectl: readonly string[]
  /** Its name; null for the one that kubectl has now. */
  readonly namespace: string | null
  readonly volume: Volume
  readonly user: number | null
  readonly image: string
  /** Names whose couriers these are: the clone of the project. */
  readonly owner: string
}

/** How long a courier may take to begin, in milliseconds: its image may have to be pulled. */
const patience = 120_000

/** A courier that nobody uses ends by itself after so many minutes, should whoever made it have died. */
const idleMinutes = 5

/** One that was used so long ago is looked for first, in milliseconds. */
const trustedFor = 60_000

/** The program of a courier: it ends once there was no other process for some minutes. */
const waiting = `trap 'exit 0' TERM INT
idle=0
while [ "$idle" -lt ${idleMinutes} ]; do
  sleep 60 &
  wait $!
  others=0
  for each in /proc/[0-9]*; do others=$((others + 1)); done
  if [ "$others" -gt 1 ]; then idle=0; else idle=$((idle + 1)); fi
done`

/** A pod on the volume of a namespace that moves files: it is made when it is needed, and removed when nobody needs it any more. */
export class Courier implements Transport {
  readonly unconnected = 1
  readonly login = 'try again'
  private made: Promise<string> | null = null
  private used = 0

  constructor(private readonly place: CourierPlace) {}

  get host(): string {
    return this.place.title
  }

  async words(code: string): Promise<readonly string[]> {
    return [...this.place.kubectl, 'exec', '-i', await this.pod(), '-c', mainContainer, '--', 'sh', '-c', code]
  }

  /** Whether it runs. One that does not is forgotten: the next call makes another one. */
  async isConnected(): Promise<boolean> {
    if (this.made === null) return false
    const name = await this.made
    const pod = await findObject<Pod>([...this.place.kubectl, 'get', 'pod', name])
    if (pod?.status?.phase === 'Running' && pod.metadata.deletionTimestamp === undefined) return true
    this.made = null
    return false
  }

  /** Removes it. Should this fail, it ends by itself. */
  async remove(): Promise<void> {
    if (this.made === null) return
    const name = await this.made.catch(() => null)
    this.made = null
    // It moves nothing.
    if (name !== null) await removePod(this.place.kubectl, name)
  }

  private async pod(): Promise<string> {
    if (this.made !== null && Date.now() - this.used > trustedFor) await this.isConnected()
    this.used = Date.now()
    this.made ??= this.make().catch((error: unknown) => {
      this.made = null
      throw error
    })
    return this.made
  }

  private async make(): Promise<string> {
    const { kubectl: words, namespace, owner } = this.place
    const name = `qanat-courier-${owner}-${randomBytes(4).toString('hex')}`
    try {
      await this.provide(name).catch(async (error: unknown) => {
        if (!lacksNamespace(error)) throw error
        await provideNamespace(words, namespace)
        await this.provide(name)
      })
    } catch (error) {
      await removePod(words, name)
      throw error
    }
    return name
  }

  /** Makes it, and its claim where that is missing, and removes those that have ended. */
  private async provide(name: string): Promise<void> {
    const { kubectl: words, volume, owner } = this.place
    const failed = new AbortController()
    const begins = this.begin(name, failed.signal)
    try {
      // A pod waits for its claim.
      await Promise.all([provideClaim(words, volume), begins, removeEnded(words, `${courierLabel}=${owner}`)])
    } catch (error) {
      // A pod that is just being made could not be removed yet.
      failed.abort()
      await begins.catch(() => {})
      throw error
    }
  }

  /** Makes the pod, and resolves once it runs. @param ending ends the wait @throws SchedulerError with the reason if it does not begin */
  private async begin(name: string, ending: AbortSignal): Promise<void> {
    const { kubectl: words, title } = this.place
    await createPod(words, courierPod(this.place, name))
    const until = Date.now() + patience
    const reason = await waitForPod(words, name, () => !ending.aborted && Date.now() < until, ending)
    if (reason === null) return
    throw new SchedulerError(
      `the courier in ${title}, which moves files, does not begin: ${reason}`,
      "correct 'courier' (its image) or 'volume' of the context: qanat context show",
    )
  }
}

/** Label of couriers, with their owner. */
const courierLabel = 'qanat-courier'

function courierPod(place: CourierPlace, name: string) {
  const { image, owner, volume } = place
  const spec = podSpec(place, { image, command: ['sh', '-c', waiting], ...little })
  return barePod(name, volume, { [courierLabel]: owner }, spec)
}
