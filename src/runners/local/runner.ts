import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentOf, machineKinds, readFacts, softwareKinds } from '../../domain/environments/environment.js'
import { askedOf, type JobEnvironment } from '../../domain/job-environment.js'
import { launchedCount, planLines, type RunPlan } from '../../domain/runs/run-plan.js'
import { OperationError, UserError } from '../../errors.js'
import { SlotJournals } from '../../runfolder/evidence/slot-journals.js'
import { readSupervisor } from '../../runfolder/evidence/supervisor-file.js'
import { planFile, supervisorLog } from '../../runfolder/layout.js'
import type { Answers, Site, Started } from '../../sites/site.js'
import { faultPoint } from '../../system/fault-point.js'
import { pause } from '../../system/pause.js'
import type { Life, ProcessIdentity } from '../../system/process-identity.js'
import { tellsMemory } from '../../system/processes/memory.js'
import { jobFiles } from '../job-script.js'
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
  SubmissionIntent,
} from '../types.js'
import { type LocalNews, localEvidence, localNews, processQueries, supervisorOf } from './evidence.js'
import type { StopOrder } from './stop.js'
import type { Order } from './supervisor.js'
import { localDialect } from './template.js'

/** Groups run as processes of the site, in slots, under a supervisor that has its own session. */
export const localKind: RunnerKind<null> = {
  name: 'local',
  traits: new Set(['foreground', 'dealsSlots']),
  usualLimits: { identity: '', groupsPerSubmission: Number.POSITIVE_INFINITY },
  template: localDialect,
  at: site => new LocalRunner(site),
}

class LocalRunner implements Runner<null> {
  readonly kind = localKind
  /** A supervisor that is started while a launch is being prepared, to save time; it waits for its order. */
  private waiting: Started | null = null
  /** Supervisors started by this program, by the token of their run. */
  private readonly started = new Map<string, Started>()

  constructor(readonly site: Site) {}

  async probe(environment: JobEnvironment): Promise<Limits> {
    const [program] = await this.shellOf(environment)
    const { machine, programs } = await this.site.probe([program!])
    if (!programs.has(program!)) {
      throw new UserError(`no shell '${program}' on this machine`, "change 'shell' in the template")
    }
    return { identity: machine.host, groupsPerSubmission: Number.POSITIVE_INFINITY }
  }

  getReady(): void {
    this.waiting ??= this.startSupervisor()
  }

  async environmentNow(plan: DescribedPlan, places: string) {
    const { script, isHidden } = environmentScript(plan, places)
    const environment = { set: { ...plan.environment.env, QANAT_PROJECT: plan.projectRoot } }
    const { stdout, ending } = await this.site.run(['/bin/sh', '-c', script], { environment, timeout: 2_000 })
    const { facts } = readFacts(`${stdout}\n`)
    return {
      environment: environmentOf(facts, ending !== 'exit'),
      kinds: isHidden ? machineKinds : [...machineKinds, ...softwareKinds],
    }
  }

  prepare(plan: RunPlan, options: null, limits: Limits): Prepared<null> {
    return {
      plan,
      options,
      limits,
      files: [...jobFiles(plan), ...(plan.indices ? [] : [{ path: planFile, text: planLines(plan) }])],
      submissions: [],
    }
  }

  async *submit({ plan }: Prepared<null>, warn: (message: string) => void): AsyncIterable<JobHandle> {
    const { memory } = plan.environment.resources
    if (memory !== undefined && !(startsBelowShell(plan) && tellsMemory())) {
      warn(
        `the memory limit of ${memory} is not enforced: the memory of ${plan.container ? 'Docker containers' : 'processes'} cannot be measured here`,
      )
    }
    const supervisor = this.waiting ?? this.startSupervisor()
    this.waiting = null
    // Stored before it has its order: if this program is killed, groups that are about to start are not taken for lost.
    if (supervisor.identity) yield handleOf(plan, supervisor.identity)
    await this.giveOrder(plan, supervisor)
  }

  async find(intent: SubmissionIntent) {
    const supervisor = readSupervisor(intent.place.here, intent.attempt)
    return { handles: supervisor ? [handleOf(intent, supervisor)] : [], final: true }
  }

  queries() {
    return []
  }

  news(run: PolledRun): LocalNews {
    return localNews(run)
  }

  furtherQueries(polled: readonly RunWithNews<LocalNews>[]) {
    return processQueries(polled)
  }

  read(polled: readonly RunWithNews<LocalNews>[], answers: Answers) {
    return new Map(polled.map(each => [each.run.token, localEvidence(each, answers)]))
  }

  async cancel(handles: readonly JobHandle[], now: boolean, agreed: (handles: readonly JobHandle[]) => void) {
    await Promise.all(handles.map(handle => this.cancelOne(handle, now, () => agreed([handle]))))
  }

  async hostElsewhere(handles: readonly JobHandle[]): Promise<string | null> {
    const supervisors = handles.map(supervisorOf)
    const lives = await livesOf(this.site, supervisors)
    const elsewhere = supervisors[lives.indexOf('unknown')]
    if (!elsewhere) return null
    const { machine } = await this.site.probe()
    // It is on this machine, but the system could not be asked: on macOS that takes a program.
    if (elsewhere.bootId === machine.bootId && elsewhere.namespace === machine.namespace)
      throw new OperationError(
        `the system does not tell whether process ${elsewhere.pid} of the run lives`,
        'try again',
      )
    return elsewhere.host
  }

  async waitForChange(handle: JobHandle | null, milliseconds: number, stop: AbortSignal): Promise<void> {
    const done = new AbortController()
    const either = AbortSignal.any([stop, done.signal])
    const end = handle && (this.started.get(handle.token)?.end ?? endOf(this.site, supervisorOf(handle), either))
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
    const supervisor = supervisorOf(last)
    const dead = 'has ended: groups that had not started will not start by themselves; run_retry runs them'
    const lives = {
      lives: 'lives',
      dead: start ? 'has ended' : dead,
      unknown: `is on the host ${supervisor.host}`,
    }
    const end = ends.get(index)
    const [life] = await livesOf(this.site, [supervisor])
    const witnesses = [
      // It tells nothing about a group that has ended.
      ...(end ? [] : [{ name: 'supervisor', text: `process ${supervisor.pid} ${lives[life!]}` }]),
      { name: 'exit record', text: textOfRecord(end ?? start ?? null) },
    ]
    return { witnesses, release: null }
  }

  logFiles(handles: readonly JobHandle[]) {
    return handles.map(({ place }) => ({ title: 'supervisor', path: `${place.here}/${supervisorLog}` }))
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
    const order: StopOrder = { place, runId, groupCount, attempt, supervisor: supervisorOf(handle), now }
    const stopping = this.startSupervisor()
    stopping.tell(`${JSON.stringify(order)}\n`)
    faultPoint('cancel-signalled')
    const answer = await stopping.answer
    if ('text' in answer && answer.text === 'stopped\n') return
    throw new OperationError(`run ${runId} could not be cancelled: ${failureOf(answer).message}`, 'try again')
  }

  private startSupervisor(): Started {
    return this.site.start([process.execPath, join(import.meta.dirname, 'supervisor.cjs')])
  }

  /** Sends the order, and resolves once the supervisor has it. @throws OperationError if the supervisor is dead */
  private async giveOrder(plan: RunPlan, supervisor: Started): Promise<void> {
    const order: Order = {
      storagePath: plan.place.there,
      runId: plan.runId,
      attempt: plan.attempt,
      groupCount: plan.groupCount,
      slots: Math.min(plan.slots ?? 1, launchedCount(plan)),
      shell: await this.shellOf(plan.environment),
      indices: plan.indices,
      descend: startsBelowShell(plan),
      limits: askedOf(plan.environment.resources),
    }
    faultPoint('order-ready')
    supervisor.tell(`${JSON.stringify(order)}\n`)
    this.started.set(plan.token, supervisor)
    faultPoint('order-given')
    const answer = await supervisor.answer
    supervisor.leave()
    faultPoint('order-taken')
    // A failure after `ready` is not a failure of the launch: the journals tell what happened to the groups.
    if ('text' in answer && answer.text.startsWith('ready\n')) return
    const { message, code } = failureOf(answer)
    if (code) throw Object.assign(new Error(message), { code })
    throw new OperationError(
      `the supervisor of the run did not start: ${message}`,
      'try again; everything is as it was',
    )
  }

  /** The words that start the shell of a slot. Bash is preferred, since it needs no setsid to make process groups. */
  private async shellOf(environment: JobEnvironment): Promise<readonly string[]> {
    if (environment.shell.length > 0) return environment.shell
    const { programs } = await this.site.probe(['bash'])
    return programs.has('bash') ? ['bash'] : ['sh']
  }
}

function failureOf(answer: Awaited<Started['answer']>): { readonly message: string; readonly code?: string } {
  return 'text' in answer ? JSON.parse(answer.text) : { message: answer.failure }
}

/** Resolves when a supervisor that was started by another program has ended. */
async function endOf(site: Site, supervisor: ProcessIdentity, stop: AbortSignal): Promise<void> {
  const lives = async () => (await livesOf(site, [supervisor]))[0] === 'lives'
  // Less and less often, since on macOS each check starts a program.
  for (let wait = 25; !stop.aborted && (await lives()); wait *= 2) await sleep(wait)
}

async function livesOf(site: Site, processes: readonly ProcessIdentity[]): Promise<Life[]> {
  const queries = processes.map((process, at) => ({ key: String(at), process }))
  const answers = await site.visit(queries)
  return queries.map(({ key }) => answers.get(key) as Life)
}

/** Whether the processes of the groups descend from their shells. Those of Docker belong to a daemon. */
function startsBelowShell({ container }: RunPlan): boolean {
  return container?.kind !== 'docker'
}

function handleOf(intent: SubmissionIntent, supervisor: ProcessIdentity): JobHandle {
  const { token, runId, place, groupCount, jobName, attempt, indices } = intent
  const identity = { token, runId, place, groupCount, jobName, attempt, indices }
  const data = { ...supervisor }
  return { ...identity, first: 0, count: launchedCount(intent), id: String(supervisor.pid), data }
}
