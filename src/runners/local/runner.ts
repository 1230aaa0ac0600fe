import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentOf, machineKinds, readFacts, softwareKinds } from '../../domain/environments/environment.js'
import type { JobEnvironment } from '../../domain/job-environment.js'
import { launchedCount, launchFolder, type RunPlan } from '../../domain/runs/run-plan.js'
import { OperationError, UserError } from '../../errors.js'
import { claimedPositions, readKeeper, readSlots, waitsForGpu } from '../../runfolder/evidence/keeper-file.js'
import { SlotJournals } from '../../runfolder/evidence/slot-journals.js'
import { claimedFile, poolLog, slotsFile } from '../../runfolder/layout.js'
import type { Answers, Site, Started } from '../../sites/site.js'
import { faultPoint } from '../../system/fault-point.js'
import { pause } from '../../system/pause.js'
import type { Life, Machine, ProcessIdentity } from '../../system/process-identity.js'
import { tellsMemory } from '../../system/processes/memory.js'
import { poolFiles, shellOnTerminal } from '../job-script.js'
import { textOfRecord } from '../record-text.js'
import { environmentScript } from '../settings.js'
import type {
  DescribedPlan,
  JobHandle,
  Limits,
  PolledRun,
  Prepared,
  Runner,
  RunnerKind,
  RunWithNews,
  Seat,
  SubmissionIntent,
} from '../types.js'
import { keeperOf, type LocalNews, localEvidence, localNews, processQueries } from './evidence.js'
import { findGpus } from './gpus.js'
import type { StopOrder } from './stop.js'
import { localDialect } from './template.js'

/** Groups run as processes of the site, in the slots of a pool: see pool.sh. */
export const localKind: RunnerKind<null> = {
  name: 'local',
  traits: new Set(['foreground', 'dealsSlots']),
  programs: ['bash', 'sh', 'nvidia-smi', 'rocminfo'],
  usualLimits: { identity: '', groupsPerSubmission: Number.POSITIVE_INFINITY },
  template: localDialect,
  at: site => new LocalRunner(site),
}

class LocalRunner implements Runner<null> {
  readonly kind = localKind
  /** Keepers started by this program, by the token of their run. */
  private readonly started = new Map<string, Started>()

  constructor(readonly site: Site) {}

  async probe(environment: JobEnvironment): Promise<Limits> {
    const [program] = await this.shellOf(environment)
    const { machine, programs } = await this.site.probe([program!])
    if (!programs.has(program!)) {
      throw new UserError(`no shell '${program}' on this machine`, "change 'shell' in the template")
    }
    const gpus = await findGpus(this.site, environment.resources)
    return { identity: machine.host, groupsPerSubmission: Number.POSITIVE_INFINITY, ...(gpus && { gpus }) }
  }

  async environmentNow(plan: DescribedPlan, places: string) {
    const { script, isHidden } = environmentScript(plan, places)
    const environment = { set: { ...plan.environment.env, QANAT_PROJECT: plan.projectRoot } }
    const { stdout, ending } = await this.site.run(['/bin/sh', '-c', script], { environment, timeout: 5_000 })
    const { facts } = readFacts(`${stdout}\n`)
    return {
      environment: environmentOf(facts, ending !== 'exit'),
      kinds: isHidden ? machineKinds : [...machineKinds, ...softwareKinds],
    }
  }

  prepare(plan: RunPlan, options: null, limits: Limits): Prepared<null> {
    return { plan, options, limits, files: poolFiles(plan, limits.gpus), submissions: [] }
  }

  async *submit({ plan }: Prepared<null>, warn: (message: string) => void): AsyncIterable<JobHandle> {
    const { memory } = plan.environment.resources
    if (memory !== undefined && !(startsBelowShell(plan) && tellsMemory())) {
      warn(
        `the memory limit of ${memory} is not enforced: the memory of ${plan.container ? 'Docker containers' : 'processes'} cannot be measured here`,
      )
    }
    yield* this.startPool(plan, plan.environment)
  }

  async setSlots(handles: readonly JobHandle[], slots: number): Promise<void> {
    for (const { place, attempt } of handles)
      await this.site.put(place, [{ path: slotsFile(attempt), text: [`${slots}\n`] }])
  }

  async *resume(handle: JobHandle, environment: JobEnvironment, waiting: ReadonlySet<number>, slots: number) {
    const { place, attempt, groupCount } = handle
    const workers = new SlotJournals(place.here, null).readOn().workers(attempt)
    if ((await livesOf(this.site, [keeperOf(handle), ...workers])).some(life => life !== 'dead')) return
    const indices = handle.indices ?? Array.from({ length: groupCount }, (_, index) => index)
    const claimed = claimedPositions(place.here, groupCount, indices, waiting)
    await this.setSlots([handle], slots)
    await this.site.put(place, [{ path: claimedFile(attempt), text: claimed.map(position => `${position}\n`) }])
    yield* this.startPool(handle, environment, 'again')
  }

  async find(intent: SubmissionIntent) {
    const keeper = readKeeper(intent.place.here, intent.attempt)
    return { handles: keeper ? [handleOf(intent, keeper)] : [], final: true }
  }

  queries(runs: readonly PolledRun[]) {
    // Each visit to another machine takes time: the processes that are known by now are asked about before the files come.
    return this.site.isHere ? [] : processQueries(runs.map(run => ({ run, news: localNews(run) })))
  }

  news(run: PolledRun): LocalNews {
    return localNews(run)
  }

  furtherQueries(polled: readonly RunWithNews<LocalNews>[]) {
    return this.site.isHere ? processQueries(polled) : []
  }

  read(polled: readonly RunWithNews<LocalNews>[], answers: Answers) {
    return new Map(polled.map(each => [each.run.token, localEvidence(each, answers)]))
  }

  async cancel(handles: readonly JobHandle[], now: boolean, agreed: (handles: readonly JobHandle[]) => void) {
    await Promise.all(handles.map(handle => this.cancelOne(handle, now, () => agreed([handle]))))
  }

  async hostElsewhere(handles: readonly JobHandle[]): Promise<string | null> {
    const keepers = handles.map(keeperOf)
    const lives = await livesOf(this.site, keepers)
    const elsewhere = keepers[lives.indexOf('unknown')]
    if (!elsewhere) return null
    const { machine } = await this.site.probe()
    // It is on this machine, but the system did not tell: it hides processes of other users, or ps could not be run on macOS.
    if (elsewhere.bootId === machine.bootId && elsewhere.namespace === machine.namespace)
      throw new OperationError(
        `the system does not tell whether process ${elsewhere.pid} of the run lives`,
        'try again, or let the user do it who has launched the run',
      )
    return elsewhere.host
  }

  onTerminal(plan: RunPlan, seat: Seat) {
    return shellOnTerminal(plan, seat)
  }

  async waitForChange(handle: JobHandle | null, milliseconds: number, stop: AbortSignal): Promise<void> {
    // Another machine is not asked each moment whether a process lives.
    if (!this.site.isHere) return pause(milliseconds, stop)
    const done = new AbortController()
    const either = AbortSignal.any([stop, done.signal])
    const end = handle && (this.started.get(handle.token)?.end ?? endOf(this.site, keeperOf(handle), either))
    await Promise.race([pause(milliseconds, either), ...(end ? [end] : [])])
    done.abort()
  }

  describe(): string {
    return ''
  }

  async explain(handles: readonly JobHandle[], index: number) {
    const last = handles.at(-1)!
    const { ends, starts } = new SlotJournals(last.place.here, null).readOn()
    const start = starts.findLast(each => each.index === index)
    const keeper = keeperOf(last)
    const dead = 'has ended: groups that had not started do not start by themselves'
    const lives = {
      lives: start ? 'lives' : `lives${reasonToWait(last)}`,
      dead: start ? 'has ended' : dead,
      unknown: `is on the host ${keeper.host}`,
    }
    const end = ends.get(index)
    const [life] = await livesOf(this.site, [keeper])
    const witnesses = [
      // It tells nothing about a group that has ended.
      ...(end ? [] : [{ name: 'pool', text: `process ${keeper.pid} ${lives[life!]}` }]),
      { name: 'exit record', text: textOfRecord(end ?? start ?? null) },
    ]
    return { witnesses, release: null }
  }

  logFiles(handles: readonly JobHandle[]) {
    return handles.map(({ place }) => ({ title: 'pool', path: `${place.here}/${poolLog}` }))
  }

  /** Starts a program at the site that ends the processes of the run. It goes on even if this program is killed. */
  private async cancelOne(handle: JobHandle, now: boolean, agreed: () => void): Promise<void> {
    const host = await this.hostElsewhere([handle])
    if (host !== null) {
      throw new OperationError(
        `the run lives on ${host}`,
        'cancel it there; if that machine is gone for good, add --give_up',
      )
    }
    // Called before the first signal: a group may end at once, and must then count as cancelled, not as failed.
    agreed()
    faultPoint('cancel-marked')
    const { place, runId, groupCount, attempt } = handle
    if (!this.site.isHere) return this.endThere(runId, keeperOf(handle))
    const order: StopOrder = { place, runId, groupCount, attempt, keeper: keeperOf(handle), now }
    const stopping = await this.site.start([process.execPath, join(import.meta.dirname, 'stop.cjs')])
    stopping.tell(JSON.stringify(order))
    faultPoint('cancel-signalled')
    const answer = await stopping.answer
    if ('text' in answer && answer.text === 'stopped\n') return
    throw new OperationError(`run ${runId} could not be cancelled: ${reasonOf(answer)}`, 'try again')
  }

  /** Ends a keeper at another site, which ends its groups: no Node is there. */
  private async endThere(runId: number, { pid, start }: ProcessIdentity): Promise<void> {
    const command = ['sh', '-c', endingKeeper, 'sh', String(pid), start]
    const { exitCode, stderr } = await this.site.run(command, { timeout: 120_000 })
    if (exitCode === 0) return
    throw new OperationError(
      `run ${runId} could not be cancelled: ${stderr.trim() || 'its pool has not ended'}`,
      'try again',
    )
  }

  /** Starts the keeper of an attempt, and lets it begin. */
  private async *startPool(intent: SubmissionIntent, environment: JobEnvironment, ...more: readonly string[]) {
    const shell = await this.shellOf(environment)
    const { machine } = await this.site.probe()
    const script = join(intent.place.there, launchFolder(intent.attempt), 'job.sh')
    const keeper = await this.site.start([...shell, script, 'pool', '', machine.host, '-', '0', ...more])
    // Stored before it is told to begin: if this program is killed, groups that are about to start are not taken for lost.
    if (keeper.identity) yield handleOf(intent, keeper.identity)
    await this.letBegin(intent, keeper, machine)
  }

  /** Tells a keeper to begin, and resolves once it has. @throws OperationError if it cannot */
  private async letBegin({ token }: SubmissionIntent, keeper: Started, machine: Machine): Promise<void> {
    faultPoint('order-ready')
    keeper.tell(`${JSON.stringify(machine)}\n`)
    this.started.set(token, keeper)
    faultPoint('order-given')
    const answer = await keeper.answer
    keeper.leave()
    faultPoint('order-taken')
    // A failure after `ready` is not a failure of the launch: the journals tell what happened to the groups.
    if ('text' in answer && answer.text.startsWith('ready\n')) return
    throw new OperationError(
      `the pool of the run did not start: ${reasonOf(answer)}`,
      'once that is mended, try again; everything is as it was',
    )
  }

  /** The words that start the shell of the pool. Bash is preferred, since it needs no setsid to make process groups. */
  private async shellOf(environment: JobEnvironment): Promise<readonly string[]> {
    if (environment.shell.length > 0) return environment.shell
    const { programs } = await this.site.probe(['bash'])
    return programs.has('bash') ? ['bash'] : ['sh']
  }
}

const endingKeeper = `lives() {
  read -r line 2>/dev/null <"/proc/$pid/stat" || return 1
  set -- \${line##*\\) }
  [ "$1" != Z ] && [ "\${20}" = "$start" ]
}
pid=$1 start=$2
if lives; then kill -TERM "$pid"; fi
while lives; do sleep 0.1; done`

/** Why a pool starts no group now, after a comma; empty if it does. */
function reasonToWait({ place, attempt }: JobHandle): string {
  if (readSlots(place.here, attempt) === 0) return ', and is paused'
  return waitsForGpu(place.here, attempt) ? ', and waits for a free GPU' : ''
}

function reasonOf(answer: Awaited<Started['answer']>): string {
  return 'text' in answer ? answer.text.trim() : answer.failure
}

/** Resolves when a keeper that was started by another program has ended. */
async function endOf(site: Site, keeper: ProcessIdentity, stop: AbortSignal): Promise<void> {
  const lives = async () => (await livesOf(site, [keeper]))[0] === 'lives'
  // Less and less often, since on macOS each check starts a program.
  for (let wait = 25; !stop.aborted && (await lives()); wait *= 2) await sleep(wait)
}

async function livesOf(site: Site, processes: readonly ProcessIdentity[]): Promise<Life[]> {
  const queries = processes.map((process, at) => ({ key: String(at), process }))
  const answers = await site.visit(queries, [])
  return queries.map(({ key }) => answers.get(key) as Life)
}

/** Whether the processes of the groups descend from their shells. Those of Docker belong to a daemon. */
function startsBelowShell({ container }: RunPlan): boolean {
  return container?.kind !== 'docker'
}

function handleOf(intent: SubmissionIntent, keeper: ProcessIdentity): JobHandle {
  const { token, runId, place, groupCount, jobName, attempt, indices } = intent
  const identity = { token, runId, place, groupCount, jobName, attempt, indices }
  const data = { ...keeper }
  return { ...identity, first: 0, count: launchedCount(intent), id: String(keeper.pid), data }
}
